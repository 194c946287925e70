import type { CellValue, Workbook } from "../../contract/workbook";
import { readPlace, showPlace } from "../addresses";
import type { FormulaCall, Given } from "../formula-text";

/** An argument as a formula gets it: a value, or rows of cells. */
export type Value = CellValue | readonly (readonly CellValue[])[];

/** What only the workbook itself can work out. */
export class Unworkable extends Error {
  constructor(readonly text: string) {
    super(text);
  }
}

/**
 * Reads what a formula is given, as the workbook would hand it over.
 *
 * @param sheet where its references point to when they name no sheet; null for the active one
 * @throws Unworkable for what is more than a value or cells; WorkbookError where cells cannot be read
 */
export async function readValues({ given }: FormulaCall, workbook: Workbook, sheet: string | null): Promise<Value[]> {
  const unworkable = given.find((each) => each?.kind === "expression");
  if (unworkable?.kind === "expression") throw new Unworkable(unworkable.text);
  return Promise.all(given.map((each) => readValue(each, workbook, sheet)));
}

async function readValue(given: Given, workbook: Workbook, sheet: string | null): Promise<Value> {
  if (given === null || given.kind === "expression") return null;
  return given.kind === "cells" ? workbook.readValues(toReference(given.text, sheet)) : given.value;
}

/** Without the dollar signs, which say nothing of where the cells are. */
export function toReference(text: string, sheet: string | null): string {
  const place = readPlace(text);
  const named = place.sheet || sheet;
  return named === null ? place.address : showPlace({ ...place, sheet: named });
}
