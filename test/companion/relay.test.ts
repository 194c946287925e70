import { type RequestListener, request as sendRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanionOptions } from "../../src/companion/companion";
import type { Mode } from "../../src/companion/configuration";
import { toProviderUrl } from "../../src/companion/relay";
import { OPERATIONS } from "../../src/contract/constants";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { type RawAnswer, sendRaw } from "./raw-request";
import { BASE, expectContractAlone, isContract, openFuzz } from "./relay-fuzz";
import HEADERS from "./relay-headers.json";
import REFUSED_PATHS from "./relay-paths.json";
import { createConfiguration } from "./test-configuration";

const MEGABYTE = 1024 * 1024;
const RELAY = "/companion/relay";
const COMPANY = "/asia/private-markets/v1/companies/6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
const TREE = "/asia/industry-taxonomies/v1/tree";
const FINANCIALS = "/asia/private-markets/v1/financials";

let provider: ProviderServer;
let answer: RequestListener;
let companion: PairedCompanion;

const send: PairedCompanion["send"] = (method, path, headers, body) =>
  companion.send(method, RELAY + path, headers, body);

const get = (path: string, headers?: Record<string, string>) => send("GET", path, headers);

/** What the pane reads of a refusal. */
function toRefusal({ status, headers, body }: RawAnswer): unknown[] {
  return [status, headers["feed-refusal"], JSON.parse(body).error.message];
}

const answerOk: RequestListener = (_request, response) =>
  response.setHeader("content-type", "application/json").end('{"ok":true}');

const startOn = (to: ProviderServer, options: Partial<CompanionOptions> = {}) =>
  startPaired({
    configuration: createConfiguration(`http://127.0.0.1:${to.port}/feed`, { logLevel: "info" }),
    ...options,
  });

beforeAll(async () => {
  provider = await createProviderServer((request, response) => answer(request, response));
  companion = await startOn(provider);
});
beforeEach(() => {
  answer = answerOk;
  provider.seen.length = 0;
  companion.lines.length = 0;
});
afterAll(async () => {
  await companion.app.close();
  await provider.close();
});

describe("the relay", () => {
  it.each(Object.entries(OPERATIONS))("passes on %s", async (_name, { method, path }) => {
    const filled = path.replace(/\{\w+\}/g, "id-1");
    const isToken = filled === "/token";
    const type = isToken ? "application/x-www-form-urlencoded" : "application/json";
    const headers: Record<string, string> = method === "POST" ? { "content-type": type } : {};
    const body = method === "GET" ? "" : isToken ? "grant_type=x&client_assertion=a.b.c" : '{ "companyIds" : [] }';
    const { status, body: answered } = await send(method, filled, headers, body);
    expect([status, answered]).toEqual([200, '{"ok":true}']);
    expect(provider.seen).toMatchObject([{ method, url: `/feed${filled}`, body }]);
  });

  it("passes on the API's query as the client writes it", async () => {
    const query = "?start_datetime=2024-01-01T00%3A00%3A00&end_datetime=..%2F..&page_size=";
    await send("GET", `/japan/ranking/v1/companies${query}`);
    expect(provider.seen[0]?.url).toBe(`/feed/japan/ranking/v1/companies${query}`);
  });

  const odd = ["_method=DELETE", "access_token=t-1", "page=1&page=2", "page=1&%70age=2", "country=JPN", "=", "PAGE=1"];
  it.each(odd)("refuses the query %s, which the operation lacks", async (query) => {
    const sentence =
      "The API takes other query parameters there: each of these once at most: start_datetime, end_datetime, page, page_size.";
    const refusal = toRefusal(await get(`/japan/ranking/v1/companies?${query}`));
    expect(refusal).toEqual([400, "FEED_REQUEST_INVALID", sentence]);
    expect(provider.seen).toEqual([]);
  });

  it("passes on the bearer, and no cookie or other header of the caller", async () => {
    const { port } = companion;
    await send("GET", COMPANY, { ...HEADERS.ofCaller, origin: `http://localhost:${port}` });
    const { connection, ...sent } = provider.seen[0]!.headers;
    expect(connection).toBe("keep-alive");
    expect(sent).toEqual({ host: `127.0.0.1:${provider.port}`, ...HEADERS.passedOn });
  });

  it("passes back status, body and the headers a client needs, and no cookie", async () => {
    answer = (_request, response) => response.writeHead(429, HEADERS.ofProvider).end('{"error":{"code":"x"}}');
    const { status, headers, body } = await send("GET", COMPANY);
    expect([status, body]).toEqual([429, '{"error":{"code":"x"}}']);
    expect(headers).toMatchObject(HEADERS.passedBack);
    expect(headers["set-cookie"]).toBeUndefined();
  });

  it.each([503, 500, 401])("sends one request when the provider answers %i", async (failure) => {
    answer = (_request, response) => response.writeHead(failure, { "retry-after": "0" }).end();
    const { status } = await send("GET", COMPANY);
    expect(status).toBe(failure);
    expect(provider.seen).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308, 304])("does not follow a %i, and reports it", async (redirect) => {
    answer = (_request, response) =>
      response
        .writeHead(redirect, { location: `http://127.0.0.1:${provider.port}/login` })
        .end(redirect === 304 ? undefined : "<html>");
    const answered = await get(COMPANY, { authorization: "Bearer t-1" });
    const sentence = `The provider answered with a redirect (status ${redirect}), which is not followed; check FEED_BASE_URL.`;
    expect(toRefusal(answered)).toEqual([502, "FEED_SERVER_FAILED", sentence]);
    expect(answered.headers.location).toBeUndefined();
    expect(provider.seen.map(({ url }) => url)).toEqual([`/feed${COMPANY}`]);
  });

  it.each(REFUSED_PATHS)("refuses the path %s", async (path) => {
    const { status } = await send("GET", path);
    expect([400, 404, 414]).toContain(status);
    expect(provider.seen).toEqual([]);
  });

  it.each(["http://evil.example", "http://localhost"])("refuses a request line that names %s", async (origin) => {
    const { status } = await companion.send("GET", `${origin}${RELAY}/asia/industry-taxonomies/v1/tree`);
    expect(status).toBe(421);
    expect(provider.seen).toEqual([]);
  });

  const others = ["POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"].map((method) => [method, COMPANY] as const);
  it.each([...others, ["GET", FINANCIALS], ["GET", "/token"]] as const)("refuses %s %s", async (method, path) => {
    const { status } = await send(method, path);
    expect(status).toBe(404);
    expect(provider.seen).toEqual([]);
  });

  const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""];
  it.each(types)("refuses a batch of type '%s'", async (type) => {
    const { status } = await send("POST", FINANCIALS, type ? { "content-type": type } : {}, "{}");
    expect(status).toBe(415);
    expect(provider.seen).toEqual([]);
  });

  it("refuses a body larger than any batch", async () => {
    const headers = { "content-type": "application/json" };
    const { status } = await send("POST", FINANCIALS, headers, " ".repeat(256 * 1024 + 1));
    expect(status).toBe(413);
    expect(provider.seen).toEqual([]);
  });

  it("refuses an exchange and a bearer larger than 8 KB, the most that redaction searches", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const secret = "x".repeat(8 * 1024);
    const exchanged = await send("POST", "/token", form, `client_assertion=${secret}`);
    expect(exchanged.status).toBe(413);
    const read = await send("GET", COMPANY, { authorization: `Bearer ${secret}` });
    expect([read.status, read.headers["feed-refusal"]]).toEqual([400, "FEED_REQUEST_INVALID"]);
    expect(provider.seen).toEqual([]);
  });

  it("reports that the provider cannot be reached", async () => {
    const gone = await createProviderServer(answerOk);
    await gone.close();
    const own = await startOn(gone);
    const answered = await own.send("GET", RELAY + COMPANY);
    await own.app.close();
    const sentence = "The provider could not be reached (ECONNREFUSED); check FEED_BASE_URL and the network.";
    expect(toRefusal(answered)).toEqual([502, "FEED_NETWORK_FAILED", sentence]);
    expect(JSON.parse(answered.body)).toEqual({ error: { code: "FEED_NETWORK_FAILED", message: sentence } });
  });

  it.each([204, 407, 600, 999])("reports the status %i, which a browser or the pane would misread", async (unheard) => {
    answer = (_request, response) => response.writeHead(unheard).end();
    const sentence = expect.stringContaining(`status ${unheard}`);
    expect(toRefusal(await get(COMPANY))).toEqual([502, "FEED_SERVER_FAILED", sentence]);
  });

  it.each<[string, Partial<CompanionOptions>]>([
    ["answers 504 when the provider stays silent", { relayTimeoutMs: 20 }],
    ["gives up an answer that does not start within the total time", { relayTotalMs: 20 }],
  ])("%s", async (_title, options) => {
    const own = await startOn(provider, options);
    answer = () => {};
    const refusal = toRefusal(await own.send("GET", RELAY + COMPANY));
    await own.app.close();
    const sentence = "The provider did not answer in time; try again later, or check FEED_BASE_URL and the network.";
    expect(refusal).toEqual([504, "FEED_TIMED_OUT", sentence]);
  });
});

describe("a relayed answer", () => {
  it("passes on 64 MB whole, as they come", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 64 * MEGABYTE });
      for (let part = 0; part < 64; part++) response.write(Buffer.alloc(MEGABYTE, "x"));
      response.end();
    };
    expect((await get(TREE)).body).toHaveLength(64 * MEGABYTE);
  });

  it("reports an answer announced as larger as too large", async () => {
    answer = (_request, response) => response.writeHead(200, { "content-length": 64 * MEGABYTE + 1 }).write("x");
    const sentence = "The provider's answer is above 64 MB; ask for fewer rows.";
    expect(toRefusal(await get(TREE))).toEqual([502, "FEED_SERVER_FAILED", sentence]);
  });

  it.each(HEADERS.breakingOff)("reports an answer that breaks off after $what", async ({ head, said }) => {
    answer = (_request, response) => {
      response.writeHead(200, head).flushHeaders();
      response.write(said, () => setImmediate(() => response.socket?.resetAndDestroy()));
    };
    const answered = await get(TREE);
    const sentence = expect.stringContaining("The provider could not be reached");
    expect(toRefusal(answered)).toEqual([502, "FEED_NETWORK_FAILED", sentence]);
    expect(answered.headers["content-encoding"]).toBeUndefined();
  });

  it.each<[kind: string, head: object]>([
    ["of unknown length", {}],
    ["too large to be held", { "content-length": 64 * 1024 + 1 }],
  ])("breaks off its own answer when the provider's does, which is %s", async (_kind, head) => {
    answer = (_request, response) => {
      response.writeHead(200, { ...head });
      response.write("half", () => response.destroy());
    };
    await expect(get(TREE)).rejects.toThrow();
  });

  it("breaks off an answer that grows too large unannounced", async () => {
    answer = (_request, response) => {
      for (let part = 0; part < 65; part++) response.write(Buffer.alloc(MEGABYTE, "x"));
      response.end();
    };
    await expect(get(TREE)).rejects.toThrow();
  });

  it("gives up an answer that trickles beyond the total time", async () => {
    const own = await startOn(provider, { relayTotalMs: 200 });
    const gone = new Promise((resolve) => {
      answer = (_request, response) => {
        const drip = setInterval(() => response.write("x"), 10);
        response.on("close", () => resolve(clearInterval(drip)));
      };
    });
    await expect(own.send("GET", RELAY + TREE)).rejects.toThrow();
    await gone;
    await own.app.close();
  });

  it.each(["before the answer", "in the middle of it"])("cancels its request if the caller leaves %s", async (when) => {
    const { port, paired } = companion;
    const headers = { host: `localhost:${port}`, ...paired };
    const caller = sendRequest({ host: "127.0.0.1", port, path: RELAY + TREE, headers });
    caller.on("error", () => {});
    const closed = new Promise((resolve) => caller.once("close", resolve));
    const gone = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.on("close", resolve);
        if (when === "before the answer") caller.destroy();
        else response.write("half");
      };
    });
    caller.on("response", (response) => response.once("data", () => caller.destroy()).on("error", () => {}));
    caller.end();
    await gone;
    await closed;
    expect(provider.seen).toHaveLength(1);
  });

  it("removes headers that mark its own refusals, whatever the status", async () => {
    for (const status of [200, 404, 503]) {
      answer = (_request, response) => response.writeHead(status, { "feed-refusal": "FEED_SERVER_FAILED" }).end("[]");
      const { headers } = await get(TREE);
      expect(headers["feed-refusal"]).toBeUndefined();
    }
  });
});

describe("the relay's log", () => {
  it("has a line for a failure alone: path without ids, status and trace id, no query, body or bearer", async () => {
    await get(COMPANY, { authorization: "Bearer secret-bearer-of-the-pane" });
    expect(companion.lines).toEqual([]);
    answer = (_request, response) =>
      response.writeHead(404).end('{"error":{"code":"x","message":"secret-body","traceId":"trace-1"}}');
    await get(`/asia/private-markets/v1/financials/companies/company-1?year=2024`, {
      authorization: "Bearer secret-bearer",
    });
    expect(companion.lines).toHaveLength(1);
    const { level, pairing, path, status, traceId } = JSON.parse(companion.lines[0]!);
    expect({ level, pairing, path, status, traceId }).toEqual({
      level: 30,
      pairing: (await companion.pairings.list())[0]?.id,
      path: "/asia/private-markets/v1/financials/companies/{companyId}",
      status: 404,
      traceId: "trace-1",
    });
    for (const word of ["company-1", "2024", "secret"]) expect(companion.lines[0]).not.toContain(word);
  });

  it.each(Object.entries(HEADERS.withoutTraceId))("takes no trace id from %s", async (_what, body) => {
    answer = (_request, response) => response.writeHead(500).end(body);
    await get(TREE, { authorization: "Bearer secret-bearer-of-the-pane" });
    const { status, traceId } = JSON.parse(companion.lines[0]!);
    expect([status, traceId]).toEqual([500, undefined]);
    expect(companion.lines.join("")).not.toContain("secret-bearer");
  });

  it("has nothing of an answer that is no HTTP", async () => {
    answer = (_request, response) => response.socket?.end("HTTP/1.1 200 OK\r\nsecret body without a header\r\n\r\n");
    const { status, headers } = await get(TREE);
    expect([status, headers["feed-refusal"]]).toEqual([502, "FEED_NETWORK_FAILED"]);
    expect(companion.lines.join("")).not.toContain("secret");
  });
});

it("the provider's URL of an operation is refused if it is not a path of the contract", () => {
  expect(() => toProviderUrl("https://feed.example.com", "/v1/../admin", {})).toThrow("not one of the API");
  expect(() => toProviderUrl("https://feed.example.com", "/v1/{id}", {})).toThrow("id is not an id");
  expect(toProviderUrl("https://feed.example.com/f", "/v1/{id}/x", { id: "a.b" })).toBe(
    "https://feed.example.com/f/v1/a.b/x",
  );
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe.each<Mode>(["sign", "relay"])("in the mode %s", (mode) => {
  let companion: PairedCompanion;
  let provider: ProviderServer;

  beforeAll(async () => {
    provider = await createProviderServer((request, response) => {
      response.writeHead(request.url === "/token" ? 401 : 200, { "content-type": "text/html" });
      response.end("<script>document.title = localStorage.getItem('feed.pairing')</script>");
    });
    const configuration = createConfiguration(`http://127.0.0.1:${provider.port}`, { mode });
    companion = await startPaired({ configuration });
  });
  afterAll(async () => {
    await companion.app.close();
    await provider.close();
  });

  it("no answer of the companion API can be opened as a page, whatever content type the provider sends", async () => {
    for (const path of [RELAY + TREE, "/companion/config", "/companion/absent"]) {
      const { headers } = await companion.send("GET", path, { authorization: "Bearer t-1" });
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  it("a provider's page cannot be opened by its URL", async () => {
    const { status, body } = await sendRaw(companion.port, "GET", RELAY + TREE, { "sec-fetch-site": "none" });
    expect([status, body.includes("<script>")]).toEqual([403, false]);
  });

  it("exchanges are limited to 60 a minute, whatever the provider answers", async () => {
    const send = async () => (await companion.send("POST", "/companion/relay/token", FORM)).status;
    for (let count = 0; count < 60; count++) expect(await send()).toBe(401);
    const seen = provider.seen.length;
    expect(await send()).toBe(429);
    expect(provider.seen).toHaveLength(seen);
  });
});

describe("requests with malformed paths, methods and hosts", () => {
  openFuzz();

  it("reach the provider as operations of the contract alone, and no other server", () => expectContractAlone(300));

  it("are checked by a test that can fail", () => {
    const company = `${BASE}/asia/private-markets/v1/companies`;
    const known = [company, `${company}/id-1`, `${company}?page=1`];
    expect(known.filter((url) => isContract("GET", url))).toEqual(known);
    const others = ["/..", "/", "/a/b", "/%2e%2e", "/.a", "x", "?a=b?c", "/a;b", "/a%2fb"].map((end) => company + end);
    expect(others.filter((url) => isContract("GET", url))).toEqual([]);
    expect(isContract("DELETE", company)).toBe(false);
    expect(isContract("GET", company.slice(BASE.length))).toBe(false);
  });
});
