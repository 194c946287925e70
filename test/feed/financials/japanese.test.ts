import { describe, expect, it } from "@jest/globals";
import { METRICS } from "../../../src/contract/constants";
import { JAPANESE_WORDS, toEnglish } from "../../../src/feed/financials/japanese";

describe("Japanese names in arguments", () => {
  it.each([
    ["metric", "売上高", "Revenue"],
    ["metric", " 営業利益 ", "EBIT"],
    ["metric", "CASH_FLOW.営業キャッシュ・フロー", "CASH_FLOW.Operating Cash Flow"],
    ["metric", "営業ｷｬｯｼｭﾌﾛｰ", "Operating Cash Flow"],
    ["metric", "売上高、純利益, EBITDA", "Revenue,Net Income, EBITDA"],
    ["metric", [["売上高", "Revenue", 2020, null]], [["Revenue", "Revenue", 2020, null]]],
    ["metric", "来客数", "来客数"],
    ["basis", "連結", "CONSOLIDATED"],
    ["unit", "百万円", "m"],
    ["unit", 1_000, 1_000],
  ] as const)("%s %p is %p", (kind, written, english) => {
    expect(toEnglish(kind, written)).toEqual(english);
  });

  it("there is one for every metric of the API document but EBITDA, which is written so in Japan", () => {
    const known = new Set<string>(Object.values(JAPANESE_WORDS.metric));
    expect(Object.values(METRICS).flatMap((names) => names.filter((name) => !known.has(name)))).toEqual(["EBITDA"]);
  });
});
