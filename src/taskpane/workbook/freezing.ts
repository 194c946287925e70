import type { Frozen, Repaired, Scope } from "../../contract/workbook";
import { type Area, toAddress } from "../addresses";
import { isFormulaLike, TEXT_FORMAT } from "./cell-contents";
import { inExcel, type Where } from "./excel-run";
import { type FoundCell, findFeedCells } from "./feed-cells";
import { isErrorCode } from "./feed-formulas";

/** What is changed in one request: cells in all, one block of any size at least. */
const MOST_CELLS = 20_000;
const MOST_BLOCKS = 500;

/** Cells of one sheet that change together, and the formulas in them from top to bottom. */
interface Change {
  sheet: string;
  area: Area;
  formulas: string[];
}

/** Puts values in the place of FEED formulas; those that show none are left. */
export function freeze(scope: Scope): Promise<Frozen> {
  return inExcel(async (context, where) => {
    const found = await findFeedCells(context, scope);
    const left = found.filter(({ value }) => isErrorCode(value));
    const shown = found.filter(({ value }) => !isErrorCode(value));
    for (const changes of toRequests(toChanges(shown))) await freezeSome(context, where, changes);
    return {
      formulas: shown.length,
      left: left.map(({ sheet, address, formula, value }) => ({ sheet, address, formula, value })),
    };
  });
}

/** Writes formulas that show #NAME? back to themselves. */
export function repair(scope: Scope): Promise<Repaired> {
  return inExcel(async (context, where) => {
    const lost = (await findFeedCells(context, scope)).filter(({ value }) => value === "#NAME?");
    for (const changes of toRequests(toChanges(lost))) {
      for (const { range, formulas } of toRanges(context, where, changes)) {
        range.formulas = formulas.map((formula) => [formula]);
      }
      await context.sync();
    }
    return { formulas: lost.length };
  });
}

/** Excel's own pasting of values parses nothing, and keeps what a value carries, such as the format of a date. */
async function freezeSome(context: Excel.RequestContext, where: Where, changes: Change[]): Promise<void> {
  const ranges = toRanges(context, where, changes);
  for (const { range } of ranges) range.load("values");
  await context.sync();
  for (const { range } of ranges) {
    range.values.forEach((row: unknown[], r) => {
      row.forEach((value, c) => {
        if (isFormulaLike(value)) range.getCell(r, c).numberFormat = [[TEXT_FORMAT]];
      });
    });
    range.copyFrom(range, "Values");
  }
  await context.sync();
}

function toRanges(context: Excel.RequestContext, where: Where, changes: Change[]) {
  const [first] = changes;
  if (first !== undefined) where.place = { sheet: first.sheet, address: toAddress(first.area) };
  return changes.map(({ sheet, area, formulas }) => ({
    range: context.workbook.worksheets.getItem(sheet).getRange(toAddress(area)),
    formulas,
  }));
}

/** Single cells that stand below one another change as one block: a column of a thousand figures is one of them. */
function toChanges(cells: FoundCell[]): Change[] {
  const byColumn = [...cells].sort(
    (one, other) => compare(one.sheet, other.sheet) || one.own.column - other.own.column || one.own.row - other.own.row,
  );
  const changes: Change[] = [];
  for (const { sheet, formula, filled } of byColumn) {
    const last = changes.at(-1);
    if (last !== undefined && last.sheet === sheet && isBelow(filled, last)) {
      last.area = { ...last.area, rows: last.area.rows + 1 };
      last.formulas.push(formula);
    } else changes.push({ sheet, area: filled, formulas: [formula] });
  }
  return changes;
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function isBelow({ row, column, rows, columns }: Area, { area, formulas }: Change): boolean {
  const isSingle = rows === 1 && columns === 1 && area.columns === 1 && area.rows === formulas.length;
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
