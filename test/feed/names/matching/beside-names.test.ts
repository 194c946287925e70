import { describe, expect, it } from "@jest/globals";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { readWritten } from "../../../../src/feed/names/matching/written";
import { NAME_COLUMNS, type NameRow, pickColumn } from "../../../../src/feed/names/rows";
import { createNameIndex } from "../../../../src/feed/names/search";

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
  it.each([
    ["the company's country", "Nui Doi Robotics (Vietnam)", "robotics"],
    ["the country in Japanese", "夏色食品（日本）", "foods"],
    ["the country's code", "Natsuiro Foods (JP)", "foods"],
    ["the country before the legal form", "Nui Doi Robotics Vietnam JSC", "robotics"],
    ["the city behind the legal form", "Natsuiro Foods Corporation Kobe", "foods"],
    ["a part of the name again", "Natsuiro Aqua Kobe (神戸市)", "kobe"],
    ["its group", "Natsuiro Foods Group", "foods"],
    ["its subsidiaries", "Natsuiro Foods and subsidiaries", "foods"],
    ["a department", "Natsuiro Foods, Accounts Payable", "foods"],
    ["a department and a person", "夏色食品 経理部 山田様", "foods"],
    ["a note without capitals", "Natsuiro Foods (acquired 2021)", "foods"],
    ["a note behind the legal form", "Natsuiro Foods Corporation as of 3/2025", "foods"],
    ["a note in Japanese", "夏色食品（連結）", "foods"],
    ["a round of shares", "Natsuiro Foods - Series B", "foods"],
    ["an exchange", "Natsuiro Foods (TSE)", "foods"],
    ["what it is to the list's keeper", "Client: Natsuiro Foods", "foods"],
  ])("is set aside: %s: %s", async (_, name, companyId) => {
    const [state, found] = await match(name);
    expect(state).toMatch(ACCEPTED);
    expect(found).toBe(companyId);
  });

  it.each([
    ["another country", "Nui Doi Robotics (Malaysia)"],
    ["another country at the end", "Natsuiro Foods Korea"],
    ["a country outside Asia", "Natsuiro Foods (Germany)"],
    ["another place", "Natsuiro Foods (Manila)"],
    ["another company", "Natsuiro Foods (Habagat Capital)"],
    ["a country by a note", "Natsuiro Foods (germany)"],
  ])("makes a name doubtful: %s: %s", async (_, name) => {
    expect((await match(name))[0]).toBe("doubtful");
  });

  it("is a ticker without its exchange", () => {
    expect(readWritten("Natsuiro Foods (IXAF IJ)").asides).toEqual(["IXAF"]);
  });
});

describe("a word of a name", () => {
  it.each([
    ["a city in short", "Nusa Cahaya Precision Jkt", "precision"],
    ["a city of several words in short", "Hoa Sen Vang Travel HCMC", "travel"],
    ["Singapore by a letter", "Pandan Optics (S) Pte Ltd", "optics"],
    ["letters that sound alike", "Nusa Cahaya Presicion Jakarta", "precision"],
    ["two letters in the other order", "Nui Doi Robotcis", "robotics"],
    ["a loan word for a Japanese one", "夏色フーズ", "foods"],
    ["a Japanese abbreviation of a longer word", "月影自工", "motors"],
    ["a form of single letters before the name", "K. K. Natsuiro Foods", "foods"],
  ])("is recognised: %s: %s", async (_, name, companyId) => {
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
