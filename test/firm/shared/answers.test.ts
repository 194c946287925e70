import { type IncomingMessage, request } from "node:http";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { HELD } from "../../../src/contract/companion-api";
import { type PairedCompanion, startPaired } from "../../companion/paired-companion";
import { createProviderServer, type ProviderServer } from "../../companion/provider-server";
import { createConfiguration } from "../../companion/test-configuration";
import { until } from "../../support/until";
import { createGate } from "./shared-reads-world";

const HOLDING = { authorization: `Bearer ${HELD}` };
const RELAY = "/companion/relay";
const RANKING = `${RELAY}/japan/ranking/v1/industries?start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-02T00:00:00`;
const COMPANY = `${RELAY}/asia/private-markets/v1/companies/company-1`;
const FINANCIALS = `${RELAY}/asia/private-markets/v1/financials`;
const LARGE = JSON.stringify(Array.from({ length: 200 }, (_, sectorId) => ({ sectorId })));
const TREE = `${RELAY}/asia/industry-taxonomies/v1/tree`;

describe("a shared answer", () => {
  let provider: ProviderServer;
  let companion: PairedCompanion;
  let clock: jest.SpiedFunction<typeof Date.now>;
  let said: { status: number; body: string };
  /** A promise that delays the provider's answers. */
  let held: Promise<void>;
  let own: Record<string, string>;

  const get = (path: string, more: Record<string, string> = {}) => companion.send("GET", path, { ...HOLDING, ...more });
  const post = (body: object) =>
    companion.send("POST", FINANCIALS, { ...HOLDING, "content-type": "application/json" }, JSON.stringify(body));
  const countReads = () => provider.seen.filter(({ url }) => url !== "/token").length;

  beforeEach(async () => {
    clock = jest.spyOn(Date, "now");
    said = { status: 200, body: "[1.0]" };
    held = Promise.resolve();
    provider = await createProviderServer(async ({ url }, response) => {
      if (url === "/token") return response.end('{"access_token":"token","expires_in":300}');
      await held;
      return response.writeHead(said.status, { "content-type": "application/json" }).end(said.body);
    });
    const baseUrl = `http://127.0.0.1:${provider.port}`;
    companion = await startPaired({ configuration: createConfiguration(baseUrl, { mode: "relay" }) });
    own = { ...companion.paired, ...HOLDING };
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await companion.app.close();
    await provider.close();
  });

  it("reports its age", async () => {
    expect((await get(TREE)).headers.age).toBe("0");
    const body = { companyIds: ["0000000a-0000-4000-8000-000000000000"] };
    said.body = JSON.stringify({ data: [{ companyId: body.companyIds[0], years: [] }], total: 1 });
    expect((await post(body)).headers.age).toBe("0");
    expect((await post(body)).body).toContain(JSON.stringify({ companyId: body.companyIds[0], years: [] }));
    expect(countReads()).toBe(2);
  });

  it("is refetched by a refresh once it exceeds the firm's max age, and reports when that is", async () => {
    let nowMs = Date.now();
    clock.mockImplementation(() => nowMs);
    const edition = async (cacheControl: string) => {
      const { headers, body } = await get(TREE, { "cache-control": cacheControl });
      return [body, headers.age, headers["feed-refresh-in"]];
    };
    said.body = "[1]";
    expect(await edition("no-cache")).toEqual(["[1]", "0", "0"]);
    said.body = "[2]";
    nowMs += 10_000;
    expect(await edition("no-cache")).toEqual(["[1]", "10", "5"]);
    nowMs += 10_000;
    expect(await edition("max-age=0")).toEqual(["[1]", "20", "0"]);
    expect(await edition("max-age=21")).toEqual(["[1]", "20", "0"]);
    expect(await edition("max-age=20")).toEqual(["[2]", "0", "0"]);
    expect(countReads()).toBe(2);
  });

  it("names the reading of its list, with or without one in the request", async () => {
    said.body = JSON.stringify({ data: [1], total: 2 });
    const readings = async (reading?: string, page = 1) => {
      const named: Record<string, string> = reading === undefined ? {} : { "feed-reading": reading };
      const { headers } = await get(`${RANKING}&page=${page}`, named);
      return headers["feed-reading"];
    };
    const reading = String(await readings("any"));
    expect(reading).toMatch(/^[\w-]{22}\.\d+$/);
    expect(await readings(reading, 2)).toBe(reading);
    expect(String(await readings("any")).split(".")[0]).toBe(reading.split(".")[0]);
    expect([await readings(), await readings("fresh"), await readings("another", 2)]).toEqual(["none", "none", "none"]);
    expect(provider.seen.every(({ headers }) => !("feed-reading" in headers))).toBe(true);
  });

  it("may be stored by a browser with revalidation if it has no contact data", async () => {
    for (const path of [TREE, RANKING]) {
      expect((await get(path)).headers["cache-control"]).toBe("private, no-cache");
    }
    expect((await get(COMPANY)).headers["cache-control"]).toBe("no-store");
    expect((await post({ companyIds: ["x"] })).headers["cache-control"]).toBe("no-store");
    said.status = 403;
    expect((await get(`${TREE.replace("tree", "companies/c")}`)).headers["cache-control"]).toBe("no-store");
  });

  it("answers 304 to a request with the current ETag", async () => {
    const { headers, body } = await get(TREE);
    const tag = String(headers.etag);
    const again = await get(TREE, { "if-none-match": `"other", W/${tag}` });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, "", tag]);
    expect(again.headers["cache-control"]).toBe("private, no-cache");
    const another = await get(TREE, { "if-none-match": '"other"' });
    expect([another.status, another.body]).toEqual([200, body]);
    expect((await get(COMPANY, { "if-none-match": tag })).status).toBe(304);
  });

  it("is compressed if the caller accepts that and it is large", async () => {
    expect((await get(COMPANY, { "accept-encoding": "gzip" })).headers["content-encoding"]).toBeUndefined();
    said.body = LARGE;
    const tags: unknown[] = [];
    for (const accepted of ["gzip", "br, GZIP;q=0.5", "*"]) {
      const { headers, body } = await get(TREE, { "accept-encoding": accepted });
      expect([accepted, headers["content-encoding"], headers.vary]).toEqual([accepted, "gzip", "accept-encoding"]);
      expect(body.length).toBeLessThan(LARGE.length);
      tags.push(headers.etag);
    }
    const response = await fetch(`http://localhost:${companion.port}${TREE}`, { headers: own });
    expect(await response.text()).toBe(LARGE);
    for (const accepted of ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip"]) {
      const { headers, body } = await get(TREE, accepted === "" ? {} : { "accept-encoding": accepted });
      expect([accepted, headers["content-encoding"], body]).toEqual([accepted, undefined, LARGE]);
      expect(tags).not.toContain(headers.etag);
    }
  });

  it("reaches the waiting callers even if the first one has left", async () => {
    const { opened, open: answer } = createGate();
    held = opened;
    const leaving = new AbortController();
    const { signal } = leaving;
    const first = fetch(`http://localhost:${companion.port}${TREE}`, { headers: own, signal });
    await until(() => countReads() === 1);
    const second = get(TREE);
    leaving.abort();
    await expect(first).rejects.toThrow();
    answer();
    expect([(await second).status, (await get(TREE)).status, countReads()]).toEqual([200, 200, 1]);
  });

  it("is for 250 companies at most", async () => {
    const toIds = (length: number) => Array.from({ length }, (_, nth) => `company-${nth}`);
    for (const body of [{ companyIds: toIds(251) }, { identifiers: toIds(251) }]) {
      expect(await post(body)).toMatchObject({ status: 400, body: expect.stringContaining("250 companies") });
    }
    expect(countReads()).toBe(0);
    expect((await post({ companyIds: toIds(250) })).status).toBe(200);
  });

  it("is refused to a caller that leaves more than 64 MB unread, until it reads or leaves", async () => {
    said.body = JSON.stringify(["x".repeat(33 * 1024 * 1024)]);
    const host = `localhost:${companion.port}`;
    const unread = await new Promise<IncomingMessage>((resolve) => {
      request({ host: "127.0.0.1", port: companion.port, path: TREE, headers: { host, ...own } }, resolve).end();
    });
    expect([unread.statusCode, (await get(TREE)).status]).toEqual([200, 429]);
    unread.on("error", () => {}).destroy();
    await until(async () => (await get(TREE)).status === 200);
  });
});
