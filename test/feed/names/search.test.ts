import { describe, expect, it } from "@jest/globals";
import { type NameRow, pickColumn, toNameRow, toTableRow } from "../../../src/feed/names/rows";
import { createNameIndex, openNameIndex } from "../../../src/feed/names/search";
import { createSyntheticRows } from "../../support/synthetic-names";
import { createIndexOf, type Facts, listIds, toRow } from "./index-rows";
import CASES from "./ranking.json";

/** An index of companies, given by their formal names or by all that is known. */
const createIndex = (companies: readonly (string | Facts)[]) =>
  createNameIndex(
    companies.map((each, at) => toRow(`id-${at}`, typeof each === "string" ? { companyFormalName: each } : each)),
  );
const listNames = (rows: readonly NameRow[]) => rows.map((row) => pickColumn(row, "companyFormalName"));

describe("the name index", () => {
  const FOUND = CASES.found as [string, keyof typeof CASES.indexes, string, string[]][];
  it.each(FOUND)("finds %s", (_, companies, text, names) => {
    expect(listNames(createIndex(CASES.indexes[companies]).search(text, 100).rows)).toEqual(names);
  });

  it("finds up to the number wanted, and counts all", () => {
    const { rows, total } = createIndex(CASES.indexes["several names"]).search("lotus", 1);
    expect([listNames(rows), total]).toEqual([["Great Lotus"], 2]);
  });

  it("matches a ticker whose first zeros Excel has dropped, beside one that has the number itself", () => {
    const index = createNameIndex([
      toRow("hk", { companyFormalName: "One", tickerSymbol: "0700" }),
      toRow("kr", { companyFormalName: "Two", tickerSymbol: "005930" }),
      toRow("jp", { companyFormalName: "Three", tickerSymbol: "5930" }),
      toRow("hk5", { companyFormalName: "Four", tickerSymbol: "00941" }),
    ]);
    const match = (text: string) => listNames(index.match(text).rows);
    expect(["700", "0700", "941", "5930", "7", "00700"].map(match)).toEqual([
      ["One"],
      ["One"],
      ["Four"],
      ["Three", "Two"],
      [],
      [],
    ]);
  });

  it("merges rows of one id, ignoring letter case", () => {
    const index = createNameIndex([
      toRow("ABC", { companyFormalName: "Lotus", tickerSymbol: "LTS", families: "taxonomy" }),
      toRow("abc", { companyName: "Lotus Ltd", registrationNumber: "12", families: "private" }),
      toRow("abc", { companyName: "Lotus Ltd", registrationNumber: "12", families: "private" }),
    ]);
    expect(index.size).toBe(1);
    expect(toTableRow(index.search("lotus", 1).rows[0] as NameRow)).toEqual(CASES.merged);
  });

  const MATCHED = CASES.matched as [string, string[]][];
  it.each(MATCHED)("matches whole names alone, the exact spelling first: %s", (text, names) => {
    expect(listNames(createIndex(CASES.indexes.spellings).match(text).rows)).toEqual(names);
  });

  it("handles empty names, line ends and 40,000 characters", () => {
    const index = createIndex(["", "…", "Two\nLines", "Endless ".repeat(5000), "\u0000"]);
    expect(index.size).toBe(5);
    expect(listNames(index.search("lines", 5).rows)).toEqual(["Two\nLines"]);
    for (const text of ["endless", "Endless ".repeat(5000)]) expect(index.search(text, 5).total).toBe(1);
    const nothing = { rows: [], total: 0 };
    expect([index.search("\n", 5), index.search("", 5), createIndex([]).search("a", 5)]).toEqual(
      Array(3).fill(nothing),
    );
  });

  it("is the same when reopened, and refuses inconsistent data", () => {
    const rows = createSyntheticRows(2_000);
    const index = createNameIndex(rows);
    const persisted = structuredClone(index.toPersisted());
    expect(openNameIndex(persisted).search("髙", 50)).toEqual(index.search("髙", 50));
    expect(openNameIndex(persisted).list(1_990, 50)).toEqual(rows.slice(1_990));
    expect(() => openNameIndex({ ...persisted, names: persisted.names.slice(50) })).toThrow("entries are missing");
    expect(() => openNameIndex({ ...persisted, packed: persisted.packed.slice(1) })).toThrow("rows are missing");
  });

  it("finds the same among 6,000 companies as a full scan", () => {
    const rows = createSyntheticRows(6_000);
    const index = createNameIndex(rows);
    const direct = rows.filter((row) => row.some((value) => value.replace(/[髙]/g, "高").includes("高島")));
    const found = index.search("高島", 6_000);
    expect(found.total).toBe(direct.length);
    expect(new Set(found.rows.map(([id]) => id))).toEqual(new Set(direct.map(([id]) => id)));
    expect(direct.length).toBeGreaterThan(5);
  });
});

describe("a row of the index", () => {
  it("holds names and codes of either family, and no personal data", () => {
    const row = { id: "1", companyName: "A", registrationNumber: 12, representatives: [{ email: "a@example.com" }] };
    const persisted = toNameRow("private", { ...row, registeredAddress: { country: "SGP" } }, "ALL") as NameRow;
    expect(persisted.filter((value) => value !== "")).toEqual(["1", "A", "12", "SGP", "private"]);
    const classified = { companyId: "2", companyFormalName: "B", tickerSymbol: null, countryCode: null, website: "w" };
    const other = toNameRow("taxonomy", classified, "JPN") as NameRow;
    expect(other.filter((value) => value !== "")).toEqual(["2", "B", "JPN", "taxonomy"]);
  });

  it("truncates long values, and is null without an id", () => {
    const row = toNameRow("private", { id: "1", companyName: "a".repeat(40_000) }, "JPN") as NameRow;
    expect(row[1]).toHaveLength(1_000);
    expect(toNameRow("private", { id: null, companyName: "A" }, "JPN")).toBeNull();
    expect(toNameRow("taxonomy", { id: "1" }, "JPN")).toBeNull();
  });
});

it("a search of one family finds its companies alone, and counts those it left out before the last", () => {
  const companies = ["Art One", "Art Two", "Art Three", "Art Four"].map((companyFormalName, at) => ({
    companyFormalName,
    families: at % 2 === 0 ? "taxonomy" : "taxonomy, private",
  }));
  const index = createIndex(companies);
  const { rows, total } = index.search("art", 2, "private");
  expect([rows.map((row) => row[0]), total]).toEqual([["id-1", "id-3"], 3]);
  expect(index.search("nobody", 2, "private")).toEqual({ rows: [], total: 0 });
});

const ID = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
/** Named after how well they match "Sakura" and "さくら"; in no order. */
const INDEX = createIndexOf(CASES.companies);

const searchIds = (text: string) => listIds(INDEX.search(text, 10).rows);

describe("the best match", () => {
  const RANKED = ["exact", "beginning", "longer", "word", "inside"];

  it.each(CASES.japanese as [string, string][])("comes first: exact, beginning, inside, %s", (_, text) => {
    // Japanese writes no spaces between words, so those of a name tell nothing.
    expect(searchIds(text)).toEqual(["exact", "beginning", "longer", "inside", "word"]);
  });

  it.each(CASES.english as [string, string][])("comes first: exact, beginning, word, inside, %s", (_, text) => {
    expect(searchIds(text)).toEqual(RANKED);
  });

  it.each(CASES.codes as [string, string, string[]][])("is found by %s", (_, text, ids) => {
    expect(searchIds(text)).toEqual(ids);
  });

  it("of an id is the company alone", () => {
    expect(listIds(INDEX.match(ID).rows)).toEqual([ID]);
    expect(INDEX.match(ID.replace("3d", "4d")).total).toBe(0);
  });
});

const NAMESAKES: Readonly<Record<string, Facts>> = CASES.namesakes;

describe("a written company", () => {
  it.each(CASES.written as [string, string, string[], string | null][])("is %s", (_, text, companyIds, companyId) => {
    const index = createIndexOf(Object.fromEntries(companyIds.map((id) => [id, NAMESAKES[id] ?? {}])));
    const [only = null, ...others] = listIds(index.match(text, "private").rows);
    expect(others.length > 0 ? null : only).toBe(companyId);
  });
});
