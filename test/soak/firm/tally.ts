import type { FillResult } from "../../firm/analyst";

/** What readers have seen so far; single waits are held for a minute only. */
export type Tally = ReturnType<typeof createTally>;

export const createTally = () => ({
  /** Cells and rows of lists that were shown at last. */
  ...{ cells: 0, rows: 0, signIns: 0 },
  /** Pairings that ended, and were refused by every instance from then on. */
  ended: 0,
  /** Cells that failed at first, by code; each was read again. */
  failures: {} as Record<string, number>,
  /** What must never be; the run has gone wrong. */
  complaints: [] as string[],
  /** The waits of the current minute's cells, in milliseconds. */
  waitsMs: [] as number[],
});

/** Adds the results of cells. @returns whether none has failed */
export function addCells(tally: Tally, who: string, { waitsMs, failed, wrong }: FillResult): boolean {
  for (const waitMs of waitsMs) tally.waitsMs.push(waitMs);
  for (const code of failed) addFailure(tally, code);
  if (wrong > 0) tally.complaints.push(`${wrong} wrong cells of ${who}`);
  if (failed.length === 0) tally.cells += waitsMs.length;
  return failed.length === 0;
}

export function addFailure(tally: Tally, code: string): void {
  tally.failures[code] = (tally.failures[code] ?? 0) + 1;
}
