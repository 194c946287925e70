import { type CellValue, type Place, type Repaired, VALUES_WITHOUT_STREAM } from "../../contract/workbook";
import { showPlace, toAddress } from "../addresses";
import { listCalls, readShownFormula } from "../formula-text";
import { finishInSlices, type Steps } from "../slices";
import { inExcel, type Where } from "./excel-run";
import { type FoundCell, findFeedCells, NAMES, toFeedCell } from "./feed-cells";
import { type Change, toChanges, toRanges, toRequests } from "./ranges";
import { toFormat } from "./writing";

/** Implements `Workbook.repair`. */
export function repair(given: readonly Place[]): Promise<Repaired> {
  const places = new Set(given.map(showPlace));
  return inExcel(async (context, where) => {
    const all = await findFeedCells(context, "workbook");
    const isGiven = (cell: FoundCell) => places.has(showPlace(cell));
    const broken = all.filter((cell) => !cell.isDead && isBroken(cell.value, () => isGiven(cell)));
    if (broken.some(({ expanded }) => expanded !== undefined)) await enterNames(context);
    const anchors = broken.map((cell) => ({ ...cell, filled: cell.own }));
    const refused: FoundCell[] = [];
    for (const changes of toRequests(await finishInSlices(toSafeChanges(anchors, all)))) {
      refused.push(...(await enterAll(context, where, changes)));
    }
    return { formulas: broken.length - refused.length, refused: refused.map(toFeedCell) };
  });
}

/** Enters the names again that call FEED functions: Excel looks these up once, as in a cell. */
async function enterNames(context: Excel.RequestContext): Promise<void> {
  const { names, worksheets } = context.workbook;
  names.load(NAMES);
  worksheets.load("items/name");
  await context.sync();
  const local = worksheets.items.map((sheet) => sheet.names.load(NAMES));
  await context.sync();
  for (const name of [names, ...local].flatMap(({ items }) => items)) {
    const formula = readShownFormula(name.formula, null);
    if (formula !== null && listCalls(formula).length > 0) name.formula = formula;
  }
  await context.sync();
}

function isBroken(value: CellValue, isGiven: () => boolean): boolean {
  return value === "#NAME?" || (VALUES_WITHOUT_STREAM.includes(value) && isGiven());
}

/**
 * Excel gives an array formula (Ctrl+Shift+Enter) in each of its cells, as it gives equal formulas. It refuses to change
 * one cell of an array, but would replace a whole one: equal neighbours are written one by one.
 */
function* toSafeChanges(cells: readonly FoundCell[], all: readonly FoundCell[]): Steps<Change<FoundCell>[]> {
  const toKey = (sheet: string, row: number, column: number) =>
    showPlace({ sheet, address: toAddress({ row, column, rows: 1, columns: 1 }) });
  const wanted = new Set(cells.map(({ formula }) => formula));
  const formulas = new Map<string, string>();
  for (const { sheet, own, formula } of all) {
    if (wanted.has(formula)) formulas.set(toKey(sheet, own.row, own.column), formula);
    yield;
  }
  const isAlone = ({ sheet, own: { row, column }, formula }: FoundCell) =>
    [toKey(sheet, row, column + 1), toKey(sheet, row + 1, column)]
      .concat(column > 0 ? toKey(sheet, row, column - 1) : [], row > 0 ? toKey(sheet, row - 1, column) : [])
      .every((key) => formulas.get(key) !== formula);
  const equal = cells.filter((cell) => !isAlone(cell));
  return [...toChanges(cells.filter(isAlone)), ...equal.flatMap((cell) => toChanges([cell]))];
}

/** Enters formulas in one request. Where Excel refuses it, halves it to find the cells. @returns the refused cells */
async function enterAll(
  context: Excel.RequestContext,
  where: Where,
  changes: readonly Change<FoundCell>[],
): Promise<FoundCell[]> {
  try {
    const ranges = toRanges(context, where, changes);
    for (const { range } of ranges) range.load("numberFormat, formulas");
    await context.sync();
    const isPresent = (range: Excel.Range, { formula }: FoundCell, row: number) =>
      readShownFormula(range.formulas[row]?.[0], null) === formula;
    const left: Change<FoundCell>[] = [];
    for (const { range, change } of ranges) {
      const present = change.cells.filter((cell, row) => isPresent(range, cell, row));
      if (present.length === change.cells.length) enter(range, change);
      else left.push(...present.flatMap((cell) => toChanges([cell]))); // a person has typed into another one since
    }
    await context.sync();
    return left.length === 0 ? [] : await enterAll(context, where, left);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string" || !REFUSALS.has(code)) throw error;
    // Each cell of a protected sheet would be refused: no request for each.
    if (changes.length === 1 || code === "AccessDenied") return changes.flatMap(({ cells }) => cells);
    const half = Math.ceil(changes.length / 2);
    const first = await enterAll(context, where, changes.slice(0, half));
    return [...first, ...(await enterAll(context, where, changes.slice(half)))];
  }
}

/** Excel's codes for a cell that it does not change; its documents name none for a part of an array. */
const REFUSALS = new Set(["AccessDenied", "GeneralException", "InvalidArgument", "InvalidOperation"]);

/** The format comes before the formula: under the text format Excel would read it as a text. */
function enter(range: Excel.Range, { cells }: Change<FoundCell>): void {
  const formats = cells.map(({ formula }, row) => [toFormat({ formula }, range.numberFormat[row]?.[0])]);
  if (formats.flat().some((format) => format !== null)) range.numberFormat = formats;
  range.formulas = cells.map(({ formula }) => [formula]);
}
