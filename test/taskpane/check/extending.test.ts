import { describe, expect, it } from "@jest/globals";
import { toKey } from "../../../src/taskpane/check/cell-keys";
import { extendReference } from "../../../src/taskpane/check/extending";

const B = 1;

describe("a range that reaches to a further cell", () => {
  it.each([
    ["at its end", "=SUM(B2:B8)", "B2:B8", 8, "=SUM(B2:B9)"],
    ["at its beginning", "=SUM(B$3:$B8)", "B$3:$B8", 1, "=SUM(B$2:$B8)"],
    ["on another sheet", "=SUM('Data 1'!B2:B8)", "'Data 1'!B2:B8", 8, "=SUM('Data 1'!B2:B9)"],
    ["named twice", "=SUM(B2:B8)/COUNT(B2:B8)", "B2:B8", 8, null],
    ["written from its end", "=SUM(B8:B2)", "B8:B2", 8, null],
    ["written from its right", "=SUM(H2:B2)", "H2:B2", 1, null],
    ["of a whole column", "=SUM(B:B)", "B:B", 8, null],
  ])("%s", (_, formula, range, row, extended) => {
    expect(extendReference(formula, range, toKey(0, row, B))).toBe(extended);
  });
});
