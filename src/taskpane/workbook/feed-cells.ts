import type { CellValue, DefinedName, FeedCell, Scope } from "../../contract/workbook";
import { type Area, isTouching, readArea, readPlace, toAddress } from "../addresses";
import { createFeedFormulaReader, type FeedFormulaReader } from "../feed-formulas";
import { isDeadFormula, isDeadSpill, readFormula, readNamespace, readShownFormula } from "../formula-text";
import { finishInSlices, type Steps } from "../slices";
import { inExcel } from "./excel-run";
import { findUsed, MOST_OBJECTS, type PlacedCell, type RowsOf, readRows, toArea, type Used } from "./ranges";

/** A cell with a FEED formula, and where it lies. */
export type FoundCell = FeedCell & PlacedCell;

/** A sheet with the areas in scope; null for all of it. */
interface Meant extends Used {
  meant: Area[] | null;
}

type Rows = RowsOf<Meant>;

export function listFeedCells(scope: Scope): Promise<FeedCell[]> {
  return inExcel(async (context) => {
    const found = await findFeedCells(context, scope);
    return found.map(toFeedCell);
  });
}

/** Reads the active cell alone, with the names that its formula may use. */
export function readFeedCell(): Promise<FeedCell | null> {
  return inExcel(async (context) => {
    const { names, worksheets } = context.workbook;
    const cell = context.workbook.getActiveCell().load("address, formulas, values");
    names.load(NAMES);
    worksheets.load("items/name");
    await context.sync();
    for (const sheet of worksheets.items) sheet.names.load(NAMES);
    await context.sync();
    const place = readPlace(cell.address);
    const value: CellValue = cell.values[0]?.[0];
    const formula = readShownFormula(cell.formulas[0]?.[0], value);
    const feed = formula && createFeedFormulaReader(toNames(names, worksheets.items))(formula, place.sheet);
    return feed ? { ...place, ...feed, value } : null;
  });
}

export const toFeedCell = ({ own, filled, ...cell }: FoundCell): FeedCell => cell;

/** Finds the cells with FEED formulas; a selected spill selects its formula. */
export async function findFeedCells(context: Excel.RequestContext, scope: Scope): Promise<FoundCell[]> {
  const found: FoundCell[] = [];
  const namespace = readNamespace();
  const [used, names] = await listUsed(context, scope);
  const read = createFeedFormulaReader(names, namespace);
  for await (const rows of readRows(context, used, "formulas, values, hasSpill")) {
    const cells = await finishInSlices(readCells(rows, namespace, read));
    for (const cell of await withSpills(context, rows, cells)) found.push(cell);
  }
  return found;
}

/** Resolves a scope to the active sheet and its selected areas. */
export async function readScope(
  context: Excel.RequestContext,
  scope: Scope,
): Promise<{ active: Excel.Worksheet; meant: Area[] | null }> {
  const { workbook } = context;
  // Loaded only for a selection: with a selected chart Excel would refuse all of it.
  const areas = scope === "selection" ? workbook.getSelectedRanges().areas.load("items/address") : null;
  const active = workbook.worksheets.getActiveWorksheet().load("name");
  await context.sync();
  return { active, meant: areas?.items.map(toArea) ?? null };
}

/** Gives the used parts of the sheets in scope, and the names that their formulas may use. */
async function listUsed(context: Excel.RequestContext, scope: Scope): Promise<[Meant[], DefinedName[]]> {
  const { worksheets, names } = context.workbook;
  worksheets.load("items/name");
  names.load(NAMES);
  const { active, meant } = await readScope(context, scope);
  const sheets = scope === "workbook" ? worksheets.items : [active];
  for (const sheet of worksheets.items) sheet.names.load(NAMES); // a formula may use another sheet's
  const read = sheets.map((sheet) => ({ sheet, meant }));
  return [await findUsed(context, read), toNames(names, worksheets.items)];
}

/** What is loaded of names. */
export const NAMES = "items/name, items/formula";

/** The names of the workbook, then those of its sheets. */
export function toNames(names: Excel.NamedItemCollection, sheets: readonly Excel.Worksheet[]): DefinedName[] {
  const toName = ({ name, formula }: Excel.NamedItem, sheet: string | null) => ({ name, sheet, formula });
  const local = sheets.flatMap((sheet) => sheet.names.items.map((name) => toName(name, sheet.name)));
  return [...names.items.map((name) => toName(name, null)), ...local];
}

/** Reads the cells with FEED formulas, a cell a step. */
function* readCells({ sheet, block, area }: Rows, namespace: string, read: FeedFormulaReader): Steps<FoundCell[]> {
  const found: FoundCell[] = [];
  const { name } = sheet;
  const { formulas, values } = block;
  let deadTables: Area[] | undefined;
  for (const [r, row] of (formulas as unknown[][]).entries()) {
    for (const [c, content] of row.entries()) {
      yield;
      const value: CellValue = values[r]?.[c] ?? null;
      const formula = readShownFormula(content, value, namespace);
      const feed = formula === null ? null : read(formula, name);
      if (feed === null) continue;
      const own = { row: area.row + r, column: area.column + c, rows: 1, columns: 1 };
      if (feed.isDead) deadTables ??= listDeadTables(formulas, area);
      const filled = feed.isDead ? findDeadTable(own, deadTables ?? []) : own;
      found.push({ sheet: name, address: toAddress(own), ...feed, value, own, filled });
    }
  }
  return found;
}

/** Lists what each dead copy, of whatever function, may have filled. */
function listDeadTables(formulas: readonly (readonly unknown[])[], area: Area): Area[] {
  const isPart = (row: number, column: number) => isDeadSpill(formulas[row - area.row]?.[column - area.column]);
  return formulas.flatMap((contents, r) =>
    contents.flatMap((content, c) => {
      if (!isDeadFormula(content)) return [];
      return growBlock({ row: area.row + r, column: area.column + c, rows: 1, columns: 1 }, isPart);
    }),
  );
}

/** Gives the table of a dead copy; its own cell alone where a part may be another one's. */
function findDeadTable(own: Area, tables: readonly Area[]): Area {
  const [table = own] = tables.filter((each) => each.row === own.row && each.column === own.column);
  return tables.some((other) => other !== table && isTouching(other, table)) ? own : table;
}

/**
 * Adds the spills and arrays of cells, and filters by scope. A cell that another one spills into may repeat its
 * formula, and is dropped.
 */
async function withSpills(context: Excel.RequestContext, rows: Rows, cells: FoundCell[]): Promise<FoundCell[]> {
  const { sheet, block, meant } = rows;
  const found: FoundCell[] = [];
  for (let from = 0; from < cells.length; from += MOST_OBJECTS) {
    const some = cells.slice(from, from + MOST_OBJECTS);
    found.push(...(block.hasSpill === false ? some : await readSpills(context, sheet, some)));
  }
  return joinArrays(found).filter(({ filled }) => meant === null || meant.some((area) => isTouching(area, filled)));
}

async function readSpills(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  cells: FoundCell[],
): Promise<FoundCell[]> {
  const lookups = cells.map((cell) => {
    const range = sheet.getRange(cell.address);
    const spill = range.getSpillingToRangeOrNullObject();
    const anchor = range.getSpillParentOrNullObject();
    spill.load("address");
    anchor.load("address");
    return { cell, spill, anchor };
  });
  await context.sync();
  return lookups.flatMap(({ cell, spill, anchor }) => {
    if (!spill.isNullObject) return [{ ...cell, filled: readArea(readPlace(spill.address).address) }];
    return anchor.isNullObject || readPlace(anchor.address).address === cell.address ? [cell] : [];
  });
}

/** Finds the largest block from its upper left cell on, first to the right and then down. */
function growBlock({ row, column }: Area, isPart: (row: number, column: number) => boolean): Area {
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
    return [{ ...cell, filled, array: [filled.rows, filled.columns] as const }];
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
