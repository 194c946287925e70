import type { Browser } from "playwright-core";

/** What a benchmark row can use. */
export interface Bench {
  browser: Browser;
  /** Runs per contender; the medians are compared. */
  rounds: number;
  /** Reports progress. */
  print(line: string): void;
}

/** Samples of contenders that alternated in one run. */
export interface Finding {
  /** The measurement and its condition, e.g. "until every cell has its value, 20 ms latency". */
  what: string;
  unit:
    | "ms"
    | "requests"
    | "results"
    | "bytes"
    | "KB"
    | "MB"
    | "MB/s"
    | "requests/s"
    | "cells"
    | "cells/s"
    | "companies"
    | "cores"
    | "instances"
    | "%";
  /** Samples by contender: "FEED" is the built add-in, "floor" the minimum that any add-in needs. */
  samples: Readonly<Record<string, readonly number[]>>;
  /** The goal; the table shows its text. */
  goal?: { text: string; isReached: boolean };
}

/** A part of the benchmark, selected by `--only`. */
export interface Row {
  name: string;
  title: string;
  /** Whether it runs only if `--only` names it. */
  isLong?: boolean;
  measure(bench: Bench): Promise<Finding[]>;
}
