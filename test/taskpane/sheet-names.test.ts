import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { toSheetName } from "../../src/taskpane/workbook/sheet-names";

describe("the name of a sheet", () => {
  it.each([
    ["Ranking", ["Model"], "Ranking"],
    ["Ranking", ["ranking"], "Ranking (2)"],
    ["a/b: [c]*?", [], "a b   c"],
    ["'quoted'", [], "quoted"],
    [`${"x".repeat(30)}'s Co`, [], "x".repeat(30)],
    [`${"x".repeat(26)}'s Co`, ["x".repeat(26)], `${"x".repeat(26)}'s Co`],
    ["???", [], "FEED"],
    ["History", [], "History (2)"],
  ])("for %j beside %j is %j", (wanted, taken, name) => {
    expect(toSheetName(wanted, taken)).toBe(name);
  });

  it("is always one that Excel accepts", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: "binary" }), fc.integer({ min: 1, max: 20 }), (wanted, count) => {
        const taken: string[] = [];
        for (let each = 0; each < count; each += 1) taken.push(toSheetName(wanted, taken));
        expect(new Set(taken.map((name) => name.toLowerCase())).size).toBe(count);
        for (const name of taken) expect(name).toMatch(/^(?!')[^\\/?*[\]:\p{Cc}]{1,31}(?<!')$/u);
      }),
    );
  });
});
