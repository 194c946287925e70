import { describe, expect, it } from "@jest/globals";
import { pickOnly } from "../../src/taskpane/build/read-companies";

const toRow = (companyId: string, facts: Record<string, string>) => ({ companyId, ...facts });

const SAKURA = toRow("sakura", {
  companyFormalName: "株式会社さくら食品",
  companyEnglishName: "Sakura Foods Co., Ltd.",
});
const BAKERY = toRow("bakery", { companyEnglishName: "Sakura Foods Bakery K.K." });
const LISTED = toRow("listed", { companyEnglishName: "Sakura Foods Inc.", tickerSymbol: "4952" });
const TOKYO = toRow("tokyo", { companyEnglishName: "Aoba Inc.", tickerSymbol: "7203", exchangeCode: "TSE" });

const pick = (text: string, ...rows: Record<string, string>[]) => pickOnly(rows, text)?.companyId ?? null;

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

  it("is the namesake that is spelt so", () => {
    expect(pick("Sakura Foods Inc.", LISTED, SAKURA)).toBe("listed");
  });
});
