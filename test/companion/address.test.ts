import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { type Address, createAddress, toOrigin, toOwnOrigin } from "../../src/companion/address";

const ORIGINS = ["https://feed.example.com", "https://feed.example.com:8443", "http://localhost:8080"];

const createTestAddress = (settings: { host?: string; port?: number } = {}, scheme: Address["scheme"] = "http") =>
  createAddress(createServer(), { host: "localhost", port: 3000, origins: ORIGINS, ...settings }, scheme);

describe("the companion's address", () => {
  it.each([
    ["localhost:3000", "http://localhost:3000"],
    ["127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["[::1]:3000", "http://[::1]:3000"],
    ["feed.example.com", "https://feed.example.com"],
    ["feed.example.com:8443", "https://feed.example.com:8443"],
    ["localhost:8080", "http://localhost:8080"],
  ])("gives pages under the host %s their origin", (host, origin) => {
    expect(toOwnOrigin(host, createTestAddress())).toBe(origin);
  });

  it.each([
    undefined,
    "",
    "localhost",
    "localhost:3001",
    "localhost.:3000",
    "evil.test:3000",
    "localhost:3000.evil.test",
    "evil.test@localhost:3000",
    "0.0.0.0:3000",
    "127.0.0.2:3000",
    "feed.example.com:3000",
    "feed.example.com:8080",
    "feed.example.com.",
    "www.feed.example.com",
    "example.com",
    "https://feed.example.com",
  ])("rejects the host %j", (host) => {
    expect(toOwnOrigin(host, createTestAddress())).toBeUndefined();
  });

  it.each([
    ["http", 80, "localhost", "http://localhost"],
    ["http", 80, "localhost:80", "http://localhost"],
    ["https", 443, "127.0.0.1:443", "https://127.0.0.1"],
    ["https", 443, "[::1]", "https://[::1]"],
  ] as const)(
    "omits the default port of %s from the origin, as browsers do, at port %i under %s",
    (scheme, port, host, origin) => {
      expect(toOwnOrigin(host, createTestAddress({ port }, scheme))).toBe(origin);
    },
  );

  it("is the loopback address that the companion listens on", () => {
    const address = createTestAddress({ host: "127.0.0.2" });
    expect(toOrigin(address)).toBe("http://127.0.0.2:3000");
    expect(toOwnOrigin("127.0.0.2:3000", address)).toBe("http://127.0.0.2:3000");
  });

  it("has the port that the system gave, once the companion listens on any free one", async () => {
    const server = createServer();
    const address = createAddress(server, { host: "localhost", port: 0, origins: [] }, "http");
    expect(toOwnOrigin("localhost:0", address)).toBe("http://localhost:0");
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    expect(toOwnOrigin(`localhost:${port}`, address)).toBe(`http://localhost:${port}`);
    expect(toOwnOrigin("localhost:0", address)).toBeUndefined();
    server.close();
  });

  it("is localhost if the companion listens on a network", () => {
    const address = createTestAddress({ host: "0.0.0.0" });
    expect(toOrigin(address)).toBe("http://localhost:3000");
    expect(toOwnOrigin("0.0.0.0:3000", address)).toBeUndefined();
  });
});
