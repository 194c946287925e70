import type { CellState, CellSwap, Place } from "../../contract/workbook";
import { type Area, readArea, readPlace, toAddress, toWhole } from "../addresses";
import { readShownFormula } from "../formula-text";
import { inExcel } from "./excel-run";
import { findSpilled, MOST_OBJECTS, readRows, toArea } from "./ranges";
import { GENERAL, TEXT_FORMAT } from "./writing";

/** Reads what cells hold, with formulas and number formats. */
export function readCells(reference: string): Promise<CellState[][]> {
  const { sheet, address } = readPlace(reference);
  return inExcel(async (context, where) => {
    const { worksheets } = context.workbook;
    where.place = { sheet, address };
    const named = sheet === "" ? worksheets.getActiveWorksheet() : worksheets.getItem(sheet);
    const read: CellState[][] = [];
    let hasSpill = false;
    for await (const { block } of readRows(context, [{ sheet: named, whole: readArea(address) }], LOADED)) {
      read.push(...toStates(block));
      hasSpill ||= block.hasSpill !== false;
    }
    if (hasSpill) await markSpills(context, named, readArea(address), read);
    return read;
  });
}

const LOADED = "values, valueTypes, formulas, numberFormat, hasSpill";

/** Marks the cells that formulas among them spill into: their contents are not their own. */
async function markSpills(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  { row, column }: Area,
  read: readonly (readonly CellState[])[],
): Promise<void> {
  const anchors = read.flatMap((line, r) => line.flatMap((state, c) => (state.formula === "" ? [] : [{ r, c }])));
  for (let from = 0; from < anchors.length; from += MOST_OBJECTS) {
    const some = anchors.slice(from, from + MOST_OBJECTS);
    const spills = some.map(({ r, c }) =>
      sheet
        .getRange(toAddress({ row: row + r, column: column + c, rows: 1, columns: 1 }))
        .getSpillingToRangeOrNullObject()
        .load("address"),
    );
    await context.sync();
    for (const [index, spill] of spills.entries()) {
      if (!spill.isNullObject) markSpill(read, toArea(spill), { row, column }, some[index]);
    }
  }
}

function markSpill(
  read: readonly (readonly CellState[])[],
  spill: Area,
  { row, column }: Pick<Area, "row" | "column">,
  anchor: { r: number; c: number } | undefined,
): void {
  for (let down = 0; down < spill.rows; down++) {
    for (let across = 0; across < spill.columns; across++) {
      const [r, c] = [spill.row + down - row, spill.column + across - column];
      const state = read[r]?.[c];
      if (state !== undefined && (r !== anchor?.r || c !== anchor.c)) state.formula = "=";
    }
  }
}

function toStates({ values, valueTypes, formulas, numberFormat }: Excel.Range): CellState[][] {
  return values.map((row, r) =>
    row.map((value, c) => {
      return {
        value: valueTypes[r]?.[c] === "Empty" ? null : value,
        formula: readShownFormula(formulas[r]?.[c], value) ?? "",
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
      const whole = toWhole(some.map(({ address }) => readArea(address)));
      where.place = { sheet, address: toAddress(whole) };
      results.push(...(await swapSome(context, named, whole, some)));
    }
    return results;
  });
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
  // Wherever the formulas of spills stand: a content in the way would end them.
  const addresses = range.hasSpill === false ? [] : swaps.map(({ address }) => address);
  const spilled = await findSpilled(context, sheet, addresses);
  const due = swaps.map(({ address, before }) => {
    const { row, column } = readArea(address);
    return isAsExpected(states[row - whole.row]?.[column - whole.column], before) && !spilled.has(address);
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

/** Most ranges in one request. */
const MOST_RANGES = 1_000;

/** Lists the rows of a place that are hidden; Excel tells of a range whether all, some or none of its rows are. */
export function listHiddenRows(place: Place): Promise<number[]> {
  return inExcel(async (context, where) => {
    where.place = place;
    const sheet = context.workbook.worksheets.getItem(place.sheet);
    const hidden: number[] = [];
    const due = [readArea(place.address)];
    while (due.length > 0) {
      const asked = due
        .splice(0, MOST_RANGES)
        .map((area) => ({ area, range: sheet.getRange(toAddress(area)).load("rowHidden") }));
      await context.sync();
      for (const { area, range } of asked) {
        const isHidden: boolean | null = range.rowHidden;
        if (isHidden === true) hidden.push(...Array.from({ length: area.rows }, (_, index) => area.row + index));
        else if (isHidden === null && area.rows > 1) due.push(...halve(area));
      }
    }
    return hidden.sort((one, other) => one - other);
  });
}

function halve(area: Area): Area[] {
  const upper = Math.floor(area.rows / 2);
  return [
    { ...area, rows: upper },
    { ...area, row: area.row + upper, rows: area.rows - upper },
  ];
}
