import type { Call } from "../../session/calls";

const RELATIVE = /^FY\s?(0|-\d{1,2})$/i;
const SPAN = /^FY\s?(0|-\d{1,2})\s*:\s*FY\s?(0|-\d{1,2})$/i;

/**
 * Reads how many years back a cell of a formula looks, such as -1 for "FY-1".
 *
 * @param row of the formula's table, from 0
 * @param column likewise
 * @returns null where the formula names a year, or where the cell's own year is not sure
 */
export function readYearsBack({ name, given, shown }: Call, row: number, column: number): number | null {
  const years = [given.year].flat(2);
  const [first] = years;
  const width = Array.isArray(shown) ? (shown[0]?.length ?? 1) : 1;
  if (name !== "FINANCIAL" || typeof first !== "string") return null;
  const span = SPAN.exec(first.trim());
  if (years.length === 1 && span !== null) {
    const [from, to] = [Number(span[1]), Number(span[2])];
    return to - from + 1 === width ? from + column : null;
  }
  const own = years.length === 1 ? first : pickOwn(given.year, row, column);
  const offset = typeof own === "string" ? RELATIVE.exec(own.trim())?.[1] : undefined;
  return offset === undefined ? null : Number(offset) + 0;
}

/** The year of a cell where years are a row or a column. */
function pickOwn(given: unknown, row: number, column: number): unknown {
  if (!Array.isArray(given)) return null;
  const rows = given as readonly (readonly unknown[])[];
  return rows.length === 1 ? rows[0]?.[column] : rows[row]?.[0];
}
