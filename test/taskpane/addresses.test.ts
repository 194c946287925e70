import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readArea, readFormulaPlace, readPlace, showPlace, toAddress, toLetters } from "../../src/taskpane/addresses";
import { toSheetName } from "../../src/taskpane/workbook/sheet-names";

describe("a place", () => {
  it.each([
    ["B3", { sheet: "", address: "B3" }],
    ["Sheet1!$B$3:$D$9", { sheet: "Sheet1", address: "B3:D9" }],
    ["'It''s!'!B3", { sheet: "It's!", address: "B3" }],
    ["'Sales $ 2024'!B3", { sheet: "Sales $ 2024", address: "B3" }],
  ])("is read from %s", (reference, place) => expect(readPlace(reference)).toEqual(place));

  it.each([
    ["Sheet1", "Sheet1!B3"],
    ["売上", "売上!B3"],
    ["Sales 2024", "'Sales 2024'!B3"],
    ["It's", "'It''s'!B3"],
    ["Q1", "'Q1'!B3"],
  ])("on the sheet %s is written as %s, which reads back the same", (sheet, reference) => {
    expect(showPlace({ sheet, address: "B3" })).toBe(reference);
    expect(readPlace(reference)).toEqual({ sheet, address: "B3" });
  });
});

describe("the place of a formula", () => {
  it.each([
    ["Sheet1!B3", { sheet: "Sheet1", address: "B3" }],
    ["Sheet1!$B$3", { sheet: "Sheet1", address: "B3" }],
    ["'Sales 2024'!B3", { sheet: "Sales 2024", address: "B3" }],
    ["'It''s!'!B3", { sheet: "It's!", address: "B3" }],
    ["'[Book 1.xlsx]売上'!C7", { sheet: "売上", address: "C7" }],
    ["[Book1]Sheet1!C7", { sheet: "Sheet1", address: "C7" }],
    ["B3", null],
    ["", null],
    [null, null],
  ])("is read from %p", (address, place) => {
    expect(readFormulaPlace(address)).toEqual(place);
  });
});

describe("an area", () => {
  it.each([
    ["B3", "B3"],
    ["B3:D9", "B3:D9"],
    ["D3:B9", "B3:D9"],
    ["ZZ9:AA1", "AA1:ZZ9"],
    ["B:C", "B1:C1048576"],
    ["3:9", "A3:XFD9"],
  ])("is read from %s as %s", (address, whole) => expect(toAddress(readArea(address))).toBe(whole));
});

describe("a column", () => {
  it("has letters, beyond Z too", () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(toLetters)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
  });
});

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
