import { describe, expect, it } from "@jest/globals";
import type { Call } from "../../../src/session/calls";
import { readYearsBack } from "../../../src/taskpane/check/years-back";

const toCall = (year: unknown, shown: unknown[][] = [[1]], name = "FINANCIAL") =>
  ({ name, given: { year }, shown }) as unknown as Call;

describe("how many years back a cell looks", () => {
  it.each([
    ["FY0", 0],
    [[["FY-2"]], -2],
    [[["fy 0"]], 0],
    [2024, null],
    ["FY2024", null],
    ["2024-03-31", null],
  ])("%j is %j", (year, back) => {
    expect(readYearsBack(toCall(year), 0, 0)).toBe(back);
  });

  it("is each column's own in a span, a row and a column of years", () => {
    const shown = [[1, 2, 3]];
    expect([0, 1, 2].map((column) => readYearsBack(toCall("FY-2:FY0", shown), 0, column))).toEqual([-2, -1, 0]);
    expect(readYearsBack(toCall([["FY-1", "FY0", 2020]], shown), 0, 1)).toBe(0);
    expect(readYearsBack(toCall([["FY-1", "FY0", 2020]], shown), 0, 2)).toBeNull();
    expect(readYearsBack(toCall([["FY-1"], ["FY0"]], [[1], [2]]), 1, 0)).toBe(0);
  });

  it("is not known where a table has other columns than years", () => {
    expect(readYearsBack(toCall("FY-2:FY0", [[1, 2]]), 0, 0)).toBeNull();
    expect(readYearsBack(toCall("FY0", [[1, 2]], "FINANCIALS"), 0, 0)).toBeNull();
  });
});
