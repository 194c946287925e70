import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { createAddress } from "../../src/companion/address";
import { addApi } from "../../src/companion/api";
import { NO_FIRM } from "../../src/companion/configuration/firm";
import type { Provider } from "../../src/companion/provider";
import { readPort } from "./raw-request";
import { createClient, createTestPairings, createTestStores, pairHeaders } from "./test-configuration";

const SAMPLE: Provider = {
  sample: true,
  baseUrl: () => "http://localhost/sandbox",
  client: createClient("sample-client"),
};
const REAL: Provider = { sample: false, baseUrl: () => "https://feed.example.com", client: createClient("client-1") };

const pairings = createTestPairings();
let provider = SAMPLE;
let app: FastifyInstance;
let authorised: () => void = () => {};

beforeAll(async () => {
  app = fastify();
  const address = createAddress(app.server, { host: "127.0.0.1", port: 0, origins: [] }, "http");
  const stores = createTestStores(pairings);
  const api = {
    address,
    provider: () => provider,
    mode: "sign",
    transport: "proxy",
    stores,
    relay: { firm: () => NO_FIRM },
  } as const;
  app.register(addApi, { prefix: "/companion", ...api });
  app.addHook("onRequest", async () => void setImmediate(() => authorised()));
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

/** Requests an assertion, and sends the body after a callback that follows the headers. */
async function sendSlowly(headers: Record<string, string>, happen: () => unknown): Promise<string> {
  const port = readPort(app);
  const lines = Object.entries({
    host: `localhost:${port}`,
    "content-type": "application/json",
    "content-length": "2",
    connection: "close",
    ...headers,
  }).map(([name, text]) => `${name}: ${text}`);
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (part) => {
    answer += part;
  });
  const isAnswered = new Promise<void>((resolve) => {
    authorised = resolve;
  });
  socket.write(["POST /companion/assertion HTTP/1.1", ...lines, "", ""].join("\r\n"));
  await isAnswered;
  await happen();
  socket.write("{}");
  await once(socket, "close");
  return answer;
}

describe("a request whose body comes late", () => {
  it("is not signed for a provider set up after its headers", async () => {
    provider = SAMPLE;
    const answer = await sendSlowly({ "feed-client": "excel" }, () => {
      provider = REAL;
    });
    expect(answer).toMatch(/^HTTP\/1\.1 4(01|09) /);
    expect(answer).not.toContain("assertion");
  });

  it("is not signed for a pairing that ended after its headers", async () => {
    provider = REAL;
    const headers = await pairHeaders(pairings, `http://localhost:${readPort(app)}`);
    expect(await sendSlowly(headers, () => {})).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendSlowly(headers, () => pairings.revoke())).toMatch(/^HTTP\/1\.1 401 /);
  });
});
