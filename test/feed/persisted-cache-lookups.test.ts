import { describe, expect, it, jest } from "@jest/globals";
import { createLookups, type Lookup } from "../../src/feed/persisted-cache/store";
import type { FoundAnswer } from "../../src/feed/persisted-cache/types";
import { until } from "../support/until";
import { createPage, keepFreshStorage } from "./persisted-cache-storage";

const surroundings = keepFreshStorage();

const toCompany = (number: number) => `company ${String(number).padStart(3, "0")}`;
const toYears = (company: number) =>
  Array.from({ length: 10 }, (_, year) => [`${toCompany(company)}, ${2015 + year}`, toCompany(company)]);

/** A workbook's queries: ten years of each company, all served by the all-years answer. */
const toQueries = (companies: number) => Array.from({ length: companies }, (_, company) => toYears(company)).flat();

/** Stores an answer for each company. */
async function storeCompanies(from: number, count: number): Promise<void> {
  const companies = Array.from({ length: count }, (_, at) => [toCompany(from + at), { company: from + at }]);
  await createPage().persist(Object.fromEntries(companies));
}

/** Counts reads of the answers from now on: rows, and key listings. */
function countReads(): { rows: () => number; listings: () => number } {
  const reads = (["get", "getAllKeys"] as const).map((name) => jest.spyOn(IDBObjectStore.prototype, name));
  const [rows, listings] = reads.map((spy) => () => {
    const stores = spy.mock.contexts as unknown as IDBObjectStore[];
    return stores.filter(({ name }) => name === "answers").length;
  });
  return { rows: rows as () => number, listings: listings as () => number };
}

const loadAll = (companies: number) => {
  const { answers } = createPage();
  return Promise.all(toQueries(companies).map((hashes) => answers.load(hashes)));
};

describe("a thousand lookups", () => {
  it("without a persisted answer read no row", async () => {
    await storeCompanies(500, 20);
    const reads = countReads();
    expect((await loadAll(100)).every((found) => found === null)).toBe(true);
    expect([reads.rows(), reads.listings()]).toEqual([0, 1]);
  });

  it("with a hundred answers read a hundred rows, and share their values", async () => {
    await storeCompanies(0, 100);
    const reads = countReads();
    const found = await loadAll(100);
    expect(found.map((each) => each?.value)).toEqual(toQueries(100).map((_, at) => ({ company: Math.floor(at / 10) })));
    expect(new Set(found.map((each) => each?.value)).size).toBe(100);
    expect([reads.rows(), reads.listings()]).toEqual([100, 1]);
  });
});

it("a few lookups among many rows do not list all keys between them", async () => {
  await storeCompanies(0, 50);
  const listed = jest.spyOn(IDBObjectStore.prototype, "getAllKeys");
  const { load } = createPage();
  const found = await Promise.all([0, 49, 60].map((company) => load(toCompany(company))));
  expect(found).toEqual([{ company: 0 }, { company: 49 }, null]);
  const [request] = listed.mock.results.map(({ value }) => value as IDBRequest<IDBValidKey[]>);
  expect(request?.result.length).toBeLessThan(50);
});

it("a page opens the database before its first query", async () => {
  const open = jest.spyOn(surroundings.indexedDB as IDBFactory, "open");
  createPage();
  await until(() => open.mock.calls.length > 0);
});

describe("lookups", () => {
  const found = { hash: "b", value: "value" } as unknown as FoundAnswer;
  const readNothing = async () => {};

  it("that come while the owner is determined or others are read are read together", async () => {
    const read: string[][] = [];
    const load = createLookups(
      async () => "owner",
      async (_owner, lookups) => {
        read.push(lookups.map(({ hashes }) => hashes.join()));
        if (read.length === 1) for (const hash of ["c", "d", "e"]) void load([hash]);
      },
    );
    await Promise.all([load(["a"]), load(["b"])]);
    await load(["f"]);
    expect(read.map(String)).toEqual(["a,b", "c,d,e,f"]);
  });

  it("resolve as soon as they are found, before all are read", async () => {
    let end = () => {};
    const reading = new Promise<void>((resolve) => (end = resolve));
    const load = createLookups(
      async () => "owner",
      async (_owner, lookups: readonly Lookup[]) => {
        lookups[1]?.notify(found);
        await reading;
      },
    );
    const [one, other] = [load(["a"]), load(["b"])];
    expect(await other).toBe(found);
    end();
    expect(await one).toBeNull();
  });

  it("resolve to null if reading fails or the owner is unknown, and later ones are read", async () => {
    const owner = jest.fn(async () => "owner").mockRejectedValueOnce(new Error("unknown"));
    const readAll = jest.fn(readNothing).mockRejectedValueOnce(new Error("broken"));
    const load = createLookups(owner, readAll);
    for (const hash of ["a", "b", "c"]) expect(await load([hash])).toBeNull();
    expect([owner.mock.calls.length, readAll.mock.calls.length]).toEqual([3, 2]);
  });
});
