import { describe, expect, it } from "@jest/globals";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { readWritten } from "../../../../src/feed/names/matching/written";
import { NAME_COLUMNS, type NameRow, pickColumn } from "../../../../src/feed/names/rows";
import { createNameIndex } from "../../../../src/feed/names/search";
import CASES from "./beside-names.json";

type Facts = Partial<Record<(typeof NAME_COLUMNS)[number], string>>;

const toRow = (companyId: string, facts: Facts): NameRow => {
  const row: Facts = { companyId, families: "taxonomy, private", countryCode: "JPN", ...facts };
  return NAME_COLUMNS.map((name) => row[name] ?? "");
};

const INDEX = createNameIndex([
  toRow("steel", { companyFormalName: "株式会社玉響製鋼 Fukuoka", companyEnglishName: "Tamayura Steel Fukuoka Inc." }),
  toRow("foods", {
    companyFormalName: "株式会社夏色食品",
    companyEnglishName: "Natsuiro Foods Corporation",
    city: "Kobe",
  }),
  toRow("kobe", { companyEnglishName: "Natsuiro Aqua Kobe K.K." }),
  toRow("robotics", { companyEnglishName: "Nui Doi Robotics JSC", countryCode: "VNM" }),
  toRow("travel", { companyEnglishName: "Hoa Sen Vang Travel Ho Chi Minh City JSC", countryCode: "VNM" }),
  toRow("precision", { companyEnglishName: "PT Nusa Cahaya Precision Jakarta", countryCode: "IDN" }),
  toRow("optics", { companyEnglishName: "Pandan Optics Singapore Pte. Ltd.", countryCode: "SGP" }),
  toRow("motors", { companyFormalName: "月影自動車株式会社" }),
]);

const match = async (name: string) => {
  const [{ state, candidates } = { state: "none", candidates: [] }] = await matchNames(INDEX, [{ name, hints: [] }]);
  return [state, candidates[0] === undefined ? "" : pickColumn(candidates[0].row, "companyId")];
};

const ACCEPTED = /^(?:exact|sure)$/;

describe("what stands beside a name", () => {
  it.each(CASES.setAside as [string, string, string][])("is set aside: %s: %s", async (_, name, companyId) => {
    const [state, found] = await match(name);
    expect(state).toMatch(ACCEPTED);
    expect(found).toBe(companyId);
  });

  it.each(CASES.doubtful as [string, string][])("makes a name doubtful: %s: %s", async (_, name) => {
    expect((await match(name))[0]).toBe("doubtful");
  });

  it("is a ticker without its exchange", () => {
    expect(readWritten("Natsuiro Foods (IXAF IJ)").asides).toEqual(["IXAF"]);
  });
});

describe("a word of a name", () => {
  it.each(CASES.recognised as [string, string, string][])("is recognised: %s: %s", async (_, name, companyId) => {
    const [state, found] = await match(name);
    expect(state).toMatch(ACCEPTED);
    expect(found).toBe(companyId);
  });

  it.each([
    ["a reading of several words", "Tamayura Seiko Fukuoka", "steel"],
    ["initials", "HSV Travel Ho Chi Minh City", "travel"],
  ])("is shown to who chooses: %s: %s", async (_, name, companyId) => {
    expect((await match(name))[1]).toBe(companyId);
  });
});
