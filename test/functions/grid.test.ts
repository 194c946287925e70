import { describe, expect, it } from "@jest/globals";
import { overlay } from "../../src/functions/grid";

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

  it("go side by side where they are of one shape", () => {
    expect(overlay({ company: [["A"], ["B"]], year: [[1], [2]] })).toEqual([
      [{ company: "A", year: 1 }],
      [{ company: "B", year: 2 }],
    ]);
  });

  it("are refused with their sizes where they do not fit", () => {
    expect(() => overlay({ company: [["A"], ["B"]], year: [[1], [2], [3]] })).toThrow(/rows of company 2, year 3/);
    expect(() => overlay({ company: [["A", "B"]], year: [[1, 2, 3]] })).toThrow(/columns of company 2, year 3/);
  });
});
