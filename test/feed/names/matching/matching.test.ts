import { describe, expect, it } from "@jest/globals";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { NAME_COLUMNS, type NameRow, pickColumn } from "../../../../src/feed/names/rows";
import { createNameIndex } from "../../../../src/feed/names/search";

type Facts = Partial<Record<(typeof NAME_COLUMNS)[number], string>>;

const toRow = (companyId: string, facts: Facts): NameRow => {
  const row: Facts = { companyId, families: "taxonomy, private", countryCode: "JPN", ...facts };
  return NAME_COLUMNS.map((name) => row[name] ?? "");
};

const ID = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";

const INDEX = createNameIndex([
  toRow("foods", { companyFormalName: "株式会社髙島食品", companyEnglishName: "Takashima Foods Co., Ltd." }),
  toRow("motors", { companyFormalName: "髙島自動車工業㈱", companyEnglishName: "Takashima Motor Industries Inc." }),
  toRow("saito", { companyFormalName: "株式会社さいとう物流", companyEnglishName: "Saitoh Logistics K.K." }),
  toRow("tokyo", { companyEnglishName: "Aozora Glass Co., Ltd.", city: "Tokyo", tickerSymbol: "7203" }),
  toRow("osaka", { companyEnglishName: "Aozora Glass Inc.", city: "Osaka", website: "aozora.example" }),
  toRow("unknown", { companyEnglishName: "Aozora Paper Inc.", city: "Tokyo" }),
  toRow("nowhere", { companyEnglishName: "Aozora Paper K.K." }),
  toRow(ID, { companyEnglishName: "Minamo Holdings", registrationNumber: "9530193052711" }),
]);

const match = async (name: string, ...hints: string[]) => {
  const [{ state, candidates } = { state: "none", candidates: [] }] = await matchNames(INDEX, [{ name, hints }]);
  return [state, candidates[0] === undefined ? "" : pickColumn(candidates[0].row, "companyId")];
};

describe("a name of a list", () => {
  it.each([
    ["legal form, case and width", "ＴＡＫＡＳＨＩＭＡ foods kk", "exact", "foods"],
    ["old kanji", "高島食品(株)", "exact", "foods"],
    ["a registration number", "9530193052711", "exact", ID],
    ["a ticker", "7203", "exact", "tokyo"],
    ["a company id", ID.toUpperCase(), "exact", ID],
    ["a typing error", "Takashmia Foods", "sure", "foods"],
    ["another romanisation", "Saito Logistics", "sure", "saito"],
    ["kana for an English name", "サイトウ Logistics", "sure", "saito"],
    ["an abbreviation", "Minamo Hldgs", "sure", ID],
    ["a Japanese abbreviation", "髙島自工", "sure", "motors"],
    ["another order of words", "Foods Takashima", "sure", "foods"],
    ["a missing space", "TakashimaFoods", "sure", "foods"],
    ["a remark", "Takashima Foods (client)", "exact", "foods"],
    ["a form of address", "髙島食品 御中", "exact", "foods"],
    ["a part of a name", "Takashima", "doubtful", "foods"],
    ["a place that the name lacks", "Takashima Foods (Nagoya)", "doubtful", "foods"],
    ["a name of two companies", "Aozora Glass", "doubtful", "tokyo"],
    ["no such name", "Umezawa Boats", "none", ""],
    ["blank", "  ", "none", ""],
  ])("with %s: %s is %s", async (_, name, state, companyId) => {
    expect(await match(name)).toEqual([state, companyId]);
  });

  it("is not settled by a city where the other company's is unknown", async () => {
    expect(await match("Aozora Paper", "Tokyo")).toEqual(["doubtful", "unknown"]);
  });

  it("gives the candidates of a doubtful name, the best first, and how many fit alike", async () => {
    const [found] = await matchNames(INDEX, [{ name: "Aozora Glass", hints: [] }]);
    expect(found?.candidates.slice(0, 2).map(({ row }) => pickColumn(row, "companyId"))).toEqual(["tokyo", "osaka"]);
    expect(found?.alike).toBe(2);
    expect(found?.candidates.length).toBeLessThanOrEqual(5);
  });

  it("has no match in an empty index", async () => {
    expect(await matchNames(createNameIndex([]), [{ name: "Sakura", hints: [] }])).toEqual([
      { state: "none", candidates: [], alike: 0 },
    ]);
  });
});
