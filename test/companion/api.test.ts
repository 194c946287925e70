import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { jwtVerify } from "jose";
import { createAddress } from "../../src/companion/address";
import { addApi } from "../../src/companion/api";
import { createPairings, type Pairings } from "../../src/companion/api/pairing";
import { createMemoryPairings } from "../../src/companion/api/pairing-state";
import { toThumbprint } from "../../src/companion/key";
import type { Provider } from "../../src/companion/provider";
import { createMemoryLimit, createOwnStores } from "../../src/companion/stores";
import CLOSED from "./closed-api.json";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { type RawAnswer, readPort, sendRaw } from "./raw-request";
import {
  createClient,
  createConfiguration,
  createTestPairings,
  createTestStores,
  openFor,
  pairHeaders,
  publicKey,
} from "./test-configuration";

const PROVIDER_URL = "https://feed.example.com/base";
const OWN_URL = "https://feed.company.example";
const ASSERTION = "/companion/assertion";
const JSON_TYPE = { "content-type": "application/json" };

let companion: PairedCompanion;
let port: number;
let pairings: PairedCompanion["pairings"];
let paired: Record<string, string>;

beforeAll(async () => {
  const configuration = createConfiguration(PROVIDER_URL, { transport: "direct", origins: [OWN_URL] });
  companion = await startPaired({ configuration });
  ({ port, pairings, paired } = companion);
});
afterAll(() => companion.app.close());

function expectRefusal(answer: RawAnswer, status: number): void {
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toEqual({
    error: { code: "FEED_SIGNER_REFUSED", message: expect.stringMatching(/^[A-Z].{20,}$/) },
  });
  expect(answer.headers["feed-refusal"]).toBe("FEED_SIGNER_REFUSED");
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(Object.keys(answer.headers).filter((name) => /^access-control|^set-cookie/.test(name))).toEqual([]);
}

describe("the companion API", () => {
  it("gives the client it signs for, and no secret", async () => {
    const { status, headers, body } = await sendRaw(port, "GET", "/companion/config", paired);
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["feed-refusal"]).toBeUndefined();
    expect(JSON.parse(body)).toMatchObject({
      sample: false,
      mode: "sign",
      transport: "direct",
      baseUrl: PROVIDER_URL,
      tokenUrl: `${PROVIDER_URL}/token`,
      clientId: "client-1",
      keyId: "kid-1",
      thumbprint: await toThumbprint(publicKey),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it.each(["{}", " { } ", ""])("signs for its own page when the body is '%s'", async (body) => {
    const own = { origin: `http://localhost:${port}`, "sec-fetch-site": "same-origin" };
    const answer = await sendRaw(port, "POST", ASSERTION, { ...paired, ...JSON_TYPE, ...own }, body);
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    const { clientId, keyId, assertion, ...rest } = JSON.parse(answer.body);
    const { payload } = await jwtVerify(assertion, publicKey, { audience: `${PROVIDER_URL}/token` });
    expect([clientId, payload.iss, keyId, rest]).toEqual(["client-1", "client-1", "kid-1", {}]);
  });

  it.each(["localhost", "127.0.0.1", "[::1]"])("answers the host name %s with its port", async (name) => {
    const host = `${name}:${port}`;
    const own = await pairHeaders(pairings, `http://${host}`);
    const { status } = await sendRaw(port, "POST", ASSERTION, { ...own, ...JSON_TYPE, host }, "{}");
    expect(status).toBe(200);
  });

  it("answers under a configured origin", async () => {
    const own = await pairHeaders(pairings, OWN_URL);
    const headers = { ...own, ...JSON_TYPE, host: "feed.company.example", origin: OWN_URL };
    const { status } = await sendRaw(port, "POST", ASSERTION, headers, "{}");
    expect(status).toBe(200);
  });
});

/** A title, a status, headers and a body. */
type Case = [string, number, Record<string, string>, string];

describe("the companion API is closed", () => {
  const cases = [...CLOSED, ["to a large body", 413, {}, `{${" ".repeat(2000)}}`]] as Case[];

  it.each(cases)("%s", async (_title, status, headers, body) => {
    expectRefusal(await sendRaw(port, "POST", ASSERTION, { ...paired, ...JSON_TYPE, ...headers }, body), status);
  });

  it("to a pairing of another origin, even if both are its own", async () => {
    const headers = { ...paired, ...JSON_TYPE, host: `127.0.0.1:${port}` };
    expectRefusal(await sendRaw(port, "POST", ASSERTION, headers, "{}"), 401);
  });

  it("to an ended pairing", async () => {
    const ended = await pairHeaders(pairings, `http://localhost:${port}`);
    expect((await sendRaw(port, "GET", "/companion/config", ended)).status).toBe(200);
    await pairings.revoke((await pairings.list()).at(-1)!.id);
    expectRefusal(await sendRaw(port, "GET", "/companion/config", ended), 401);
  });

  it("to an unpaired page, with instructions for pairing", async () => {
    const { body } = await sendRaw(port, "GET", "/companion/config", { "feed-client": "excel" });
    expect(JSON.parse(body).error.message).toBe(
      "This page is not paired with the companion. For a code, run: npm run companion -- pair",
    );
  });

  it("to a preflight", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    expectRefusal(await sendRaw(port, "OPTIONS", ASSERTION, headers), 403);
  });

  it("to a request for another server", async () => {
    const headers = { ...paired, ...JSON_TYPE };
    expectRefusal(await sendRaw(port, "POST", `http://localhost:${port}${ASSERTION}`, headers, "{}"), 421);
  });

  it("to relay requests when calls go directly", async () => {
    const { status } = await sendRaw(port, "GET", "/companion/relay/asia/industry-taxonomies/v1/tree", paired);
    expect(status).toBe(404);
  });
});

describe("behind the guards of the companion API", () => {
  const paths = ["", "/", "/nothing", "/config", "/config/", "/assertion", "/pairing", "/relay/token", "//config"];
  const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
  const requests = paths.flatMap((path) => methods.map((method) => [method, `/companion${path}`] as const));

  it.each(requests)("is %s %s", async (method, path) => {
    const rebound = await sendRaw(port, method, path, { ...paired, ...JSON_TYPE, host: "evil.example" });
    expect([rebound.status, rebound.headers["feed-refusal"]]).toEqual([421, "FEED_SIGNER_REFUSED"]);
    const stranger = await sendRaw(port, method, path, JSON_TYPE);
    expect(stranger.status).toBe(403);
    const unpaired = await sendRaw(port, method, path, { ...JSON_TYPE, "feed-client": "excel" });
    expect(unpaired.status).toBe(method === "POST" && path === "/companion/pairing" ? 400 : 401);
  });

  it.each(["GET", "PUT", "DELETE", "HEAD", "OPTIONS"])("is an unknown method of the assertion: %s", async (method) => {
    const { status } = await sendRaw(port, method, ASSERTION, paired);
    expect(status).toBe(404);
  });

  it.each(["/companion/%zz", "/companion/relay/%", `/companion/relay/${"a".repeat(200)}`])("is %s", async (path) => {
    const { status, body } = await sendRaw(port, "GET", path, { host: "evil.example" });
    expect([400, 421]).toContain(status);
    expect(body).not.toContain(path.slice(-8));
  });
});

it("the order of the guards is host, origin, site, header, type, pairing: each refuses before the next", async () => {
  const wrong: [Record<string, string>, number, RegExp][] = [
    [{ host: "evil.example" }, 421, /own address/],
    [{ origin: "https://evil.example" }, 403, /another one/],
    [{ "sec-fetch-site": "cross-site" }, 403, /another site/],
    [{ "feed-client": "" }, 403, /feed-client: excel/],
    [{ "content-type": "" }, 415, /Content-Type/],
    [{ "feed-pairing": "" }, 401, /not paired/],
  ];
  for (const [index, [, status, sentence]] of wrong.entries()) {
    const headers = Object.assign({}, paired, JSON_TYPE, ...wrong.slice(index).map(([header]) => header));
    const answer = await sendRaw(port, "POST", ASSERTION, headers, '{"aud":"x"}');
    expect([answer.status, JSON.parse(answer.body).error.message]).toEqual([status, expect.stringMatching(sentence)]);
  }
});

describe("the companion's server", () => {
  it("reads at most 16 KB of headers", async () => {
    const small = await sendRaw(port, "GET", "/companion/config", { ...paired, "x-long": "a".repeat(15_000) });
    expect(small.status).toBe(200);
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /companion/config HTTP/1.1\r\nHost: localhost:${port}\r\nX-Long: ${"a".repeat(16_500)}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("refuses a request with two Host headers, which a proxy may read otherwise", async () => {
    const own = `localhost:${port}`;
    for (const hosts of [`${own}\r\nHost: evil.example`, `evil.example\r\nhost: ${own}`, `${own}\r\nHost: ${own}`]) {
      const each = connect(port, "127.0.0.1");
      each.write(`GET /companion/config HTTP/1.1\r\nConnection: close\r\nHost: ${hosts}\r\nfeed-client: excel\r\n\r\n`);
      expect(await text(each)).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it("waits ten seconds for headers and thirty for the whole request, and holds at most 500 connections at once", () => {
    // listener.test.ts holds how the server keeps to its limit.
    const expected = { headersTimeout: 10_000, requestTimeout: 30_000, maxConnections: 500 };
    expect(companion.app.server).toMatchObject(expected);
  });

  it("closes a connection on which no headers come, as soon as it may", async () => {
    const { server } = companion.app;
    server.headersTimeout = 50;
    await once(connect(port, "127.0.0.1").resume(), "close"); // Node's own looks would come after half a minute
    server.headersTimeout = 10_000;
  });
});

describe("while a request waits", () => {
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
      relay: {},
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

  describe("a read without a body, at a store that tests slow down", () => {
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
        stores: { ...createOwnStores(counting), createLimit },
      });
      lookups = 0;
    });
    afterEach(() => companion.app.close());

    const readStatus = async () => (await companion.send("GET", "/companion/config")).status;

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
