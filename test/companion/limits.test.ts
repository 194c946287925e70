import { once } from "node:events";
import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createMemoryLimit, type Stores } from "../../src/companion/stores";
import { itOnLinux } from "../support/posix";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";
import { createConfiguration, createTestPairings, createTestStores, pairHeaders, withFirm } from "./test-configuration";

const LIMIT = 60;
const NOW_MS = Date.UTC(2026, 0, 1);
const ASSERTION = "/companion/assertion";
const STRANGER = { "feed-client": "excel", "content-type": "application/json" };
const AT_ONCE = 20;

let companion: PairedCompanion;
let port: number;
let paired: Record<string, string>[];
/** The most requests of each kind; `other` is lowered. */
let mosts: Record<string, number>;

beforeEach(async () => {
  jest.spyOn(Date, "now").mockReturnValue(NOW_MS);
  mosts = {};
  const pairings = createTestPairings();
  // Counted in this process, whose clock the tests set.
  const createLimit: Stores["createLimit"] = (name, most, windowMs) => {
    mosts[name] = most;
    return createMemoryLimit(name, name === "other" ? 100 : most, windowMs);
  };
  companion = await startPaired({ pairings, stores: { ...createTestStores(pairings), createLimit } });
  ({ port } = companion);
  const pair = async () => ({ ...STRANGER, ...(await pairHeaders(pairings, `http://localhost:${port}`)) });
  paired = [await pair(), await pair()];
});
afterEach(async () => {
  jest.restoreAllMocks();
  await companion.app.close();
});

type Headers = Record<string, string>;
const sign = (headers: Headers) => sendRaw(port, "POST", ASSERTION, headers, "{}");

async function countStatuses(times: number, send: (index: number) => ReturnType<typeof sendRaw>) {
  const counts: Record<number, number> = {};
  let sent = 0;
  const sendNext = async () => {
    while (sent < times) {
      sent += 1;
      const { status } = await send(sent);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  return counts;
}

describe("a client of the companion API", () => {
  it("gets 60 assertions a minute, and then the time to retry", async () => {
    expect(await countStatuses(60, () => sign(paired[0]!))).toEqual({ 200: 60 });
    jest.spyOn(Date, "now").mockReturnValue(NOW_MS + 20_500);
    const { status, headers, body } = await sign(paired[0]!);
    expect([status, headers["retry-after"], headers["feed-refusal"]]).toEqual([429, "40", "FEED_RATE_LIMITED"]);
    expect(JSON.parse(body)).toEqual({
      error: {
        code: "FEED_RATE_LIMITED",
        message: "More than 60 requests of this kind came in a minute: try again in 40 s.",
      },
    });
    jest.spyOn(Date, "now").mockReturnValue(NOW_MS + 60_000);
    expect((await sign(paired[0]!)).status).toBe(200);
  });

  it("has its own count, separate from another one at the same address", async () => {
    expect(await countStatuses(61, () => sign(paired[0]!))).toEqual({ 200: 60, 429: 1 });
    expect(await countStatuses(61, () => sign(STRANGER))).toEqual({ 401: 60, 429: 1 });
    expect((await sign(paired[1]!)).status).toBe(200);
    // Another kind of request has its own count too.
    expect((await sendRaw(port, "GET", "/companion/config", paired[0])).status).toBe(200);
  });

  it("can try ten pairing codes a minute, under any host name and invented bearer", async () => {
    const counts = await countStatuses(11, (index) => {
      const host = `${index % 2 === 0 ? "localhost" : "127.0.0.1"}:${port}`;
      const headers = { ...STRANGER, host, "feed-pairing": `invented-${index}` };
      return sendRaw(port, "POST", "/companion/pairing", headers, '{"code":"ABCD-EFGH"}');
    });
    expect(counts).toEqual({ 403: 10, 429: 1 });
  });

  itOnLinux("can try no more codes from other addresses of the machine", async () => {
    const headers = { ...STRANGER, host: `localhost:${port}` };
    const tryFrom = async (localAddress: string) => {
      const to = { host: "127.0.0.1", port, localAddress };
      const sent = request({ ...to, method: "POST", path: "/companion/pairing", headers });
      sent.end('{"code":"ABCD-EFGH"}');
      const [response] = await once(sent, "response");
      return response.resume().statusCode;
    };
    const statuses: number[] = [];
    for (let last = 10; last <= 20; last += 1) statuses.push(await tryFrom(`127.0.0.${last}`));
    expect(statuses).toEqual([...Array(10).fill(403), 429]);
  });

  it("is not counted for pages of other sites", async () => {
    const foreign: Headers[] = [{ host: "evil.example" }, { origin: "https://evil.example" }, { "feed-client": "" }];
    for (const headers of foreign) await countStatuses(61, () => sign({ ...STRANGER, ...headers }));
    expect((await sign(STRANGER)).status).toBe(401);
  });

  it("can send 12,000 other requests a minute, unknown ones included", async () => {
    const get = (path: string) => sendRaw(port, "GET", path, paired[0]);
    expect(mosts.other).toBe(12_000);
    expect(await countStatuses(50, () => get("/companion/config"))).toEqual({ 200: 50 });
    expect(await countStatuses(51, () => get("/companion/nothing"))).toEqual({ 404: 50, 429: 1 });
  });
});

/** Starts a companion behind proxies; gives a function that sends requests as a stranger with a forwarded address. */
async function start(proxies: readonly string[]): Promise<(address: string, times?: number) => Promise<number[]>> {
  await companion.app.close();
  companion = await startPaired({ configuration: createConfiguration(undefined, { features: withFirm({ proxies }) }) });
  return async (address, times = 1) => {
    const headers = { ...STRANGER, "x-forwarded-for": address };
    const send = () => sendRaw(companion.port, "POST", ASSERTION, headers, "{}");
    return (await Promise.all(Array.from({ length: times }, send))).map(({ status }) => status);
  };
}

describe("strangers behind a proxy", () => {
  it("are counted by their own addresses if it is trusted", async () => {
    const send = await start(["127.0.0.1"]);
    expect(await send("203.0.113.1", LIMIT)).toEqual(Array(LIMIT).fill(401));
    expect(await send("203.0.113.1")).toEqual([429]);
    expect(await send("203.0.113.2")).toEqual([401]);
  });

  it("are counted by the address the nearest trusted proxy saw, not by their own claim", async () => {
    const send = await start(["127.0.0.1", "10.0.0.0/8"]);
    expect(await send("203.0.113.1, 10.0.0.5", LIMIT)).toEqual(Array(LIMIT).fill(401));
    expect(await send("198.51.100.7, 203.0.113.1, 10.0.0.5")).toEqual([429]);
  });

  it("are counted as one if their addresses share an IPv6 network", async () => {
    const send = await start(["127.0.0.1"]);
    await send("2001:db8:1:1::1", LIMIT);
    expect(await send("2001:db8:1:1:ffff::2")).toEqual([429]);
    expect(await send("2001:db8:1:2::1")).toEqual([401]);
  });

  it.each([[[]], [["192.0.2.1"]]])("are one caller if it is not trusted, whatever they claim: %j", async (proxies) => {
    const send = await start(proxies);
    await send("203.0.113.1", LIMIT);
    expect(await send("203.0.113.2")).toEqual([429]);
  });
});

it("connections of a trusted proxy can be as many as thousands of people need", async () => {
  await start(["127.0.0.1"]);
  expect(companion.app.server.maxConnections).toBe(8000);
});
