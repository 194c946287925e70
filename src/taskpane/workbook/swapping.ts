import type { CellState, CellSwap } from "../../contract/workbook";
import { type Area, readArea, readPlace, toAddress } from "../addresses";
import { inExcel } from "./excel-run";
import { readShownFormula } from "./feed-cells";
import { toRows } from "./ranges";
import { GENERAL, TEXT_FORMAT } from "./writing";

/** Reads what cells hold, with formulas and number formats. */
export function readCells(reference: string): Promise<CellState[][]> {
  const { sheet, address } = readPlace(reference);
  return inExcel(async (context, where) => {
    const { worksheets } = context.workbook;
    where.place = { sheet, address };
    const named = sheet === "" ? worksheets.getActiveWorksheet() : worksheets.getItem(sheet);
    const read: CellState[][] = [];
    for (const rows of toRows([{ sheet: named, whole: readArea(address) }])) {
      for (const { block } of rows) block.load(LOADED);
      await context.sync();
      for (const { block } of rows) read.push(...toStates(block));
    }
    return read;
  });
}

const LOADED = "values, valueTypes, formulas, numberFormat";

function toStates({ values, valueTypes, formulas, numberFormat }: Excel.Range): CellState[][] {
  return values.map((row, r) =>
    row.map((value, c) => {
      const isEmpty = valueTypes[r]?.[c] === "Empty";
      const isSpilledInto = formulas[r]?.[c] === "" && !isEmpty && value !== "";
      return {
        value: isEmpty ? null : value,
        formula: isSpilledInto ? "=" : (readShownFormula(formulas[r]?.[c], value) ?? ""),
        format: String(numberFormat[r]?.[c] ?? GENERAL),
      };
    }),
  );
}

/** Most swaps in one request. */
const MOST_SWAPS = 20_000;

/** Exchanges contents of cells that hold what is expected. */
export function swap(sheet: string, swaps: readonly CellSwap[]): Promise<boolean[]> {
  return inExcel(async (context, where) => {
    const results: boolean[] = [];
    const named = context.workbook.worksheets.getItem(sheet);
    for (let from = 0; from < swaps.length; from += MOST_SWAPS) {
      const some = swaps.slice(from, from + MOST_SWAPS);
      const whole = toWhole(some);
      where.place = { sheet, address: toAddress(whole) };
      results.push(...(await swapSome(context, named, whole, some)));
    }
    return results;
  });
}

/** The smallest area with all swapped cells. */
function toWhole(swaps: readonly CellSwap[]): Area {
  const areas = swaps.map(({ address }) => readArea(address));
  const [row, column] = [Math.min(...areas.map((area) => area.row)), Math.min(...areas.map((area) => area.column))];
  const rows = Math.max(...areas.map((area) => area.row)) - row + 1;
  return { row, column, rows, columns: Math.max(...areas.map((area) => area.column)) - column + 1 };
}

async function swapSome(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  whole: Area,
  swaps: readonly CellSwap[],
): Promise<boolean[]> {
  const range = sheet.getRange(toAddress(whole)).load(LOADED);
  await context.sync();
  const states = toStates(range);
  const due = swaps.map(({ address, before }) => {
    const { row, column } = readArea(address);
    return isAsExpected(states[row - whole.row]?.[column - whole.column], before);
  });
  const written = swaps.filter((_, index) => due[index]);
  if (written.length === 0) return due;
  range.numberFormat = toGrid(whole, written, ({ after }) => (isText(after) ? TEXT_FORMAT : after.format || GENERAL));
  range.formulas = toGrid(whole, written, ({ after }) => after.formula || after.value);
  // A text keeps its letters once its cell has another format again.
  range.numberFormat = toGrid(whole, written, ({ after }) => after.format || GENERAL);
  await context.sync();
  return due;
}

const isText = ({ formula, value }: CellState) => formula === "" && typeof value === "string";

/** A formula counts without its value, which may be another one by now. */
function isAsExpected(present: CellState | undefined, before: CellState): boolean {
  return present?.formula === before.formula && (before.formula !== "" || present.value === before.value);
}

/** Rows of an area with what some cells get; null leaves a cell unchanged. */
function toGrid<T>(whole: Area, swaps: readonly CellSwap[], read: (swap: CellSwap) => T): (T | null)[][] {
  const grid = Array.from({ length: whole.rows }, () => Array.from({ length: whole.columns }, (): T | null => null));
  for (const each of swaps) {
    const { row, column } = readArea(each.address);
    const line = grid[row - whole.row];
    if (line !== undefined) line[column - whole.column] = read(each);
  }
  return grid;
}
