import { type Area, toAddress } from "../addresses";
import type { Where } from "./excel-run";
import type { FoundCell } from "./feed-cells";
import { compare } from "./kept/moves";

/** What is changed in one request: cells in all, one block of any size at least. */
const MOST_CELLS = 20_000;
const MOST_BLOCKS = 500;

/** An area of one sheet that changes together, and the cells whose formulas fill it, from top to bottom. */
export interface Change<C extends FoundCell = FoundCell> {
  sheet: string;
  area: Area;
  cells: C[];
}

export function toRanges<C extends Change<FoundCell>>(
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

/** Single cells that stand below one another change as one block: a column of a thousand figures is one of them. */
export function toChanges<C extends FoundCell>(cells: readonly C[]): Change<C>[] {
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

function isBelow({ row, column, rows, columns }: Area, { area, cells }: Change): boolean {
  const isSingle = rows === 1 && columns === 1 && area.columns === 1 && area.rows === cells.length;
  return isSingle && column === area.column && row === area.row + area.rows;
}

/** One request changes one sheet alone, so that it can be said which one is protected. */
export function toRequests<C extends Change<FoundCell>>(changes: readonly C[]): C[][] {
  const requests: C[][] = [];
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
