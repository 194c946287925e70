import { describe, expect, it } from "@jest/globals";
import { type RunOptions, run } from "./run";
import { MODES } from "./site";
import { createTally } from "./tally";

const SEED = 2_273;
/** One round of lists and four of figures, then one of lists with faults. */
const ROUNDS = [0, 1, 3, 5, 7, 4];
const SMALL: Pick<RunOptions, "rows" | "figures" | "late"> = { rows: 0, figures: 0, late: false };
const LONGEST_MS = 180_000;

describe("formulas on a provider that drifts, ties, cuts, omits and fails", () => {
  it.each(MODES)(
    "show its data or an error, and never anything else, in %s mode",
    async (mode) => {
      const complaints: string[] = [];
      const tally = createTally((line) => void complaints.push(line));
      const print = () => {};
      await run({ ...SMALL, rounds: ROUNDS, seed: SEED, modes: [mode], endMs: Number.POSITIVE_INFINITY, tally, print });
      expect(complaints).toEqual([]);
      expect(tally.missing()).toBe(0);
      expect(Math.min(tally.shown(mode, "rows"), tally.shown(mode, "figures"))).toBeGreaterThan(0);
    },
    LONGEST_MS,
  );
});
