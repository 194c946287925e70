import { describe, expect, it } from "@jest/globals";
import { checkModel } from "../../../src/taskpane/check/check";
import { conversion, lambdas, namesAndTables, untidy } from "./clean-mechanics";
import { comparables, latestTwelveMonths, rankings, threeStatements } from "./clean-models";
import type { Written } from "./written-rows";

const CLEAN = [comparables, threeStatements, latestTwelveMonths, rankings, namesAndTables, lambdas, conversion, untidy];

/** The findings of a workbook, and how many of its formulas could not be read. */
function check({ book }: Written) {
  const { findings, unchecked } = checkModel(book.toInput());
  const found = findings.map(({ rule, place }) => `${rule} ${place.sheet}!${place.address}`);
  return { found, unchecked };
}

describe("a workbook without a fault", () => {
  it.each(CLEAN.map((write) => write()).map((written) => [written.name, written] as const))(
    "raises no alarm: %s",
    (_, written) => {
      expect(check(written)).toEqual({ found: [], unchecked: 0 });
    },
  );
});
