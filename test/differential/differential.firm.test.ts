import { describe, it } from "@jest/globals";
import { ALL_ROUNDS, expectRight, LONGEST_MS } from "./small-run";

describe("formulas of a firm on a provider that drifts, ties, cuts, omits and fails", () => {
  it("show its data or an error, and never anything else", () => expectRight("firm", ALL_ROUNDS), LONGEST_MS);
});
