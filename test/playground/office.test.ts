import { describe, expect, it } from "@jest/globals";
import { createOffice } from "../../src/playground/office";

describe("the playground's Office", () => {
  it.each([
    ["ExcelApi", "1.1", true],
    ["ExcelApi", "1.9", true],
    ["ExcelApi", "1.16", true],
    ["ExcelApi", "1.17", false],
    ["ExcelApi", "1.19", false],
    ["ExcelApi", "2.1", false],
    ["ExcelApi", undefined, true],
    ["SharedRuntime", "1.1", false],
  ])("says of %s %s: %p", (name, version, isSupported) => {
    expect(createOffice().context.requirements.isSetSupported(name, version)).toBe(isSupported);
  });
});
