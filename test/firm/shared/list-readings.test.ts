import { beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads, Wanted } from "../../../src/firm/reads/shared-reads";
import { createMemoryAnswers } from "../../../src/firm/stores/memory";
import { createReader, openBench, type ProviderAnswer } from "./shared-reads-world";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const RANKING =
  "/japan/ranking/v1/companies?start_datetime=2024-01-01T00%3A00%3A00&end_datetime=2024-01-02T00%3A00%3A00";
const ANY: Wanted = { reading: "any" };

const bench = openBench();
const { countRequests } = bench;
let reads: SharedReads;
/** The edition of the provider's list, and its number of rows. */
let edition: number;
let total: number | null;

/** A list whose rows carry their edition. */
function sayList(url: string): ProviderAnswer {
  const { searchParams } = new URL(url, "http://provider");
  const [page, pageSize] = ["page", "page_size"].map((name) => Number(searchParams.get(name) ?? 1)) as [number, number];
  const from = (page - 1) * pageSize;
  const length = Math.max(0, Math.min(pageSize, (total ?? 4000) - from));
  const data = Array.from({ length }, (_, nth) => ({ rank: from + nth, edition }));
  return { body: JSON.stringify({ data, page, pageSize, total: total ?? undefined }) };
}

type Page = Awaited<ReturnType<typeof readPage>>;

/** Reads a page, and gives its reading and age, and the edition of its rows if it has any. */
async function readPage(page: number, wanted?: Wanted, from = reads, list = RANKING, pageSize = 1000) {
  const operation = list === RANKING ? "rankCompanies" : "searchCompanies";
  const path = `${list}&page=${page}&page_size=${pageSize}`;
  const { status, body, reading, asOfMs } = await from.read(operation, { method: "GET", path }, createReader(), wanted);
  expect(status).toBe(200);
  const [row]: { edition: number }[] = JSON.parse(body.toString()).data;
  return { reading, edition: row?.edition, ageMs: bench.nowMs() - asOfMs };
}

/** Reads pages as the pane does: the first of any reading, then of the same one. */
async function readAll(pages: readonly number[], wanted = ANY, from = reads): Promise<Page[]> {
  const first = await readPage(1, wanted, from);
  const read = [first];
  for (const page of pages.slice(1)) read.push(await readPage(page, { reading: first.reading ?? "" }, from));
  return read;
}

const ALL = [1, 2, 3, 4];
const toEditions = (pages: readonly Page[]) => pages.map((page) => page.edition);

beforeEach(() => {
  [edition, total] = [1, 4000];
  bench.setAnswer(({ url }) => sayList(url));
  reads = bench.createInstance({ answers: createMemoryAnswers() });
});

/** The reading of a page, whoever read it. */
const toReadingId = ({ reading }: { reading?: string | undefined }) => reading?.split(".")[0];

describe("a reader that names no reading", () => {
  it("gets each page from the provider, for any reading of others", async () => {
    await readAll(ALL);
    await readPage(1);
    bench.pass(9 * MINUTE_MS);
    edition = 2;
    const pages = [];
    for (const page of ALL) pages.push(await readPage(page));
    expect(toEditions(pages)).toEqual([2, 2, 2, 2]);
    expect(pages.map(({ ageMs, reading }) => [ageMs, reading])).toEqual(Array(4).fill([0, undefined]));
  });

  it("gets a list of one page from the cache, and pages beyond it from the provider", async () => {
    total = 900;
    expect((await readPage(1)).reading).toEqual(expect.any(String));
    bench.pass(MINUTE_MS);
    expect((await readPage(1)).ageMs).toBe(MINUTE_MS);
    expect(countRequests()).toBe(1);
    expect((await readPage(2)).reading).toBeUndefined();
    expect(countRequests()).toBe(2);
  });

  it("gets no cached page of a list without a total", async () => {
    total = null;
    await readAll([1]);
    await readPage(1);
    await readPage(1);
    expect(countRequests()).toBe(3);
  });
});

describe("a reading of a list", () => {
  it("is cached and served whole, with the age of its first page", async () => {
    const before = await readAll(ALL);
    bench.pass(9 * MINUTE_MS);
    edition = 2;
    const after = await readAll(ALL);
    expect(toEditions(after)).toEqual([1, 1, 1, 1]);
    expect(after.map(({ ageMs }) => ageMs)).toEqual(Array(4).fill(9 * MINUTE_MS));
    expect(after.map(toReadingId)).toEqual(before.map(toReadingId));
    expect(countRequests()).toBe(4);
    bench.pass(MINUTE_MS);
    expect(toEditions(await readAll(ALL))).toEqual([2, 2, 2, 2]);
  });

  it("is continued by two simultaneous readers, with one request a page", async () => {
    const [mine] = await readAll([1]);
    bench.pass(SECOND_MS);
    const [theirs] = await readAll([1]);
    bench.pass(SECOND_MS);
    const pages = [];
    for (const page of [2, 3, 4]) {
      for (const { reading = "" } of [mine!, theirs!]) pages.push(await readPage(page, { reading }));
      bench.pass(SECOND_MS);
    }
    expect(new Set([mine!, theirs!, ...pages].map(toReadingId)).size).toBe(1);
    expect(countRequests()).toBe(4);
  });

  it("is not continued for a reader after one that stopped at the first pages", async () => {
    await readAll([1, 2]);
    bench.pass(SECOND_MS);
    edition = 2;
    expect((await readAll(ALL)).map(({ reading }) => reading === undefined)).toEqual([false, false, true, true]);
    expect(toEditions(await readAll(ALL))).toEqual([2, 2, 2, 2]);
  });

  it("has no page of another reading: its reader gets a mark, and starts a new reading", async () => {
    await readAll([1]);
    bench.pass(31 * SECOND_MS);
    edition = 2;
    const [first, second] = await readAll([1, 2]);
    expect([first!.edition, first!.reading === undefined]).toEqual([1, false]);
    expect(second).toEqual({ reading: undefined, edition: 2, ageMs: 0 });
    expect(toEditions(await readAll(ALL))).toEqual([2, 2, 2, 2]);
    const requestsBefore = countRequests();
    expect(toEditions(await readAll(ALL))).toEqual([2, 2, 2, 2]);
    expect(countRequests()).toBe(requestsBefore);
  });

  it("ends if the list has another length", async () => {
    const [first] = await readAll([1, 2]);
    total = 4001;
    expect((await readPage(3, { reading: first!.reading! })).reading).toBeUndefined();
    const [next] = await readAll([1]);
    expect(next!.reading).not.toBe(first!.reading);
  });

  it("ends half a minute after its last page", async () => {
    const [first] = await readAll([1, 2]);
    bench.pass(30 * SECOND_MS + 1);
    expect((await readPage(3, { reading: first!.reading! })).reading).toBeUndefined();
  });

  it("ends ten minutes after its start, however slowly it is read", async () => {
    const [first] = await readAll([1]);
    for (let page = 2; page <= 20; page += 1) {
      bench.pass(30 * SECOND_MS);
      expect((await readPage(page, { reading: first!.reading! })).reading).toBe(first!.reading);
    }
    bench.pass(30 * SECOND_MS);
    expect((await readPage(21, { reading: first!.reading! })).reading).toBe(first!.reading);
    bench.pass(1);
    expect((await readPage(22, { reading: first!.reading! })).reading).toBeUndefined();
  });

  it("continues beside one that a refresh started, each with its own pages", async () => {
    const [old] = await readAll([1, 2]);
    bench.pass(16 * SECOND_MS);
    edition = 2;
    const fresh = await readAll([1, 2], { ...ANY, maxAgeMs: 0 });
    expect(toEditions(fresh)).toEqual([2, 2]);
    expect(await readPage(2, { reading: old!.reading! })).toMatchObject({ reading: old!.reading, edition: 1 });
    expect(toEditions(await readAll([1, 2]))).toEqual([2, 2]);
    edition = 3;
    bench.pass(16 * SECOND_MS);
    await readAll([1], { ...ANY, maxAgeMs: 0 });
    expect(await readPage(2, { reading: old!.reading! })).toMatchObject({ edition: 1 });
    expect(await readPage(2, { reading: fresh[0]!.reading! })).toMatchObject({ edition: 2 });
  });

  it("can have pages of several sizes, as of a provider that gives fewer rows than requested", async () => {
    const first = await readPage(1, ANY);
    const second = await readPage(2, { reading: first.reading! }, reads, RANKING, 100);
    expect(second.reading).toBe(first.reading);
    expect(await readPage(2, { reading: first.reading! }, reads, RANKING, 100)).toEqual(second);
    expect(countRequests()).toBe(2);
  });

  it.each([4000, 0])("has an empty page past its end, where the provider counts %d rows", async (count) => {
    const [first] = await readAll(ALL);
    bench.setAnswer(() => ({ body: JSON.stringify({ data: [], page: 5, pageSize: 1000, total: count }) }));
    for (const _again of [1, 2]) expect((await readPage(5, { reading: first!.reading! })).reading).toBe(first!.reading);
    expect(toEditions(await readAll(ALL))).toEqual([1, 1, 1, 1]);
    expect(countRequests()).toBe(5);
  });

  it("ends if a page before its end is empty", async () => {
    const [first] = await readAll([1]);
    bench.setAnswer(() => ({ body: JSON.stringify({ data: [], page: 2, pageSize: 1000, total: 0 }) }));
    expect((await readPage(2, { reading: first!.reading! })).reading).toBeUndefined();
  });

  it("has no page with an invalid number", async () => {
    const [first] = await readAll([1]);
    for (const page of [0, -1]) {
      expect((await readPage(page, { reading: first!.reading! })).reading).toBeUndefined();
    }
  });

  it("belongs to its own list alone, and cannot be invented", async () => {
    const first = await readPage(1, ANY);
    const other = RANKING.replace("2024-01-02", "2024-01-03");
    await readPage(1, ANY, reads, other);
    for (const reading of [first.reading!, "AAAAAAAAAAAAAAAAAAAAAA.1", "x", ""]) {
      expect((await readPage(2, { reading }, reads, other)).reading).toBeUndefined();
    }
  });

  it("serves as a whole while the provider is out", async () => {
    await readAll(ALL);
    bench.pass(11 * MINUTE_MS);
    bench.setAnswer(() => ({ status: 503, body: "{}" }));
    expect(toEditions(await readAll(ALL))).toEqual([1, 1, 1, 1]);
  });

  it("is fetched once for many simultaneous readers", async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => readAll(ALL)));
    expect(new Set(all.flat().map(({ reading }) => reading)).size).toBe(1);
    expect(countRequests()).toBe(4);
  });

  it("that must be fresh comes from the provider, page by page", async () => {
    await readAll(ALL);
    edition = 2;
    const pages = [];
    for (const page of ALL) pages.push(await readPage(page, { reading: "fresh" }));
    expect(toEditions(pages)).toEqual([2, 2, 2, 2]);
    total = 900;
    await readPage(1);
    edition = 3;
    expect((await readPage(1, { reading: "fresh" })).edition).toBe(3);
  });
});

describe("a reading at two instances", () => {
  let here: SharedReads;
  let there: SharedReads;
  beforeEach(() => {
    const answers = createMemoryAnswers();
    [here, there] = [bench.createInstance({ answers }), bench.createInstance({ answers })];
  });

  it("is each instance's own: the other serves the provider's page, and its reader begins anew", async () => {
    const first = await readPage(1, ANY, here);
    edition = 2;
    expect(await readPage(2, { reading: first.reading! }, there)).toEqual({
      reading: undefined,
      edition: 2,
      ageMs: 0,
    });
    expect((await readPage(2, { reading: first.reading! }, here)).reading).toBe(first.reading);
  });
});
