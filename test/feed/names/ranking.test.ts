import { describe, expect, it } from "@jest/globals";
import { NAME_COLUMNS, type NameRow, pickColumn } from "../../../src/feed/names/rows";
import { createNameIndex } from "../../../src/feed/names/search";
import CASES from "./ranking.json";

type Facts = Partial<Record<(typeof NAME_COLUMNS)[number], string>>;

const toRow = (companyId: string, facts: Facts): NameRow => {
  const row: Facts = { companyId, families: "taxonomy, private", ...facts };
  return NAME_COLUMNS.map((name) => row[name] ?? "");
};

const ID = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";

/** Named after how well they match "Sakura" and "さくら"; in no order. */
const INDEX = createNameIndex([
  toRow("inside", { companyFormalName: "株式会社新さくら堂", companyEnglishName: "Shinsakura Do" }),
  toRow("word", { companyFormalName: "東京 サクラ印刷", companyEnglishName: "Tokyo Sakura Print" }),
  toRow("longer", { companyFormalName: "さくら水産加工株式会社", companyEnglishName: "Sakurasuisan Processing" }),
  toRow("beginning", { companyFormalName: "サクラ食品㈱", companyEnglishName: "SAKURA FOODS CO., LTD." }),
  toRow("exact", { companyFormalName: "株式会社さくら", companyEnglishName: "Sakura Inc.", tickerSymbol: "7203" }),
  toRow(ID, { companyFormalName: "有限会社青葉", companyEnglishName: "Aoba", registrationNumber: "720300000000" }),
]);

const search = (text: string) => INDEX.search(text, 10).rows.map((row) => pickColumn(row, "companyId"));

describe("the best match", () => {
  const RANKED = ["exact", "beginning", "longer", "word", "inside"];

  it.each(CASES.japanese as [string, string][])("comes first: exact, beginning, inside, %s", (_, text) => {
    // Japanese writes no spaces between words, so those of a name tell nothing.
    expect(search(text)).toEqual(["exact", "beginning", "longer", "inside", "word"]);
  });

  it.each(CASES.english as [string, string][])("comes first: exact, beginning, word, inside, %s", (_, text) => {
    expect(search(text)).toEqual(RANKED);
  });

  it.each([
    ["a ticker", "7203", ["exact", ID]],
    ["a full-width ticker", "７２０３", ["exact", ID]],
    ["a registration number", "720300000000", [ID]],
    ["an id", ID, [ID]],
    ["an id in upper case", ` ${ID.toUpperCase()} `, [ID]],
    ["a part of an id", ID.slice(0, 8), []],
  ])("is found by %s", (_, text, ids) => {
    expect(search(text)).toEqual(ids);
  });

  it("is the one with the text's legal form, then the others of that name", () => {
    const index = createNameIndex([
      toRow("limited", { companyFormalName: "有限会社高島" }),
      toRow("spelt", { companyFormalName: "㈱髙島" }),
      toRow("stock", { companyFormalName: "高島株式会社" }),
    ]);
    const find = (text: string) => index.search(text, 10).rows.map((row) => pickColumn(row, "companyId"));
    expect(find("㈱髙島")).toEqual(["spelt", "limited", "stock"]);
    expect(find("高島㈱")).toEqual(["stock", "limited", "spelt"]);
    expect(find("高島")).toEqual(["limited", "spelt", "stock"]);
  });

  it("of an id is the company alone", () => {
    expect(INDEX.match(ID).rows.map((row) => pickColumn(row, "companyId"))).toEqual([ID]);
    expect(INDEX.match(ID.replace("3d", "4d")).total).toBe(0);
  });
});
