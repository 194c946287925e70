import { describe, it } from "@jest/globals";
import { expectRight, LONGEST_MS } from "./small-run";

describe("formulas on a provider that drifts, ties, cuts and omits", () => {
  it("show its data or an error, and never anything else", () => expectRight("sign", [0, 1]), LONGEST_MS);
});
