import type { Frozen, Repaired, Scope } from "../../contract/workbook";
import { type Area, toAddress } from "../addresses";
import { isFormulaLike, TEXT_FORMAT } from "./cell-contents";
import { inExcel, type Where } from "./excel-run";
import { type FoundCell, findFeedCells } from "./feed-cells";
import { isErrorCode } from "./feed-formulas";

/** What is changed in one request: cells in all, one block of any size at least. */
const MOST_CELLS = 20_000;
const MOST_BLOCKS = 500;

/** An area of one sheet that changes together, and the cells whose formulas fill it, from top to bottom. */
interface Change {
  sheet: string;
  area: Area;
  cells: FoundCell[];
}

/** Puts values in the place of FEED formulas; those that show none are left. */
export function freeze(scope: Scope): Promise<Frozen> {
  return inExcel(async (context, where) => {
    const found = await findFeedCells(context, scope);
    // What else a spilled result holds is seen when it is read: its first cell alone tells nothing of it.
    const isLeft = ({ value, filled }: FoundCell) => isErrorCode(value) && filled.rows * filled.columns === 1;
    const left = found.filter(isLeft);
    for (const changes of toRequests(toChanges(found.filter((cell) => !isLeft(cell))))) {
      left.push(...(await freezeSome(context, where, changes)));
    }
    return {
      formulas: found.length - left.length,
      left: left.map(({ sheet, address, formula, value }) => ({ sheet, address, formula, value })),
    };
  });
}

/** Writes formulas that show #NAME? back to themselves. */
export function repair(scope: Scope): Promise<Repaired> {
  return inExcel(async (context, where) => {
    const lost = (await findFeedCells(context, scope)).filter(({ value }) => value === "#NAME?");
    for (const changes of toRequests(toChanges(lost))) {
      for (const { range, cells } of toRanges(context, where, changes)) {
        range.formulas = cells.map(({ formula }) => [formula]);
      }
      await context.sync();
    }
    return { formulas: lost.length };
  });
}

/**
 * Excel's own pasting of values parses nothing, and keeps what a value carries, such as the format of a date.
 * Gives the cells that were left, since no value is shown or more is to come.
 */
async function freezeSome(context: Excel.RequestContext, where: Where, changes: Change[]): Promise<FoundCell[]> {
  const ranges = toRanges(context, where, changes);
  for (const { range } of ranges) range.load("values");
  await context.sync();
  const [left, shown] = [ranges.filter(isUnsettled), ranges.filter((each) => !isUnsettled(each))];
  for (const { range } of shown) {
    range.values.forEach((row: unknown[], r) => {
      row.forEach((value, c) => {
        if (isFormulaLike(value)) range.getCell(r, c).numberFormat = [[TEXT_FORMAT]];
      });
    });
    range.copyFrom(range, "Values");
  }
  await context.sync();
  return left.flatMap(({ cells }) => cells);
}

function isUnsettled({ range }: { range: Excel.Range }): boolean {
  const values = range.values.flat();
  return values.includes("#BUSY!") || values.every(isErrorCode);
}

function toRanges(context: Excel.RequestContext, where: Where, changes: Change[]) {
  const [first] = changes;
  if (first !== undefined) where.place = { sheet: first.sheet, address: toAddress(first.area) };
  return changes.map(({ sheet, area, cells }) => ({
    range: context.workbook.worksheets.getItem(sheet).getRange(toAddress(area)),
    cells,
  }));
}

/** Single cells that stand below one another change as one block: a column of a thousand figures is one of them. */
function toChanges(cells: FoundCell[]): Change[] {
  const byColumn = [...cells].sort(
    (one, other) => compare(one.sheet, other.sheet) || one.own.column - other.own.column || one.own.row - other.own.row,
  );
  const changes: Change[] = [];
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

function isBelow({ row, column, rows, columns }: Area, { area, cells }: Change): boolean {
  const isSingle = rows === 1 && columns === 1 && area.columns === 1 && area.rows === cells.length;
  return isSingle && column === area.column && row === area.row + area.rows;
}

/** One request changes one sheet alone, so that it can be said which one is protected. */
function toRequests(changes: Change[]): Change[][] {
  const requests: Change[][] = [];
  let cells = 0;
  for (const change of changes) {
    const request = requests.at(-1);
    const { rows, columns } = change.area;
    cells += rows * columns;
    if (request?.[0]?.sheet === change.sheet && cells <= MOST_CELLS && request.length < MOST_BLOCKS) {
      request.push(change);
    } else {
      requests.push([change]);
      cells = rows * columns;
    }
  }
  return requests;
}
