import type { Row } from "./row";

/** Every part of the benchmark, in the order in which they run. */
export const ROWS: readonly Row[] = [];
