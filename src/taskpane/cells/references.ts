import type { CellValue, SheetValues, Workbook } from "../../contract/workbook";
import { readArea, readPlace } from "../addresses";
import type { Given } from "../formula-text";

/** What a formula is given, as rows of cells; a value that stands for itself is one of one. */
export type Rows = readonly (readonly CellValue[])[];

/** Reads what arguments of formulas refer to; null where that cannot be told from their text. */
export type ReadArgument = (given: Given, sheet: string) => Rows | null;

/** Larger ones are as good as whole columns, which a formula's text does not tell the end of. */
const MOST_CELLS = 100_000;

const BLANK: Rows = [[null]];

/**
 * Reads each sheet that arguments refer to once, however many cells do.
 *
 * @param given arguments, with the sheet of the cell that each stands in
 */
export async function loadReferences(
  workbook: Pick<Workbook, "readSheets">,
  given: readonly { sheet: string; given: readonly Given[] }[],
): Promise<ReadArgument> {
  const names = new Map<string, string>();
  for (const { sheet, given: each } of given) {
    for (const argument of each) {
      if (argument?.kind !== "cells") continue;
      const name = readPlace(argument.text).sheet || sheet;
      names.set(name.toLowerCase(), name);
    }
  }
  const read = names.size === 0 ? [] : await workbook.readSheets([...names.values()]);
  const sheets = new Map(read.map((values) => [values.sheet.toLowerCase(), values]));
  const known = new Map<string, Rows | null>();
  return (argument, sheet) => {
    if (argument === null) return BLANK;
    if (argument.kind === "expression") return null;
    if (argument.kind !== "cells") return [[argument.value]];
    const place = readPlace(argument.text);
    const name = (place.sheet || sheet).toLowerCase();
    const key = `${name}!${place.address}`;
    const rows = known.get(key);
    if (rows !== undefined) return rows;
    const found = name.includes("[") ? null : readCells(sheets.get(name), place.address); // of another workbook
    known.set(key, found);
    return found;
  };
}

/** What stands in cells; those outside of what is in use are empty. */
function readCells(sheet: SheetValues | undefined, address: string): Rows | null {
  const area = readArea(address);
  if (area.rows * area.columns > MOST_CELLS) return null;
  const readCell = (row: number, column: number) =>
    sheet?.values[area.row + row - sheet.row]?.[area.column + column - sheet.column] ?? null;
  return Array.from({ length: area.rows }, (_, row) =>
    Array.from({ length: area.columns }, (_, column) => readCell(row, column)),
  );
}
