import type { Browser } from "playwright-core";

export interface Bench {
  browser: Browser;
  /** Runs per contender; the medians are compared. */
  rounds: number;
  print(line: string): void;
}

type Unit = "ms" | "requests" | "results" | "bytes" | "KB" | "MB" | "MB/s" | "requests/s" | "cells" | "%";

/** Samples by contender: "FEED" is the built add-in, "floor" the minimum that any add-in needs. */
type Samples = Readonly<Record<string, readonly number[]>>;

export interface Finding {
  /** The measurement and its condition, e.g. "until every cell has its value, 20 ms latency". */
  what: string;
  unit: Unit;
  samples: Samples;
  /** The goal; the table shows its text. */
  goal?: { text: string; isReached: boolean };
}

/** What a finding should reach, and whether it does. */
export type Goal = readonly [text: string, isReached: boolean];

/** @param samples Those of each contender, or of FEED alone. */
export const toFinding = (what: string, unit: Unit, samples: Samples | readonly number[], goal?: Goal): Finding => ({
  ...{ what, unit, samples: (Array.isArray(samples) ? { FEED: samples } : samples) as Samples },
  ...(goal && { goal: { text: goal[0], isReached: goal[1] } }),
});

/** The goal that no sample exceeds a number. */
export const toMost = (most: number, unit: "ms" | "requests", samples: readonly number[] | undefined): Goal => [
  most === 0 ? "none" : `at most ${most} ${unit}`,
  samples!.every((sample) => sample <= most),
];

export interface Row {
  name: string;
  title: string;
  /** Whether it runs only if `--only` names it. */
  isLong?: boolean;
  measure(bench: Bench): Promise<Finding[]>;
}
