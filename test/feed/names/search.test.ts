import { describe, expect, it } from "@jest/globals";
import { NAME_COLUMNS, type NameRow, toNameRow, toTableRow } from "../../../src/feed/names/rows";
import { createNameIndex, openNameIndex } from "../../../src/feed/names/search";
import { createSyntheticRows } from "../../support/synthetic-names";
import { createIndexOf, type Facts, listIds, toRow as toRowOf } from "./index-rows";
import CASES from "./ranking.json";

let count = 0;
const toRow = (known: Facts): NameRow => {
  const row: Facts = { companyId: `id-${++count}`, families: "taxonomy", ...known };
  return NAME_COLUMNS.map((name) => row[name] ?? "");
};
const named = (...names: string[]) => createNameIndex(names.map((companyFormalName) => toRow({ companyFormalName })));
const search = (index: ReturnType<typeof named>, text: string, wanted = 100) =>
  index.search(text, wanted).rows.map((row) => row[NAME_COLUMNS.indexOf("companyFormalName")]);

describe("the name index", () => {
  it("ranks exact names, then starts of names, of words and inner matches, shorter names first", () => {
    const index = named("Big Barton Arts", "Smart", "Old Art Works", "Artists", "Art Co., Ltd.", "Art Gallery", "Cart");
    expect(search(index, "art")).toEqual([
      "Art Co., Ltd.",
      "Artists",
      "Art Gallery",
      "Old Art Works",
      "Big Barton Arts",
      "Cart",
      "Smart",
    ]);
  });

  it("requires all words of the text in one name, in any order", () => {
    const index = named("Sakura Foods", "Foods of Sakura", "Sakura Energy", "Foods", "Seafoods Sakura");
    expect(search(index, "sakura foods")).toEqual(["Sakura Foods", "Foods of Sakura", "Seafoods Sakura"]);
    expect(search(index, "foods  SAKURA inc.")).toEqual(["Sakura Foods", "Foods of Sakura", "Seafoods Sakura"]);
  });

  it("finds Japanese names by any part, whatever the kanji variant, kana or spaces", () => {
    const index = named("株式会社髙島屋", "高島 興業", "島高", "ザ・パック");
    expect(search(index, "高島")).toEqual(["株式会社髙島屋", "高島 興業"]);
    expect(search(index, "髙島 屋")).toEqual(["株式会社髙島屋"]);
    expect(search(index, "島")).toEqual(["島高", "株式会社髙島屋", "高島 興業"]);
    expect(search(index, "ｻﾞﾊﾟｯｸ")).toEqual(["ザ・パック"]);
  });

  it("finds codes by the whole or the start, not by the inside", () => {
    const index = createNameIndex([
      toRow({ companyFormalName: "One", tickerSymbol: "7203" }),
      toRow({ companyFormalName: "Two", registrationNumber: "7203-01-000001" }),
      toRow({ companyFormalName: "Three", registrationNumber: "1720300000001" }),
      toRow({ companyFormalName: "7203 Club" }),
    ]);
    expect(search(index, "7203")).toEqual(["One", "7203 Club", "Two"]);
    expect(search(index, "720301000001")).toEqual(["Two"]);
  });

  it("gives a company once, by its best name, up to the number wanted", () => {
    const company = toRow({
      companyFormalName: "Great Lotus",
      companyInformalName: "Lotus",
      companyLegalName: "Lotus X",
    });
    const index = createNameIndex([toRow({ companyFormalName: "Lotus Y" }), company]);
    expect(search(index, "lotus")).toEqual(["Great Lotus", "Lotus Y"]);
    expect(index.search("lotus", 1)).toEqual({ rows: [company], total: 2 });
  });

  it("merges rows of one id, ignoring letter case", () => {
    const index = createNameIndex([
      toRow({ companyId: "ABC", companyFormalName: "Lotus", tickerSymbol: "LTS" }),
      toRow({ companyId: "abc", companyName: "Lotus Ltd", registrationNumber: "12", families: "private" }),
      toRow({ companyId: "abc", companyName: "Lotus Ltd", registrationNumber: "12", families: "private" }),
    ]);
    expect(index.size).toBe(1);
    expect(toTableRow(index.search("lotus", 1).rows[0] as NameRow)).toEqual({
      companyId: "ABC",
      companyName: "Lotus Ltd",
      companyFormalName: "Lotus",
      tickerSymbol: "LTS",
      registrationNumber: "12",
      families: "taxonomy, private",
    });
  });

  it("matches whole names alone, and prefers the exact spelling", () => {
    const index = named("株式会社高島", "高島有限会社", "㈱髙島", "高島興業");
    const match = (text: string) => index.match(text).rows.map((row) => row[2]);
    expect(match("高島興業")).toEqual(["高島興業"]);
    expect(match("高島")).toHaveLength(3);
    expect(match("㈲高島")).toHaveLength(3);
    expect(match("高島㈲")).toEqual(["高島有限会社"]);
    expect(match("株式会社高島")).toEqual(["株式会社高島"]);
    expect(match("株式会社髙嶋")).toEqual(["株式会社高島", "㈱髙島"]);
    expect(match("高")).toEqual([]);
  });

  it("handles empty names, line ends and 40,000 characters", () => {
    const index = named("", "…", "Two\nLines", "Endless ".repeat(5000), "\u0000");
    expect(index.size).toBe(5);
    expect(search(index, "lines")).toEqual(["Two\nLines"]);
    expect(search(index, "endless")).toHaveLength(1);
    expect(search(index, "Endless ".repeat(5000))).toHaveLength(1);
    expect(index.search("\n", 5)).toEqual({ rows: [], total: 0 });
    expect(index.search("", 5)).toEqual({ rows: [], total: 0 });
    expect(named().search("a", 5)).toEqual({ rows: [], total: 0 });
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

describe("a search of one family", () => {
  it("finds its companies alone, and counts those it left out before the last", () => {
    const companies = ["Art One", "Art Two", "Art Three", "Art Four"].map((companyFormalName, at) =>
      toRow({ companyId: `id-${at}`, companyFormalName, families: at % 2 === 0 ? "taxonomy" : "taxonomy, private" }),
    );
    const index = createNameIndex(companies);
    const { rows, total } = index.searchFamily("art", 2, "private");
    expect([rows.map((row) => row[0]), total]).toEqual([["id-1", "id-3"], 3]);
    expect(index.searchFamily("nobody", 2, "private")).toEqual({ rows: [], total: 0 });
  });
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

  it("is the one with the text's legal form, then the others of that name", () => {
    const index = createIndexOf({
      limited: { companyFormalName: "有限会社高島" },
      spelt: { companyFormalName: "㈱髙島" },
      stock: { companyFormalName: "高島株式会社" },
    });
    const find = (text: string) => listIds(index.search(text, 10).rows);
    expect(find("㈱髙島")).toEqual(["spelt", "limited", "stock"]);
    expect(find("高島㈱")).toEqual(["stock", "limited", "spelt"]);
    expect(find("高島")).toEqual(["limited", "spelt", "stock"]);
  });

  it("of an id is the company alone", () => {
    expect(listIds(INDEX.match(ID).rows)).toEqual([ID]);
    expect(INDEX.match(ID.replace("3d", "4d")).total).toBe(0);
  });
});

const SAKURA = toRowOf("sakura", {
  companyFormalName: "株式会社さくら食品",
  companyEnglishName: "Sakura Foods Co., Ltd.",
});
const BAKERY = toRowOf("bakery", { companyEnglishName: "Sakura Foods Bakery K.K." });
const LISTED = toRowOf("listed", { companyEnglishName: "Sakura Foods Inc.", tickerSymbol: "4952" });
const TOKYO = toRowOf("tokyo", { companyEnglishName: "Aoba Inc.", tickerSymbol: "7203", exchangeCode: "TSE" });

/** The id of the only company with the text as its name or ticker that has financials; null for none or several. */
function pick(text: string, ...rows: NameRow[]): string | null {
  const [only = null, ...others] = listIds(createNameIndex(rows).match(text, "private").rows);
  return others.length > 0 ? null : only;
}

describe("a written company", () => {
  it.each(["Sakura Foods", "SAKURA FOODS CO LTD", "さくら食品", "㈱さくら食品"])(
    "is the one with the name %s",
    (text) => {
      expect(pick(text, SAKURA, BAKERY)).toBe("sakura");
    },
  );

  it.each(["7203", "TSE:7203", "７２０３"])("is the one with the ticker %s", (text) => {
    expect(pick(text, TOKYO, SAKURA)).toBe("tokyo");
  });

  it("is none by a part of a name", () => {
    expect(pick("Sakura", SAKURA)).toBeNull();
  });

  it("is none by the name of two", () => {
    expect(pick("Sakura Foods", LISTED, SAKURA)).toBeNull();
  });

  it("is the one of two namesakes that has the needed data", () => {
    const classified = toRowOf("classified", { companyEnglishName: "Sakura Foods", families: "taxonomy" });
    expect(pick("Sakura Foods", classified, SAKURA)).toBe("sakura");
  });

  it("is none where one of two namesakes has a legal form and the text has none", () => {
    const bare = toRowOf("bare", { companyEnglishName: "Sakura Foods" });
    expect(pick("Sakura Foods", bare, SAKURA)).toBeNull();
  });
});
