import { describe, expect, it } from "@jest/globals";
import { findClosest } from "../../src/client/closest";

describe("the closest names", () => {
  it.each<[why: string, written: string, names: string[], share: number | undefined, found: string[]]>([
    ["are those with the fewest edits", "Revenu", ["Revenue", "Revenues", "EBIT"], undefined, ["Revenue"]],
    ["count no letter case", "REVENU", ["Revenue"], undefined, ["Revenue"]],
    ["are all of the same distance, in their order", "EBITA", ["EBIT", "EBITDA", "Tax"], undefined, ["EBIT", "EBITDA"]],
    ["are three at most", "x1", ["x2", "x3", "x4", "x5"], 1, ["x2", "x3", "x4"]],
    ["are none beyond a share of their letters", "Sales", ["Revenue"], undefined, []],
    ["may be far where any share counts", "Sales", ["Revenue"], Number.POSITIVE_INFINITY, ["Revenue"]],
    ["are none among none", "Sales", [], Number.POSITIVE_INFINITY, []],
  ])("%s", (_, written, names, share, found) => expect(findClosest(written, names, share)).toEqual(found));
});
