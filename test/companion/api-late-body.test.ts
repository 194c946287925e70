import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { createAddress } from "../../src/companion/address";
import { addApi } from "../../src/companion/api";
import { createPairings, type Pairings } from "../../src/companion/api/pairing";
import { createMemoryPairings } from "../../src/companion/api/pairing-state";
import { NO_FIRM } from "../../src/companion/configuration/firm";
import type { Provider } from "../../src/companion/provider";
import { createMemoryLimit, createMemoryStores } from "../../src/companion/stores/memory";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { readPort } from "./raw-request";
import { createClient, createTestPairings, createTestStores, openFor, pairHeaders } from "./test-configuration";

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

describe("at a store that tests slow down", () => {
  const pairings = createPairings(createMemoryPairings(), Date.now);
  let companion: PairedCompanion;
  /** Runs while a request is counted. */
  let whileCounted: () => Promise<unknown>;
  let lookups: number;

  beforeEach(async () => {
    whileCounted = async () => {};
    const counting: Pairings = {
      ...pairings,
      of(provider) {
        const own = pairings.of(provider);
        return {
          ...own,
          find(...words) {
            lookups += 1;
            return own.find(...words);
          },
        };
      },
    };
    const createLimit = (...words: Parameters<typeof createMemoryLimit>) => {
      const limit = createMemoryLimit(...words);
      const count = async (who: string) => {
        await whileCounted();
        return limit.count(who);
      };
      return { ...limit, count };
    };
    companion = await startPaired({
      pairings: openFor(counting),
      stores: { ...createMemoryStores(counting), createLimit },
    });
    lookups = 0;
  });
  afterEach(() => companion.app.close());

  const readStatus = async () => (await companion.send("GET", "/companion/config")).status;

  describe("a read without a body", () => {
    it("is looked up once while nothing makes it wait", async () => {
      expect(await readStatus()).toBe(200);
      expect(lookups).toBe(1);
    });

    it("is refused if its pairing ended while a slow store counted it", async () => {
      whileCounted = () => nextTurn();
      expect(await readStatus()).toBe(200);
      expect(lookups).toBe(2);
      whileCounted = async () => {
        await nextTurn();
        await pairings.revoke();
      };
      expect(await readStatus()).toBe(401);
    });
  });
});
