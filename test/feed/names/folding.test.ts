import { describe, expect, it } from "@jest/globals";
import { foldCode } from "../../../src/feed/names/folded-letters";
import { foldName, foldQuery, foldWhole } from "../../../src/feed/names/folding";
import CASES from "./folding.json";

describe("a folded name", () => {
  it.each(CASES.ignored as [string, string, string][])("ignores %s", (_, name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it("reads a dash after kana as a long vowel, and a misplaced long vowel as a dash", () => {
    expect(foldName("センタ－")).toBe(foldName("センター"));
    expect(foldName("コ-ヒ-店")).toBe(foldName("コーヒー店"));
    expect(foldName("セブン‐イレブン")).toBe(foldName("セブンイレブン"));
    expect(foldName("Aーone")).toBe("a one");
  });

  it.each(CASES.japaneseForms)("of %s omits the legal form", (name) => {
    expect(foldName(name)).toBe("高島");
  });

  it.each(CASES.otherForms)("of %s omits the legal form", (name) => {
    expect(foldName(name)).toBe("sakura foods");
  });

  it.each(CASES.kept as [string, string][])("of %s keeps a word that resembles a legal form", (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it.each(["株式会社", "Co., Ltd.", "PT", "Inc.", "บริษัท"])("of %s is kept, since nothing else is left", (name) => {
    expect(foldName(name)).toBe(foldWhole(name));
    expect(foldName(name)).not.toBe("");
  });

  // github.com/yfedoseev/pdf_oxide/issues/1060 and /123: texts copied from a PDF have radicals
  it.each(CASES.radicals as [string, string][])("of %s with a radical has its kanji", (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  // github.com/suer/redmine_export_with_journals/pull/3: what a charset has not becomes "?", U+FFFD, "〓" or private use
  it.each(CASES.lost)("of %s keeps the place of a lost letter", (name) => {
    expect(foldName(name)).not.toBe(foldName(name.replace(/[^\p{L} ]/gu, "")));
  });

  it("with its legal form distinguishes companies", () => {
    expect(foldWhole("㈱高島")).toBe(foldWhole("株式会社髙島"));
    expect(foldWhole("㈱高島")).not.toBe(foldWhole("㈲高島"));
    expect(foldWhole("㈱高島")).not.toBe(foldWhole("高島㈱"));
  });

  it("of 40,000 characters is truncated; without letters it is empty", () => {
    expect(foldName("Endless ".repeat(5000)).length).toBeLessThanOrEqual(300);
    expect(foldName("ー".repeat(40_000))).toBe("");
    expect(foldName("")).toBe("");
    expect(foldName("…!?")).toBe("");
  });
});

describe("a folded search text", () => {
  it("has the required words without the legal form", () => {
    expect(foldQuery("髙島 屋 株式会社")).toEqual({ whole: "高島屋", words: ["高島", "屋"], code: "高島屋株式会社" });
    expect(foldQuery("Sakura  Foods Co., Ltd.").words).toEqual(["sakura", "foods"]);
    expect(foldQuery(" ").words).toEqual([]);
  });

  // github.com/pandas-dev/pandas/issues/4932: a number of a table comes back with a decimal
  it.each(["7203.0", "700.0", " 2330.00 ", "600519.0", "0107012345678.0", "１３０１．０"])(
    "of the code %s omits the decimal",
    (code) => {
      expect(foldCode(code)).toBe(foldCode(code.normalize("NFKC").replace(/\.0+/, "")));
    },
  );

  it("has its letters and digits in the form of codes", () => {
    expect(foldQuery("0107-01-012345").code).toBe(foldCode("０１０７０１０１２３４５"));
  });
});
