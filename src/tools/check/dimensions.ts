import type { CellKey } from "./cell-keys";
import type { Figure } from "./input";

/** What figures must share before they are added or compared. */
export const DIMENSIONS = ["currency", "unit", "consolidation", "yearEnd", "latestYear", "age"] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** The first cell with a value in a dimension, and how many there are. */
interface Sample {
  readonly value: string;
  readonly key: CellKey;
  readonly count: number;
}

/** What cells have in a dimension, each value once: a list, since there are few values and very many spreads. */
export type Spread = readonly Sample[];

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
      return figure.divisor === null ? null : String(figure.divisor);
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
  if (spread.length < 2) return null;
  const sorted = [...spread].sort((one, other) => other.count - one.count);
  for (const [index, usual] of sorted.entries()) {
    const odd = sorted.slice(index + 1).find(({ value }) => isApart(dimension, usual.value, value));
    if (odd !== undefined) return { usual: usual.key, odd: odd.key, value: odd.value };
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
  const [first = [], ...others] = spreads;
  if (others.length === 0) return first;
  const joined: { value: string; key: CellKey; count: number }[] = first.map((sample) => ({ ...sample }));
  for (const spread of others) {
    for (const sample of spread) {
      const known = joined.find(({ value }) => value === sample.value);
      if (known === undefined) joined.push({ ...sample });
      else known.count += sample.count;
    }
  }
  return joined;
}
