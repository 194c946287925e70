import { describe, expect, it } from "@jest/globals";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { NAME_COLUMNS, type NameRow, pickColumn } from "../../../../src/feed/names/rows";
import { createNameIndex } from "../../../../src/feed/names/search";
import CASES from "./namesakes.json";

type Facts = Partial<Record<(typeof NAME_COLUMNS)[number], string>>;

const toRow = (companyId: string, facts: Facts): NameRow => {
  const row: Facts = { companyId, families: "taxonomy, private", countryCode: "JPN", ...facts };
  return NAME_COLUMNS.map((name) => row[name] ?? "");
};

const INDEX = createNameIndex([
  toRow("before", {
    companyFormalName: "株式会社青空硝子",
    companyEnglishName: "Aozora Glass Co., Ltd.",
    website: "a.example",
  }),
  toRow("behind", {
    companyFormalName: "青空硝子株式会社",
    companyEnglishName: "Aozora Glass Inc.",
    tickerSymbol: "7203",
  }),
  toRow("limited", { companyFormalName: "有限会社みなも商事", companyEnglishName: "Minamo Trading Co., Ltd." }),
  toRow("stock", { companyFormalName: "株式会社みなも商事", companyEnglishName: "Minamo Trading Corporation" }),
  toRow("formless", { companyEnglishName: "Hoshimi Paper" }),
  toRow("formed", { companyEnglishName: "Hoshimi Paper K.K." }),
  toRow("twin", { companyEnglishName: "Nagisa Farm Inc." }),
  toRow("other twin", { companyEnglishName: "Nagisa Farm Inc." }),
  toRow("marine", { companyEnglishName: "Tembusu Marine Pte. Ltd.", countryCode: "SGP", tickerSymbol: "SWAY" }),
  toRow("partners", { companyEnglishName: "Tembusu Marine LLP", countryCode: "SGP" }),
]);

const match = async (name: string, ...hints: string[]) => {
  const [{ state, candidates } = { state: "none", candidates: [] }] = await matchNames(INDEX, [{ name, hints }]);
  return [state, candidates[0] === undefined ? "" : pickColumn(candidates[0].row, "companyId")];
};

describe("of companies of one name, the one that is meant", () => {
  it.each(CASES.told as [string, string, string, string][])("is told by %s: %s", async (_, name, state, companyId) => {
    expect(await match(name)).toEqual([state, companyId]);
  });

  it.each(CASES.doubtful as [string, string][])("is doubtful with %s: %s", async (_, name) => {
    expect((await match(name))[0]).toBe("doubtful");
  });

  it("is doubtful where a hint names a company of another name", async () => {
    expect((await match("Minamo Trading Corporation", "https://a.example"))[0]).toBe("doubtful");
  });
});
