import type { Fault } from "../fault";

export const ROWS: readonly Fault[] = [];
