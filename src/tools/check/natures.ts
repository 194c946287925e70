import type { Figure } from "./finding";
import { type CellKey, toMetricKey } from "./model";

/** What a value is, as far as its formula tells. */
export interface Nature {
  /** A sum of money of the provider, another number, or nothing that is known. */
  kind: "amount" | "plain" | "unknown";
  /** A number that is written in the formula or typed in the cell. */
  literal: number | null;
  /** The metric of its figures; null where they have several, or there are none. */
  metric: string | null;
  /** What its figures have in each dimension; a dimension that a calculation has changed is absent. */
  spreads: Readonly<Partial<Record<Dimension, Spread>>>;
  /** Dimensions in which its figures differ already: a further formula is not to blame. */
  mixed: ReadonlySet<Dimension>;
}

const NONE: ReadonlySet<Dimension> = new Set();

export const UNKNOWN: Nature = { kind: "unknown", literal: null, metric: null, spreads: {}, mixed: NONE };
export const PLAIN: Nature = { ...UNKNOWN, kind: "plain" };

export const toLiteral = (literal: number): Nature => ({ ...PLAIN, literal });

/** The nature of a figure in a cell. */
export function toNature(key: CellKey, figure: Figure): Nature {
  const spreads: Partial<Record<Dimension, Spread>> = {};
  for (const dimension of DIMENSIONS) {
    const value = readDimension(dimension, figure);
    spreads[dimension] = value === null ? [] : [{ value, key, count: 1 }];
  }
  return { kind: "amount", literal: null, metric: toMetricKey(figure), spreads, mixed: NONE };
}

/** Joins values that are added, compared, or stand for one another. */
export function join(natures: readonly Nature[]): Nature {
  const amounts = natures.filter(({ kind }) => kind === "amount");
  if (amounts.length === 0) return natures.some(({ kind }) => kind === "plain") ? PLAIN : UNKNOWN;
  if (amounts.length === 1) return { ...(amounts[0] as Nature), literal: null };
  const spreads: Partial<Record<Dimension, Spread>> = {};
  for (const dimension of DIMENSIONS) {
    const own = amounts.map((amount) => amount.spreads[dimension]);
    if (own.every((spread) => spread !== undefined)) spreads[dimension] = joinSpreads(own);
  }
  const mixed = new Set(amounts.flatMap((amount) => [...amount.mixed]));
  for (const dimension of DIMENSIONS) {
    if (findContrast(dimension, spreads[dimension] ?? []) !== null) mixed.add(dimension);
  }
  const [metric = null, ...others] = new Set(amounts.map((amount) => amount.metric));
  return { kind: "amount", literal: null, metric: others.length === 0 ? metric : null, spreads, mixed };
}

/** Leaves out the dimensions that differ between alternatives: a formula may have chosen for a reason. */
export function joinAlternatives(natures: readonly Nature[]): Nature {
  if (natures.some(({ kind }) => kind === "unknown")) return UNKNOWN;
  const joined = join(natures);
  const spreads = Object.fromEntries(
    Object.entries(joined.spreads).filter(
      ([dimension, spread]) =>
        !joined.mixed.has(dimension as Dimension) && findContrast(dimension as Dimension, spread) === null,
    ),
  );
  return { ...joined, spreads, mixed: NONE };
}

/** A number that only changes the unit: a power of ten from a thousand on. */
const isScale = (number: number) =>
  number > 0 && Number.isInteger(Math.round(Math.log10(number) * 1e9) / 1e9) && Math.abs(Math.log10(number)) >= 3;

/** Multiplies an amount by a number: a power of ten changes its unit, any other number may be an exchange rate. */
export function scale(amount: Nature, factor: Nature, isDivided: boolean): Nature {
  const { literal } = factor;
  const { currency, unit, ...others } = amount.spreads;
  if (literal === 1) return amount;
  if (literal === null || !isScale(literal) || unit === undefined || currency === undefined) {
    return { ...amount, literal: null, spreads: others };
  }
  const divisor = isDivided ? literal : 1 / literal;
  const toScaled = (value: string) => String(Number((Number(value) * divisor).toPrecision(12)));
  const scaled = unit.map((sample) => ({ ...sample, value: toScaled(sample.value) }));
  return { ...amount, literal: null, spreads: { ...others, currency, unit: scaled } };
}

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
