import type { CellValue, FeedCell } from "../../contract/workbook";
import type { Area } from "../addresses";
import { readFormula } from "../formula-text";
import type { PlacedCell } from "./ranges";

/** Finds the largest block from its upper left cell on, first to the right and then down. */
export function growBlock({ row, column }: Area, isPart: (row: number, column: number) => boolean): Area {
  let [rows, columns] = [1, 1];
  while (isPart(row, column + columns)) columns += 1;
  const isRow = (at: number) => Array.from({ length: columns }, (_, c) => column + c).every((c) => isPart(at, c));
  while (isRow(row + rows)) rows += 1;
  return { row, column, rows, columns };
}

/** Equal formulas may show two values for a moment, an old and a new one. */
const LEAST_VALUES = 3;
/** More than any sheet has. */
const COLUMNS = 100_000;

/**
 * Joins the cells of each array formula of a sheet, which other programs write in place of a spill. Excel gives the formula
 * in every cell of the array, as it gives equal formulas, and no member tells the two apart. Equal calls with known
 * arguments show equal values, however, and the cells of an array do not. Where it is not sure, each cell counts.
 */
export function joinArrays<C extends FeedCell & PlacedCell>(cells: readonly C[]): C[] {
  const toKey = (row: number, column: number) => row * COLUMNS + column;
  const left = new Map(cells.map((cell) => [toKey(cell.own.row, cell.own.column), cell]));
  const parts = new Set<C>();
  return cells.flatMap((cell) => {
    const { own, formula } = cell;
    if (parts.has(cell)) return [];
    if (!left.has(toKey(own.row, own.column))) return [cell];
    const isPart = (row: number, column: number) => {
      const other = left.get(toKey(row, column));
      return other?.formula === formula && other.filled === other.own;
    };
    const filled = cell.filled === own ? growBlock(own, isPart) : own;
    const equal = Array.from({ length: filled.rows * filled.columns }, (_, index) => {
      const key = toKey(own.row + Math.floor(index / filled.columns), own.column + (index % filled.columns));
      const other = left.get(key) ?? cell;
      left.delete(key);
      return other;
    });
    const values = new Set(equal.map(({ value }) => value).filter((value) => !String(value).startsWith("#")));
    if (values.size < LEAST_VALUES || !isTable(formula, [...values])) return [cell];
    for (const other of equal) parts.add(other);
    return [{ ...cell, filled }];
  });
}

/** Whether a formula is a call that gives the same in each cell, and a table: by its ranges, or its texts and numbers. */
function isTable(formula: string, values: readonly CellValue[]): boolean {
  const reading = readFormula(formula);
  const given = reading.kind === "call" ? reading.call.given : [];
  if (given.length === 0 || given.some((each) => each?.kind === "expression")) return false;
  const hasRange = given.some((each) => each?.kind === "cells" && each.text.includes(":"));
  return hasRange || new Set(values.map((value) => typeof value)).size > 1;
}
