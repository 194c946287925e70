import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { type Address, createAddress, toOrigin, toOwnOrigin } from "../../src/companion/address";
import HOSTS from "./address-hosts.json";

const ORIGINS = ["https://feed.example.com", "https://feed.example.com:8443", "http://localhost:8080"];

const createTestAddress = (settings: { host?: string; port?: number } = {}, scheme: Address["scheme"] = "http") =>
  createAddress(createServer(), { host: "localhost", port: 3000, origins: ORIGINS, ...settings }, scheme);

describe("the companion's address", () => {
  it.each(Object.entries(HOSTS.own))("gives pages under the host %s their origin", (host, origin) => {
    expect(toOwnOrigin(host, createTestAddress())).toBe(origin);
  });

  it.each([undefined, ...HOSTS.rejected])("rejects the host %j", (host) => {
    expect(toOwnOrigin(host, createTestAddress())).toBeUndefined();
  });

  it.each(HOSTS.defaultPorts)(
    "omits the default port of $scheme from the origin, as browsers do, at port $port under $host",
    ({ scheme, port, host, origin }) => {
      expect(toOwnOrigin(host, createTestAddress({ port }, scheme as Address["scheme"]))).toBe(origin);
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
