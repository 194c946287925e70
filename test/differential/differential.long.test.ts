import { describe, it } from "@jest/globals";
import { ALL_ROUNDS, expectRight, LONGEST_MS } from "./small-run";

describe("formulas on a provider that drifts, ties, cuts, omits and fails", () => {
  it.each(["sign", "relay"] as const)(
    "show its data or an error, and never anything else, in %s mode",
    (mode) => expectRight(mode, ALL_ROUNDS),
    LONGEST_MS,
  );
});
