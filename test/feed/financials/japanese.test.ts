import { describe, expect, it } from "@jest/globals";
import { METRICS } from "../../../src/contract/constants";
import { JAPANESE_WORDS, toEnglish } from "../../../src/feed/financials/japanese";
import CASES from "./japanese.json";

describe("Japanese names in arguments", () => {
  it.each(CASES.words as ["metric" | "basis" | "unit", unknown, unknown][])("%s %p is %p", (kind, written, english) => {
    expect(toEnglish(kind, written)).toEqual(english);
  });

  it("there is one for every metric of the API document but EBITDA, which is written so in Japan", () => {
    const known = new Set<string>(Object.values(JAPANESE_WORDS.metric));
    expect(Object.values(METRICS).flatMap((names) => names.filter((name) => !known.has(name)))).toEqual(["EBITDA"]);
  });
});
