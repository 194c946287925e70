import { expect } from "@jest/globals";
import { run } from "./run";
import type { Mode } from "./site";
import { createTally } from "./tally";

const SEED = 2_273;

/** One round of lists and four of figures, then one of lists with faults. */
export const ALL_ROUNDS = [0, 1, 3, 5, 7, 4];
export const LONGEST_MS = 180_000;

/** Expects rounds of a mode to show the provider's data or an error, and never anything else. */
export async function expectRight(mode: Mode, rounds: readonly number[]): Promise<void> {
  const complaints: string[] = [];
  const tally = createTally((line) => void complaints.push(line));
  const small = { rows: 0, figures: 0, endMs: Number.POSITIVE_INFINITY, print: () => {} };
  await run({ ...small, rounds, seed: SEED, modes: [mode], tally });
  expect(complaints).toEqual([]);
  expect(tally.missing()).toBe(0);
  const units = ["rows", "figures", "totals"] as const;
  expect(Math.min(...units.map((unit) => tally.shown(mode, unit)))).toBeGreaterThan(0);
}
