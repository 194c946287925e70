import type { Browser } from "playwright-core";

/** What a row of the benchmark has at hand. */
export interface Bench {
  browser: Browser;
  /** How often each contender runs; their middle values are compared. */
  rounds: number;
  /** Says how far it has come. */
  print(line: string): void;
}

/** Figures of contenders that took turns in one run. */
export interface Finding {
  /** What was measured and under what condition, e.g. "until every cell has its value, 20 ms latency". */
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
  /** All samples by the name of who gave them: "FEED" is the built add-in, "floor" the least that anybody could do. */
  samples: Readonly<Record<string, readonly number[]>>;
  /** What is to be reached; its text stands in the table. */
  goal?: { text: string; isReached: boolean };
}

/** A part of the benchmark; `--only` knows it by its name. */
export interface Row {
  name: string;
  title: string;
  /** Whether it runs only where `--only` names it. */
  isLong?: boolean;
  measure(bench: Bench): Promise<Finding[]>;
}
