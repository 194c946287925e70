import { describe, expect, it } from "@jest/globals";
import * as tables from "../../src/feed/field-tables";
import { IDS, NAMES, PARTS } from "../../src/taskpane/cell-changes";
import { RANK } from "../../src/taskpane/changes/changed-cells";
import { toShownValue } from "../../src/taskpane/changes/shown-values";
import { toTexts } from "../../src/taskpane/texts";

const headers = Object.values(tables)
  .filter(Array.isArray)
  .flat()
  .map((field) => field.header);

describe("the headers that identify changes", () => {
  it.each([...IDS, ...NAMES, ...PARTS, RANK])("%s is a column header of a table", (header) => {
    expect(headers).toContain(header);
  });
});

const show = (value: number) => toShownValue(value, null, toTexts("en-US"), 1900);

describe("a number in the list of changes", () => {
  it.each([
    [47_753_100_000 * 1.1, "52,528,410,000"],
    [0.1 + 0.2, "0.3"],
    [-1234.5, "-1,234.5"],
    [123_456_789.123_456, "123,456,789.123456"],
    [0.000_000_12, "0.00000012"],
    [0, "0"],
  ])("shows %p with no more digits than Excel does: %s", (value, shown) => {
    expect(show(value)).toBe(shown);
  });
});
