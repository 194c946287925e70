import type { RankedTexts } from "./words";

/** Columns of a table whose changes a sentence tells. */
export interface MovedColumns {
  /** Ranges of one length: the change, and the name. */
  change: string;
  name: string;
  /** Ranges of the values before and now, with their format. */
  before: string;
  now: string;
  format: string;
  /** Whether the ranges run across; default down. */
  isAcross?: boolean;
  /** An expression for how many are new; absent where it is not told. */
  fresh?: string;
}

/** An expression for the largest change up or down: the name, with its values before and now; empty where there is none. */
function toExtreme(kind: "MAX" | "MIN", columns: MovedColumns): string {
  const { change, name, before, now, format, isAcross = false } = columns;
  const extreme = `${kind}(IF(ISNUMBER(${change}),${change},""))`;
  const place = `MATCH(${extreme},${change},0)`;
  const pick = (range: string) => `INDEX(${range},${isAcross ? `1,${place}` : place})`;
  const show = (range: string) => `TEXT(${pick(range)},"${format}")`;
  const [sign, arrow] = kind === "MAX" ? [">", "▲"] : ["<", "▼"];
  return `IF(${extreme}${sign}0,"   ${arrow} "&${pick(name)}&" "&${show(before)}&" → "&${show(now)},"")`;
}

/**
 * An expression for a line that says what moved: the largest change up and down, and how many are new.
 *
 * @param period an expression for the name of the period
 */
export function toMoved(columns: MovedColumns, period: string, texts: RankedTexts): string {
  const news = columns.fresh === undefined ? [] : [`"   ${texts.news} "&${columns.fresh}`];
  const parts = [`"${texts.moved} "&${period}`, toExtreme("MAX", columns), toExtreme("MIN", columns), ...news];
  return parts.join("&");
}

/** An expression for a period as a person wrote it; a date cell would be shown as its number. */
export const toPeriodText = (cell: string): string => `IF(ISNUMBER(${cell}),TEXT(${cell},"yyyy-mm-dd"),${cell})`;

/** Chooses the first expression whose condition holds. */
export const choose = (cases: readonly (readonly [condition: string, expression: string])[], last: string): string =>
  cases.reduceRight((otherwise, [condition, expression]) => `IF(${condition},${expression},${otherwise})`, last);

/** Green where a number has grown, red where it has fallen. */
export const toChangeRules = (range: string) => {
  const [cell] = range.split(":");
  return [
    { range, formula: `=AND(ISNUMBER(${cell}),${cell}>0)`, style: "up" as const },
    { range, formula: `=AND(ISNUMBER(${cell}),${cell}<0)`, style: "down" as const },
  ];
};

/** Places gained, as arrows. */
export const ARROWS = '"▲"0;"▼"0;"–"';

/** Growth as a share, and the change of a share. */
export const GROWTH = "+0.0%;-0.0%;0.0%";
export const SHARE_CHANGE = "+0.00%;-0.00%;0.00%";
