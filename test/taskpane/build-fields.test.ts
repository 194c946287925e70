import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { toReference } from "../../src/taskpane/build/argument-values";
import { isGivenCell, toLack } from "../../src/taskpane/build/Builder";
import type { FormulaInfo, Parameter } from "../../src/taskpane/build/catalogue";
import { toCellText } from "../../src/taskpane/build/PreviewPanel";
import { isSound, readWritten, toWritten, type WritingKind } from "../../src/taskpane/build/written";
import { type Given, readFormula } from "../../src/taskpane/formula-text";
import { isCompanyText } from "../../src/taskpane/picker/company-writing";
import { toTexts } from "../../src/taskpane/texts";
import CASES from "./build-fields.json";

describe("a formula", () => {
  it("is not offered if it is longer than a cell allows", () => {
    const companies = { name: "companies", isRequired: true } as Parameter;
    const info = { name: "FINANCIALS", parameters: [companies] } as unknown as FormulaInfo;
    const lack = (value: string) =>
      toLack(info, { name: "FINANCIALS", given: [{ kind: "text", value }] }, toTexts("en").ofBuild);
    expect(lack("x".repeat(8_000))).toBeNull();
    expect(lack("x".repeat(8_200))).toMatch(/^The formula is too long for a cell\./);
  });

  it.each(CASES.costs as [{ isLeast: boolean }, string, string][])(
    "shows its cost, as a minimum or a maximum: %j",
    (bounds, en, ja) => {
      const cost = { requests: 26, now: 26, ...bounds };
      expect(toTexts("en").ofBuild.cost(cost)).toBe(en);
      expect(toTexts("ja").ofBuild.cost(cost)).toContain(ja);
    },
  );
});

describe("the text of a field", () => {
  it.each(CASES.written as [string, WritingKind, Given][])("%j as %s reads as this argument", (written, kind, given) =>
    expect(readWritten(written, kind)).toEqual(given),
  );

  it("is restored from any argument of a formula", () => {
    const given: fc.Arbitrary<Given> = fc.oneof(
      fc.string().map((value) => ({ kind: "text" as const, value })),
      fc.integer().map((value) => ({ kind: "number" as const, value })),
      fc.boolean().map((value) => ({ kind: "flag" as const, value })),
      fc.constantFrom("A1", "B2:C3").map((text) => ({ kind: "cells" as const, text })),
      fc.constantFrom("A1#", '{"a","b"}').map((text) => ({ kind: "expression" as const, text })),
    );
    fc.assert(
      fc.property(given, fc.constantFrom<WritingKind>("number", "flag", "text"), (each, kind) =>
        expect(readWritten(toWritten(each, kind), kind)).toEqual(each),
      ),
    );
  });

  it.each(["=SUM(A1", '="a', "=1,2", "=A1)+(B1", "={1"])("does not break the formula as %s would", (written) =>
    expect(isSound(readWritten(written, "text"))).toBe(false),
  );

  it("is a company if it is an id or a registration number, not a ticker or a name", () => {
    const texts = ["3d1ce6e7-7fd1-463c-ab13-8646d111213d", "5010401012345", "201912345K", "7203", "Sakura", "7-Eleven"];
    expect(texts.map(isCompanyText)).toEqual([true, true, true, false, false, false]);
  });
});

describe("a cell that a formula refers to", () => {
  const isGiven = (formula: string, sheet: string, address: string) => {
    const reading = readFormula(formula);
    return reading.kind === "call" && isGivenCell(reading.call, { sheet, address });
  };

  it.each(CASES.references as [string, string, string, boolean][])(
    "is found in %s on %s at %s: %s",
    (formula, sheet, address, is) => expect(isGiven(formula, sheet, address)).toBe(is),
  );

  it("is read on the formula's sheet, without dollar signs", () => {
    expect(toReference("$A$1:B2", "Sales 2024")).toBe("'Sales 2024'!A1:B2");
    expect(toReference("'a$b'!$A1", "Model")).toBe("'a$b'!A1");
    expect(toReference("$A$1", "Q1")).toBe("'Q1'!A1");
  });
});

describe("a cell of the preview", () => {
  const formatted = (basicValue: number, numberFormat: string) => ({
    type: "FormattedNumber",
    basicValue,
    numberFormat,
  });

  it.each<[string, unknown, string, boolean]>([
    ["a text", "=1+1", "=1+1", false],
    ["a number", 0.1 + 0.2, "0.3", true],
    ["a flag", true, "TRUE", false],
    ["an error", { code: "#N/A", message: "FEED_NO_VALUE: nothing" }, "#N/A", false],
    ["a day", formatted(45_292, "yyyy-mm-dd"), "2024-01-01", true],
    ["a moment", formatted(45_292.5, "yyyy-mm-dd hh:mm"), "2024-01-01 12:00", true],
    ["a number with properties", { type: "Double", basicType: "Double", basicValue: 5 }, "5", true],
  ])("shows %s as the sheet does", (_what, value, text, isNumber) =>
    expect(toCellText(value, 1900)).toMatchObject({ text, isNumber }),
  );

  it("counts days by the workbook's date system", () => {
    expect(toCellText(formatted(43_830, "yyyy-mm-dd"), 1904).text).toBe("2024-01-01");
  });
});
