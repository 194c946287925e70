import { describe, expect, it } from "@jest/globals";
import { learnSeparators, separate } from "../../src/feed/formula-separators";
import CASES from "./formula-separators.json";

describe("a formula as a person's Excel shows it", () => {
  it.each(CASES.shown as [string, string][])("%s is %s with semicolons and decimal commas", (formula, shown) => {
    expect(separate(formula, ";,\\")).toBe(shown);
    for (const separators of [",.,", "", ";", ";,", ";,\\x"]) expect(separate(formula, separators)).toBe(formula);
  });
});

describe("the separators", () => {
  it.each(CASES.learnt as [string, string, string, string, string | null][])(
    "are learnt from a cell: %s",
    (_, english, local, decimal, learnt) => {
      expect(learnSeparators(english, local, decimal)).toBe(learnt);
    },
  );
});
