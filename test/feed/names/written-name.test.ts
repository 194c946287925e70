import { describe, expect, it } from "@jest/globals";
import type { NameRow } from "../../../src/feed/names/rows";
import { createNameIndex } from "../../../src/feed/names/search";
import { listIds, toRow } from "./index-rows";

const SAKURA = toRow("sakura", {
  companyFormalName: "株式会社さくら食品",
  companyEnglishName: "Sakura Foods Co., Ltd.",
});
const BAKERY = toRow("bakery", { companyEnglishName: "Sakura Foods Bakery K.K." });
const LISTED = toRow("listed", { companyEnglishName: "Sakura Foods Inc.", tickerSymbol: "4952" });
const TOKYO = toRow("tokyo", { companyEnglishName: "Aoba Inc.", tickerSymbol: "7203", exchangeCode: "TSE" });

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
    const classified = toRow("classified", { companyEnglishName: "Sakura Foods", families: "taxonomy" });
    expect(pick("Sakura Foods", classified, SAKURA)).toBe("sakura");
  });

  it("is none where one of two namesakes has a legal form and the text has none", () => {
    const bare = toRow("bare", { companyEnglishName: "Sakura Foods" });
    expect(pick("Sakura Foods", bare, SAKURA)).toBeNull();
  });
});
