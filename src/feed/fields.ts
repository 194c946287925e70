import type { Row } from "./decode";

/** A field of a resource as a table shows it. */
export interface Field {
  /** The API's name, nested by dots. */
  readonly name: string;
  /** The name made readable, for the header row. */
  readonly header: string;
  /** Whether its values are numbers, where there are any. */
  readonly isNumber?: true;
}

/** Fields of a company in the ranking (§2.6), with its position in the provider's order first. */
export const RANKING_FIELDS: readonly Field[] = [
  { name: "rank", header: "Rank", isNumber: true },
  { name: "companyName", header: "Company" },
  { name: "tickerSymbol", header: "Ticker" },
  { name: "headquarters", header: "Headquarters" },
  { name: "totalPageViews", header: "Page views", isNumber: true },
  { name: "totalUniquePageViews", header: "Unique page views", isNumber: true },
  { name: "engagementTime.avg", header: "Engagement avg (min)", isNumber: true },
  { name: "engagementTime.min", header: "Engagement min (min)", isNumber: true },
  { name: "engagementTime.max", header: "Engagement max (min)", isNumber: true },
];

/** Text as field names are compared: without letter case, spaces and underscores. */
const toFieldKey = (name: string): string => name.toLowerCase().replace(/[\s_]+/g, "");

/**
 * Finds the field that a name means: one of the table, or one that the answer has though no table knows it.
 *
 * @returns the field, or the closest known name when there is none
 */
export function findField(name: string, known: readonly Field[], rows: readonly Row[]): Field | { closest: string } {
  const key = toFieldKey(name);
  const field = known.find((each) => toFieldKey(each.name) === key || toFieldKey(each.header) === key);
  if (field !== undefined) return field;
  if (rows.some((row) => pickField(row, name) !== undefined)) return { name, header: name };
  const edits = (each: Field) => Math.min(distance(each.name, name), distance(each.header, name));
  const [closest] = [...known].sort((one, other) => edits(one) - edits(other));
  return { closest: closest?.name ?? "" };
}

/** Picks a field's value, nested by dots; undefined when the row has none by that name. */
export function pickField(row: Row, name: string): unknown {
  return name.split(".").reduce<unknown>((value, part) => {
    const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, part);
    return isObject ? (value as Row)[part] : undefined;
  }, row);
}

/** Edits between two names (Levenshtein), letter case aside. */
function distance(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
