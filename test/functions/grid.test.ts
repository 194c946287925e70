import { describe, expect, it } from "@jest/globals";
import { overlay, trim } from "../../src/functions/grid";
import rows from "./grid.json";

type Ranges = Record<string, unknown[][]>;

describe("overlaid ranges", () => {
  it.each<unknown[]>(rows.overlaid)("%s", (_what, ranges, table) => {
    expect(overlay(ranges as Ranges)).toEqual(table);
  });

  it("are refused with their sizes if they do not fit", () => {
    expect(() => overlay({ company: [["A"], ["B"]], year: [[1], [2], [3]] })).toThrow(
      /in rows: company 2, year 3; give ranges of the same number of rows, or of one row$/,
    );
    expect(() => overlay({ company: [["A", "B"]], year: [[1, 2, 3]] })).toThrow(
      /in columns: company 2, year 3; .* of one column$/,
    );
  });
});

describe("ranges with trailing blanks", () => {
  const cut = (named: Ranges) => trim(named, (value) => value === null);

  it.each<unknown[]>(rows.trimmed)("%s", (_what, ranges, expected) => {
    expect(cut(ranges as Ranges)).toEqual(expected);
  });

  it("are refused with their original sizes if they do not fit", () => {
    const ranges = { company: [["A"], ["B"], [null]], year: [[1], [2]] };
    expect(() => cut(ranges)).toThrow(/in rows: company 3, year 2; give/);
  });
});
