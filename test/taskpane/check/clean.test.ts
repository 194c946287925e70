import { describe, expect, it } from "@jest/globals";
import { checkModel } from "../../../src/taskpane/check/check";
import { readClean, readTwoFaults, type Written } from "./written";

/** The findings of a workbook, and how many of its formulas could not be read. */
function check({ book }: Written) {
  const { findings, unchecked } = checkModel(book.toInput());
  const found = findings.map(({ rule, place }) => `${rule} ${place.sheet}!${place.address}`);
  return { found, unchecked };
}

describe("a workbook without a fault", () => {
  it.each(readClean().map((written) => [written.name, written] as const))("raises no alarm: %s", (_, written) => {
    expect(check(written)).toEqual({ found: [], unchecked: 0 });
  });
});

describe("a workbook with two faults", () => {
  it.each(readTwoFaults().map((written) => [written.name, written] as const))(
    "has both of them found, and nothing else: %s",
    (_, { book, seeds }) => {
      const { findings } = checkModel(book.toInput());
      const found = findings.map(({ rule, place: { sheet, address } }) => {
        return (
          seeds.find((seed) => seed.rule === rule && seed.sheet === sheet && seed.cells.includes(address)) ?? address
        );
      });
      expect(new Set(found)).toEqual(new Set(seeds));
    },
  );
});
