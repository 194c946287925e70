import type { CellKey } from "./cell-keys";
import type { Figure } from "./input";

/** What figures must share before they are added or compared. */
export const DIMENSIONS = ["currency", "unit", "consolidation", "yearEnd", "latestYear", "age"] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** Cells by what they have in a dimension: the first cell of each value, and how many there are. */
export type Spread = ReadonlyMap<string, { readonly key: CellKey; readonly count: number }>;

/** Two cells that differ, the one with the rarer value last. */
export interface Contrast {
  usual: CellKey;
  odd: CellKey;
  /** Value of the odd one. */
  value: string;
}

/** Gives a figure's value in a dimension; null where it has none. */
export function readDimension(dimension: Dimension, figure: Figure): string | null {
  switch (dimension) {
    case "currency":
      return figure.currency;
    case "unit":
      return String(figure.divisor);
    case "consolidation":
      return figure.consolidation;
    case "yearEnd":
      return figure.periodEnd === null || figure.period !== null ? null : `${figure.year} ${figure.periodEnd}`;
    case "latestYear":
      return figure.yearsBack === null ? null : `${figure.yearsBack} ${figure.year}`;
    case "age":
      return figure.isStale ? "stale" : "fresh";
  }
}

const DAY_MS = 86_400_000;

/** Three months, and a day for their different lengths. */
const THREE_MONTHS_DAYS = 93;

/** Finds two values that must not stand together; null where there are none. */
export function findContrast(dimension: Dimension, spread: Spread): Contrast | null {
  if (spread.size < 2) return null;
  const sorted = [...spread].sort(([, one], [, other]) => other.count - one.count);
  for (const [index, [value, usual]] of sorted.entries()) {
    const odd = sorted.slice(index + 1).find(([other]) => isApart(dimension, value, other));
    if (odd !== undefined) return { usual: usual.key, odd: odd[1].key, value: odd[0] };
  }
  return null;
}

/** Whether two different values of a dimension must not stand together. */
export function isApart(dimension: Dimension, one: string, other: string): boolean {
  if (one === other) return false;
  const [[group, value = ""], [otherGroup, otherValue = ""]] = [one.split(" "), other.split(" ")];
  if (dimension === "latestYear") return group === otherGroup;
  if (dimension !== "yearEnd") return true;
  const days = Math.abs(Date.parse(value) - Date.parse(otherValue)) / DAY_MS;
  return group === otherGroup && days > THREE_MONTHS_DAYS;
}

/** Joins what cells have in a dimension. */
export function joinSpreads(spreads: readonly Spread[]): Spread {
  const filled = spreads.filter(({ size }) => size > 0);
  if (filled.length <= 1) return filled[0] ?? new Map();
  const joined = new Map(filled[0]);
  for (const spread of filled.slice(1)) {
    for (const [value, { key, count }] of spread) {
      const known = joined.get(value);
      joined.set(value, { key: known?.key ?? key, count: (known?.count ?? 0) + count });
    }
  }
  return joined;
}
