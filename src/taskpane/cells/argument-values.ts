import type { CellValue, SheetValues, Workbook } from "../../contract/workbook";
import { readArea, readPlace } from "../addresses";
import type { FormulaCall, Given } from "../formula-text";
import { finishInSlices, type Steps } from "../slices";

/** An argument as rows of cells; a single value is one row of one cell. */
export type Rows = readonly (readonly CellValue[])[];

/** Reads the cells of an argument; null where its text does not give them. */
export type ReadArgument = (given: Given, sheet: string) => Rows | null;

/** Larger references count as whole columns, whose end the formula's text does not give. */
const MOST_CELLS = 100_000;

const BLANK: Rows = [[null]];

/** A cell's sheet and the formulas that it calls. */
interface SheetCalls {
  cell: { sheet: string };
  written: readonly FormulaCall[];
}

/** Reads each sheet once that the arguments of calls refer to. */
export async function loadReferences(
  workbook: Pick<Workbook, "readSheets">,
  all: readonly SheetCalls[],
): Promise<ReadArgument> {
  const names = await finishInSlices(listSheets(all));
  const read = names.length === 0 ? [] : await workbook.readSheets(names);
  const sheets = new Map(read.map((values) => [values.sheet.toLowerCase(), values]));
  const known = new Map<string, Rows | null>();
  return (argument, sheet) => {
    if (argument === null) return BLANK;
    if (argument.kind === "expression") return null;
    if (argument.kind !== "cells") return [[argument.value]];
    const key = `${sheet}\u0000${argument.text}`;
    const rows = known.get(key);
    if (rows !== undefined) return rows;
    const place = readPlace(argument.text);
    const name = (place.sheet || sheet).toLowerCase();
    const found = name.includes("[") ? null : readCells(sheets.get(name), place.address); // of another workbook
    known.set(key, found);
    return found;
  };
}

/** The sheets that arguments refer to, a cell a step. */
function* listSheets(all: readonly SheetCalls[]): Steps<string[]> {
  const names = new Map<string, string>();
  for (const { cell, written } of all) {
    for (const { given } of written) {
      for (const argument of given) {
        if (argument?.kind !== "cells") continue;
        const name = argument.text.includes("!") ? readPlace(argument.text).sheet : cell.sheet;
        names.set(name.toLowerCase(), name);
      }
    }
    yield;
  }
  return [...names.values()];
}

/** The values of an address; cells outside the used range are empty. */
function readCells(sheet: SheetValues | undefined, address: string): Rows | null {
  const area = readArea(address);
  if (area.rows * area.columns > MOST_CELLS) return null;
  const readCell = (row: number, column: number) =>
    sheet?.values[area.row + row - sheet.row]?.[area.column + column - sheet.column] ?? null;
  return Array.from({ length: area.rows }, (_, row) =>
    Array.from({ length: area.columns }, (_, column) => readCell(row, column)),
  );
}
