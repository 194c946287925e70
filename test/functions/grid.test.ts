import { describe, expect, it } from "@jest/globals";
import { overlay, trim } from "../../src/functions/grid";

describe("overlaid ranges", () => {
  it("make a table of a column and a row", () => {
    expect(overlay({ company: [["A"], ["B"]], year: [[1, 2]], metric: [["m"]] })).toEqual([
      [
        { company: "A", year: 1, metric: "m" },
        { company: "A", year: 2, metric: "m" },
      ],
      [
        { company: "B", year: 1, metric: "m" },
        { company: "B", year: 2, metric: "m" },
      ],
    ]);
  });

  it("pair cell by cell if they have the same shape", () => {
    expect(overlay({ company: [["A"], ["B"]], year: [[1], [2]] })).toEqual([
      [{ company: "A", year: 1 }],
      [{ company: "B", year: 2 }],
    ]);
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
  const isBlank = (value: unknown) => value === null;
  const cut = <T extends Record<string, unknown[][]>>(named: T) => trim(named, isBlank);

  it("lose trailing blank rows and columns, but none in between", () => {
    const company = [
      ["A", null, null],
      [null, null, null],
      ["B", "C", null],
      [null, null, null],
    ];
    expect(cut({ company, metric: [["m"]] })).toEqual({
      company: [
        ["A", null],
        [null, null],
        ["B", "C"],
      ],
      metric: [["m"]],
    });
  });

  it("of the same size are cut to the longest, and still fit together", () => {
    const ranges = { company: [["A"], ["B"], [null], [null]], year: [[1], [2], [3], [null]], metric: [["m"]] };
    expect(cut(ranges)).toEqual({ company: [["A"], ["B"], [null]], year: [[1], [2], [3]], metric: [["m"]] });
    const rows = { company: [["A"]], year: [[1, null, null]], metric: [["m", "n", null]] };
    expect(cut(rows)).toEqual({ company: [["A"]], year: [[1, null]], metric: [["m", "n"]] });
  });

  it("keep at least one row and one column", () => {
    expect(
      cut({
        company: [
          [null, null],
          [null, null],
        ],
        metric: [["m"]],
      }),
    ).toEqual({
      company: [[null]],
      metric: [["m"]],
    });
  });

  it("are refused with their original sizes if they do not fit", () => {
    const ranges = { company: [["A"], ["B"], [null]], year: [[1], [2]] };
    expect(() => cut(ranges)).toThrow(/in rows: company 3, year 2; give/);
  });
});
