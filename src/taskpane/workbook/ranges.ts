import type { CellValue } from "../../contract/workbook";
import { type Area, readArea, readPlace, toAddress } from "../addresses";
import { readNamespace, readShownFormula } from "../formula-text";
import type { Contents, SheetCells } from "../frozen-cells";
import type { Where } from "./excel-run";

/** Most cells and changes in one request; a single change may be larger. */
const MOST_CELLS = 20_000;
const MOST_CHANGES = 500;

/** The area of a range with a loaded address. */
export const toArea = ({ address }: Excel.Range): Area => readArea(readPlace(address).address);

/** The used part of a sheet. */
export interface Used {
  sheet: Excel.Worksheet;
  whole: Area;
}

/** Rows of a sheet in one request. */
export type RowsOf<U extends Used> = U & { area: Area; block: Excel.Range };

/** Finds the used parts of sheets; an empty or missing sheet has none. */
export async function findUsed<S extends Pick<Used, "sheet">>(
  context: Excel.RequestContext,
  sheets: readonly S[],
): Promise<(S & Used)[]> {
  const lookups = sheets.map((each) => ({ each, range: each.sheet.getUsedRangeOrNullObject(true).load("address") }));
  await context.sync();
  return lookups.flatMap(({ each, range }) => (range.isNullObject ? [] : [{ ...each, whole: toArea(range) }]));
}

/** Reads parts of sheets, block by block. @param what the properties to load of each block */
export async function* readRows<U extends Used>(
  context: Excel.RequestContext,
  used: readonly U[],
  what: string,
): AsyncGenerator<RowsOf<U>> {
  for (const group of toRows(used)) {
    for (const { block } of group) block.load(what);
    await context.sync();
    yield* group;
  }
}

/** Splits parts of sheets into blocks of rows, grouped by request. */
function toRows<U extends Used>(used: readonly U[]): RowsOf<U>[][] {
  const groups: RowsOf<U>[][] = [[]];
  let cells = 0;
  for (const one of used) {
    const { whole } = one;
    const most = Math.max(1, Math.floor(MOST_CELLS / whole.columns));
    for (let from = 0; from < whole.rows; from += most) {
      const area = { ...whole, row: whole.row + from, rows: Math.min(most, whole.rows - from) };
      cells += area.rows * area.columns;
      if (cells > MOST_CELLS && groups.at(-1)?.length !== 0) {
        groups.push([]);
        cells = area.rows * area.columns;
      }
      groups.at(-1)?.push({ ...one, area, block: one.sheet.getRange(toAddress(area)) });
    }
  }
  return groups;
}

/** Most cells that one request queries one by one. */
export const MOST_OBJECTS = 500;

/** Finds those of some cells that another cell's formula fills. */
export async function findSpilled(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < addresses.length; from += MOST_OBJECTS) {
    const some = addresses.slice(from, from + MOST_OBJECTS).map((address) => {
      const anchor = sheet.getRange(address).getSpillParentOrNullObject();
      return { address, anchor: anchor.load("address") };
    });
    await context.sync();
    for (const { address, anchor } of some) {
      if (!anchor.isNullObject && readPlace(anchor.address).address !== address) found.add(address);
    }
  }
  return found;
}

/** Reads the used cells of sheets by name. */
export async function readContents(context: Excel.RequestContext, names: Iterable<string>): Promise<Contents> {
  const sheets = [...new Set(names)].map((name) => ({ name, sheet: context.workbook.worksheets.getItem(name) }));
  const used = await findUsed(context, sheets);
  const read = new Map(
    used.map(({ name, whole: { row, column } }) => [name, { row, column, values: [], formulas: [] } as SheetCells]),
  );
  const namespace = readNamespace();
  for await (const { name, block } of readRows(context, used, "values, formulas")) {
    const values: CellValue[][] = block.values;
    read.get(name)?.values.push(...values);
    const toFormula = (each: unknown, row: number, column: number) =>
      readShownFormula(each, values[row]?.[column], namespace);
    read
      .get(name)
      ?.formulas.push(
        ...block.formulas.map((line: unknown[], row) => line.map((each, column) => toFormula(each, row, column))),
      );
  }
  return read;
}

/** A cell, and what its formula fills: its spill, or the cell alone. */
export interface PlacedCell {
  sheet: string;
  own: Area;
  filled: Area;
}

/** An area of one sheet that changes together, and the cells whose formulas fill it, from top to bottom. */
export interface Change<C extends PlacedCell> {
  sheet: string;
  area: Area;
  cells: C[];
}

/** Groups cells into changes; single cells below one another are one change. */
export function toChanges<C extends PlacedCell>(cells: readonly C[]): Change<C>[] {
  const byColumn = [...cells].sort(
    (one, other) => compare(one.sheet, other.sheet) || one.own.column - other.own.column || one.own.row - other.own.row,
  );
  const changes: Change<C>[] = [];
  for (const cell of byColumn) {
    const { sheet, filled } = cell;
    const last = changes.at(-1);
    if (last !== undefined && last.sheet === sheet && isBelow(filled, last)) {
      last.area = { ...last.area, rows: last.area.rows + 1 };
      last.cells.push(cell);
    } else changes.push({ sheet, area: filled, cells: [cell] });
  }
  return changes;
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function isBelow<C extends PlacedCell>({ row, column, rows, columns }: Area, { area, cells }: Change<C>): boolean {
  const isSingle = rows === 1 && columns === 1 && area.columns === 1 && area.rows === cells.length;
  return isSingle && column === area.column && row === area.row + area.rows;
}

/** Groups changes into requests of one sheet each, so that a fault names its sheet. */
export function toRequests<C extends Change<PlacedCell>>(changes: readonly C[]): C[][] {
  const requests: C[][] = [];
  let cells = 0;
  for (const change of changes) {
    const request = requests.at(-1);
    const { rows, columns } = change.area;
    cells += rows * columns;
    if (request?.[0]?.sheet === change.sheet && cells <= MOST_CELLS && request.length < MOST_CHANGES) {
      request.push(change);
    } else {
      requests.push([change]);
      cells = rows * columns;
    }
  }
  return requests;
}

/** Makes changes, in as few requests as they need. */
export async function makeAll<C extends Change<PlacedCell>>(
  context: Excel.RequestContext,
  where: Where,
  changes: readonly C[],
  make: (range: Excel.Range, change: C) => void,
): Promise<void> {
  for (const some of toRequests(changes)) {
    for (const { range, change } of toRanges(context, where, some)) make(range, change);
    await context.sync();
  }
}

/** The ranges of one sheet's changes; a fault reports the first. */
export function toRanges<C extends Change<PlacedCell>>(
  context: Excel.RequestContext,
  where: Where,
  changes: readonly C[],
): { range: Excel.Range; change: C }[] {
  const [first] = changes;
  if (first !== undefined) where.place = { sheet: first.sheet, address: toAddress(first.area) };
  return changes.map((change) => ({
    range: context.workbook.worksheets.getItem(change.sheet).getRange(toAddress(change.area)),
    change,
  }));
}
