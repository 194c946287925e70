import { type Area, isTouching } from "../../addresses";
import type { Line } from "./alignment";
import type { SheetArea } from "./templates";

/** Cells that the workbook has followed, and where they are now; null where they were deleted. */
export interface Followed {
  before: SheetArea;
  now: SheetArea | null;
  /** Of what shows something, where each row and column is now, counted from the first that is there now. */
  rows?: readonly Line[];
  columns?: readonly Line[];
}

/** Where cells are now; null where that cannot be told. */
export type Move = (area: SheetArea) => SheetArea | null;

/** Tells by what the workbook has followed where any cells within it are. */
export function createMove(followed: readonly Followed[]): Move {
  const bySheet = new Map<string, Followed[]>();
  for (const each of followed) {
    const key = each.before.sheet.toLowerCase();
    const others = bySheet.get(key);
    if (others === undefined) bySheet.set(key, [each]);
    else others.push(each);
  }
  return (area) => {
    const all = bySheet.get(area.sheet.toLowerCase()) ?? [];
    for (const { before, now } of all) if (isSame(before, area)) return now;
    for (const each of all) {
      const moved = isWithin(area, each.before) ? moveWithin(area, each, all) : null;
      if (moved !== null) return moved;
    }
    return null;
  };
}

function moveWithin(area: SheetArea, { before, now }: Followed, all: readonly Followed[]): SheetArea | null {
  if (now === null) return null;
  const lineOf = (side: "row" | "column", line: number) => {
    const [from, to] = [before, now].map((each) => toSpan(each, side)) as [Span, Span];
    if (from.length === to.length) return line - from.start + to.start;
    const found = findLine(all, side, line, now.sheet);
    return found !== null && found >= to.start && found < to.start + to.length ? found : null;
  };
  const row = lineOf("row", area.row);
  const last = lineOf("row", area.row + area.rows - 1);
  const column = lineOf("column", area.column);
  const right = lineOf("column", area.column + area.columns - 1);
  if (row === null || last === null || column === null || right === null) return null;
  return { sheet: now.sheet, row, column, rows: last - row + 1, columns: right - column + 1 };
}

/** What is known of a row or column from cells of it that were found again. */
function findLine(all: readonly Followed[], side: "row" | "column", line: number, sheet: string): number | null {
  for (const { before, now, rows, columns } of all) {
    const lines = side === "row" ? rows : columns;
    const span = toSpan(before, side);
    const found = lines?.[line - span.start];
    if (now?.sheet === sheet && typeof found === "number") return found + toSpan(now, side).start;
  }
  return null;
}

interface Span {
  start: number;
  length: number;
}

const toSpan = ({ row, rows, column, columns }: Area, side: "row" | "column"): Span =>
  side === "row" ? { start: row, length: rows } : { start: column, length: columns };

const isSame = (one: Area, other: Area) =>
  one.row === other.row && one.column === other.column && one.rows === other.rows && one.columns === other.columns;

const isWithin = (inner: Area, outer: Area) =>
  isTouching(inner, outer) &&
  inner.row >= outer.row &&
  inner.column >= outer.column &&
  inner.row + inner.rows <= outer.row + outer.rows &&
  inner.column + inner.columns <= outer.column + outer.columns;

/** Joins cells that lie beside one another, so that few areas are followed; ranges stay what they are. */
export function joinAreas(areas: readonly SheetArea[]): SheetArea[] {
  const unique = [...new Map(areas.map((area) => [JSON.stringify(toNumbers(area)), area])).values()];
  const cells = unique.filter(({ rows, columns }) => rows === 1 && columns === 1);
  const ranges = unique.filter(({ rows, columns }) => rows !== 1 || columns !== 1);
  return [...joinColumns(joinRows(cells)), ...ranges];
}

const toNumbers = ({ sheet, row, column, rows, columns }: SheetArea) => [sheet, row, column, rows, columns];

/** Cells below one another, each one column wide. */
function joinRows(cells: readonly SheetArea[]): SheetArea[] {
  const sorted = [...cells].sort((a, b) => compare(a.sheet, b.sheet) || a.column - b.column || a.row - b.row);
  return join(sorted, (last, next) => {
    if (last.sheet !== next.sheet || last.column !== next.column || last.row + last.rows !== next.row) return null;
    return { ...last, rows: last.rows + next.rows };
  });
}

/** Columns beside one another that begin and end in the same rows. */
export function joinColumns<A extends SheetArea>(columns: readonly A[], unite = toWider<A>): A[] {
  const sorted = [...columns].sort(
    (a, b) => compare(a.sheet, b.sheet) || a.row - b.row || a.rows - b.rows || a.column - b.column,
  );
  return join(sorted, (last, next) => {
    const isBeside = last.column + last.columns === next.column;
    const isAsTall = last.sheet === next.sheet && last.row === next.row && last.rows === next.rows;
    return isBeside && isAsTall ? unite(last, next) : null;
  });
}

const toWider = <A extends SheetArea>(one: A, other: A): A => ({ ...one, columns: one.columns + other.columns });

function join<A>(sorted: readonly A[], unite: (last: A, next: A) => A | null): A[] {
  const joined: A[] = [];
  for (const next of sorted) {
    const last = joined.at(-1);
    const united = last === undefined ? null : unite(last, next);
    if (united === null) joined.push(next);
    else joined[joined.length - 1] = united;
  }
  return joined;
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
