import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "@jest/globals";
import { until } from "../../support/until";
import { createGate } from "../shared/shared-reads-world";
import { openFirm, type TestFirm } from "./firm";

/** As many as a provider request holds (§4.2), so that no request waits to be filled. */
const AT_ONCE = 25;
/** Requests a minute: the usual limit would space those of a flood over many seconds. */
const FASTEST = 100_000;

let firm: TestFirm;

const toElement = (companyId: string) => ({ companyId, years: [] });
/** Ids with a person's hexadecimal digit at the beginning. */
const listIds = (digit: string, count: number) =>
  Array.from({ length: count }, (_each, index) => `${digit}0000000-0000-4000-8000-${String(index).padStart(12, "0")}`);

function answerTo(body: string, ...[, response]: Parameters<RequestListener>): void {
  const { companyIds = [] } = JSON.parse(body || "{}") as { companyIds?: string[] };
  const { length: total } = companyIds;
  response.end(JSON.stringify({ data: companyIds.map(toElement), page: 1, pageSize: total, total }));
}

const answer: RequestListener = (...exchange) => answerTo(firm.provider.seen.at(-1)?.body ?? "", ...exchange);

const chunksOf = (ids: readonly string[]) =>
  Array.from({ length: ids.length / AT_ONCE }, (_each, index) => ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE));

afterEach(() => firm.close());

describe("a person who requests more companies than allowed", () => {
  it("gets a time to retry, and no other person is limited", async () => {
    firm = await openFirm({ providerPerMinute: FASTEST, personPerMinute: 500 }, answer);
    const flooder = await firm.signIn("flooder", []);
    const other = await firm.signIn("other", []);
    const flood = Promise.all(chunksOf(listIds("f", 1000)).map((ids) => flooder.post(ids)));
    const others = Promise.all(chunksOf(listIds("a", 500)).map((ids) => other.post(ids)));
    const statuses = (await flood).map(({ status }) => status);
    expect((await others).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const refused = (await flood).filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const { headers } of refused) {
      expect(headers["feed-refusal"]).toBe("FEED_RATE_LIMITED");
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
  });

  it("can still read cached companies, which cost the provider nothing", async () => {
    firm = await openFirm({ personPerMinute: 50 }, answer);
    const flooder = await firm.signIn("flooder", []);
    const ids = listIds("f", AT_ONCE);
    for (let read = 0; read < 10; read += 1) expect((await flooder.post(ids)).status).toBe(200);
    expect(firm.listReads()).toHaveLength(1);
  });

  it("does not delay a person who requests one company", async () => {
    const { opened, open } = createGate();
    firm = await openFirm({ providerPerMinute: FASTEST, personPerMinute: FASTEST }, (request, response) => {
      const { body } = firm.provider.seen.at(-1)!;
      opened.then(() => answerTo(body, request, response));
    });
    const flooder = await firm.signIn("flooder", []);
    const other = await firm.signIn("other", []);
    const flood = chunksOf(listIds("f", 1000)).map((ids) => flooder.post(ids));
    await until(() => firm.listReads().length >= 6);
    // By then all requests have arrived and wait for the first answer.
    for (let times = 0; times < 10; times += 1) await flooder.get("/nothing");
    const one = other.post(listIds("a", 1));
    for (let times = 0; times < 10; times += 1) await other.get("/nothing");
    // Six, unless the machine is so slow that some are hedged.
    const before = firm.listReads().length;
    open();
    expect((await one).status).toBe(200);
    const position = firm.listReads().findIndex(({ body }) => body.includes('"a0000000'));
    expect([position >= before, position < before + 2]).toEqual([true, true]);
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(firm.listReads().length).toBeLessThanOrEqual(41 + before - 6);
  });
});

it("a person who sends more requests than allowed gets a time to retry on all of their machines, and no other person is limited", async () => {
  firm = await openFirm({}, answer);
  const machines = [await firm.signIn("flooder", []), await firm.signIn("flooder", [])];
  const other = await firm.signIn("other", []);
  const flood = await Promise.all(Array.from({ length: 61 }, (_each, index) => machines[index % 2]!.exchange()));
  expect(flood.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(flood.filter(({ status }) => status === 429)).toHaveLength(1);
  for (const { exchange } of machines) expect((await exchange()).status).toBe(429);
  expect((await other.exchange()).status).toBe(200);
});

describe("a page of a list", () => {
  const RANKING =
    "/japan/ranking/v1/companies?start_datetime=2024-01-01T00%3A00%3A00&end_datetime=2024-01-31T23%3A59%3A59";
  const ROWS = 24_010;

  /** A provider with a long ranking; if it ignores page_size, pages have 3,000 rows. */
  async function openRanking(personPerMinute: number, ignored?: number): Promise<void> {
    firm = await openFirm({ personPerMinute }, (request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://provider");
      const pageSize = ignored ?? Number(searchParams.get("page_size") ?? 25);
      const page = Number(searchParams.get("page") ?? 1);
      const from = (page - 1) * pageSize;
      const length = Math.max(0, Math.min(pageSize, ROWS - from));
      const data = Array.from({ length }, (_, nth) => ({ companyName: `Company ${from + nth}` }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data, page, pageSize, total: ROWS }));
    });
  }

  const readPage = async (page: number, pageSize: number | string) => {
    const ann = await firm.signIn("ann", []);
    return ann.get(`${RANKING}&page=${page}&page_size=${pageSize}`);
  };

  it("has at most 1,000 rows, so that ten pages are 10,000", async () => {
    await openRanking(10);
    for (let page = 1; page <= 10; page += 1) {
      const { status, headers, body } = await readPage(page, 3000);
      expect([status, headers["feed-refusal"]]).toEqual([400, "FEED_REQUEST_INVALID"]);
      expect(JSON.parse(body).error.message).toBe("page_size takes 1 to 1000 rows. Ask for the others page by page.");
    }
    expect(firm.listReads()).toEqual([]);
    expect((await readPage(1, 1000)).status).toBe(200);
  });

  const sizes = ["1001", "0", "-1", "1e9", "0x7d0", "2000.0", "+2000", "", "all"];
  it.each(sizes)("is refused with the page_size '%s'", async (pageSize) => {
    await openRanking(10);
    expect((await readPage(1, encodeURIComponent(pageSize))).status).toBe(400);
    expect(firm.listReads()).toEqual([]);
  });

  it("counts as the pages its rows fill if the provider gives more than requested", async () => {
    await openRanking(7, 3000);
    expect((await readPage(1, 25)).status).toBe(200);
    expect((await readPage(2, 25)).status).toBe(200);
    expect((await readPage(3, 25)).status).toBe(200);
    expect((await readPage(4, 25)).status).toBe(429);
    expect(firm.listReads()).toHaveLength(3);
  });
});

it.each([
  ["that fails once", 503, 1],
  ["that asks to wait once", 429, 1],
  ["that refuses the client twice, since the clock may have been why", 401, 2],
])("a token endpoint %s gets few requests, whatever the number of panes", async (_what, status, times) => {
  firm = await openFirm(
    {},
    (_request, response) => response.end("[]"),
    (_request, response) => response.writeHead(status, { "retry-after": "86400" }).end("{}"),
  );
  for (let nth = 0; nth < 10; nth += 1) {
    const { exchange, get } = await firm.signIn(`person ${nth}`, []);
    const { status: firstStatus, headers } = await exchange();
    expect([firstStatus, headers["retry-after"]]).toEqual([status, "600"]);
    expect((await get("/asia/industry-taxonomies/v1/tree")).status).toBeGreaterThanOrEqual(400);
  }
  expect(firm.provider.seen.map(({ url }) => url)).toEqual(Array(times).fill("/token"));
});
