import type { CellValue } from "../../contract/workbook";
import type { Rows } from "./references";

/** What the host handed over as an argument, as a sheet would show it: an error as its code, a typed number as that. */
export function toRows(given: unknown): Rows {
  const rows = Array.isArray(given) ? given : [[given]];
  return rows.map((row: unknown) => (Array.isArray(row) ? row : [row]).map(toCellValue));
}

function toCellValue(cell: unknown): CellValue {
  if (typeof cell !== "object" || cell === null) return (cell as CellValue) ?? null;
  const { basicValue, code } = cell as { basicValue?: CellValue; code?: CellValue };
  return basicValue ?? code ?? null;
}

/** A key that arguments share which may be the same: a blank cell arrives as 0 or as null, one left out as null. */
export function toKey(name: string, given: readonly Rows[]): string {
  const texts = given.map((rows) => rows.map((row) => row.map(toLoose).join("\u0000")).join("\u0001"));
  const last = texts.findLastIndex((text) => text !== "");
  return [name, ...texts.slice(0, last + 1)].join("\u0002");
}

const toLoose = (cell: CellValue) => (isBlank(cell) ? "" : `${typeof cell} ${cell}`);

const isBlank = (cell: CellValue | undefined) => cell === null || cell === undefined || cell === 0 || cell === "";

/**
 * Whether a formula with these arguments may have been handed over as those.
 *
 * @param written as the sheet shows them, null for one that is not known; those left out at the end are missing
 */
export function isFitting(written: readonly (Rows | null)[], given: readonly Rows[]): boolean {
  return (
    written.length <= given.length &&
    given.every((rows, index) => {
      if (index >= written.length) return isLeftOut(rows);
      const known = written[index] ?? null;
      return known === null || isFittingRows(known, rows);
    })
  );
}

const isLeftOut = (rows: Rows) => rows.length === 1 && rows[0]?.length === 1 && rows[0][0] === null;

const isFittingRows = (written: Rows, given: Rows) =>
  written.length === given.length && written.every((row, r) => isFittingRow(row, given[r] ?? []));

const isFittingRow = (written: Rows[number], given: Rows[number]) =>
  written.length === given.length &&
  written.every((cell, c) => (cell === null ? isBlank(given[c]) : cell === given[c]));
