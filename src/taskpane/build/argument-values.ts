import type { CellValue, Workbook } from "../../contract/workbook";
import { readPlace, showPlace } from "../addresses";
import type { FormulaCall, Given } from "../formula-text";

/** An argument as the host passes it: a value, or rows of cells. */
export type Value = CellValue | readonly (readonly CellValue[])[];

/** An argument that only the workbook can calculate. */
export class Unworkable extends Error {
  constructor(readonly text: string) {
    super(text);
  }
}

/**
 * Reads a formula's arguments as the host would pass them.
 *
 * @param sheet the sheet of references without one; null for the active sheet
 * @throws Unworkable for an expression; WorkbookError where cells cannot be read
 */
export async function readValues(
  { given }: FormulaCall,
  workbook: Pick<Workbook, "readValues">,
  sheet: string | null,
): Promise<Value[]> {
  const unworkable = given.find((each) => each?.kind === "expression");
  if (unworkable?.kind === "expression") throw new Unworkable(unworkable.text);
  return Promise.all(given.map((each) => readValue(each, workbook, sheet)));
}

async function readValue(given: Given, workbook: Pick<Workbook, "readValues">, sheet: string | null): Promise<Value> {
  if (given === null || given.kind === "expression") return null;
  return given.kind === "cells" ? workbook.readValues(toReference(given.text, sheet)) : given.value;
}

/** A reference without dollar signs, on a sheet. */
export function toReference(text: string, sheet: string | null): string {
  const place = readPlace(text);
  const named = place.sheet || sheet;
  return named === null ? place.address : showPlace({ ...place, sheet: named });
}
