import type { FrozenCell, Place, SheetContents, Workbook, WorkbookError } from "../contract/workbook";
import { type Area, isTouching, readArea, type SheetArea, toAddress } from "./addresses";
import { isErrorCode, readsCells } from "./formula-text";
import { moveFormula, withoutOwnRow } from "./references";
import { finish, mapInSteps, type Steps } from "./slices";

// What becomes of frozen cells, for Excel and the playground alike: each only reads, remembers and writes.

export { finish, type SheetArea };

/** The used cells of a sheet. */
export type SheetCells = Pick<SheetContents, "row" | "column" | "values" | "formulas">;

/** The used cells of sheets, by name. */
export type Contents = ReadonlyMap<string, SheetCells>;

/** A formula, and the cells that it fills. */
export interface FilledCell {
  sheet: string;
  filled: Area;
  formula: string;
  /** As of `FeedCell`. */
  isDead?: true;
}

/** What a frozen formula's cells are known by. */
export interface Mark {
  /** A hash of their values, and of the labels. */
  shown: string;
  /** The labels of their row, where a sort could change them: texts and years. */
  labels?: SheetArea | null | undefined;
  /** The text of the labels; absent where a formula of the add-in gives it. */
  label?: string;
}

/** A formula that a workbook remembers. */
export interface Remembered extends Mark {
  /** Its cells by now; null for deleted ones, as for its labels. */
  at: SheetArea | null;
  /** As it would be entered now. */
  formula: string;
  /** Whether all cells that it refers to are there. */
  isWhole: boolean;
  /** As of `FrozenCell`. */
  frozenAtMs?: number | undefined;
}

type State =
  /** It shows what was frozen. */
  | "frozen"
  /** It, its row or its references have changed, so that its formula is uncertain. */
  | "changed"
  /** It holds its formula again, never lost it, or was frozen again later. */
  | "stale"
  /** It was deleted. */
  | "gone";

/** A frozen formula with what is known of its cells. */
export type Judged<R extends Remembered = Remembered> = R & { state: State };

/** Divides cells into those that show a value and those that do not, or would come back uncertain; a cell a step. */
export function* divide<C extends FilledCell>(
  found: readonly C[],
  contents: Contents,
): Steps<Record<"left" | "settled", C[]>> {
  const [left, settled]: [C[], C[]] = [[], []];
  for (const cell of found) {
    const values = lookAt(contents, { sheet: cell.sheet, ...cell.filled }).values.flat();
    const isUnsettled = values.includes("#BUSY!") || values.every(isErrorCode);
    (isUnsettled || (cell.isDead && readsCells(cell.formula)) ? left : settled).push(cell);
    yield;
  }
  return { left, settled };
}

/** Makes the marks of cells that are about to be frozen, a cell a step. */
export function* toMarks(found: readonly FilledCell[], contents: Contents): Steps<Mark[]> {
  const isFree = yield* findFree(found);
  const isFilled = createRowIndex(found);
  return yield* mapInSteps(found, (each) => {
    const area = { sheet: each.sheet, ...each.filled };
    const found = isFree(each) ? null : findLabels(contents, area);
    if (found === null) return { shown: toShown(contents, { at: area }) };
    const { labels, label } = found;
    const mark = { shown: toShown(contents, { at: area, labels }), labels };
    return isFilled(labels) ? mark : { ...mark, label };
  });
}

/** A hash, so that no provider data is stored out of sight. */
export function toShown(contents: Contents, { at, labels }: Pick<Remembered, "at" | "labels">): string {
  const look = (area: SheetArea | null) => (area === null ? [] : lookAt(contents, area).values);
  const shown = labels === undefined ? [look(at)] : [look(at), look(labels).flat().filter(isLabel)];
  let hash = 0x811c9dc5;
  for (const letter of JSON.stringify(shown)) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The values and formulas of an area. */
export function lookAt(contents: Contents, area: SheetArea) {
  const read = contents.get(area.sheet);
  const take = <T, Other>(lines: readonly (readonly T[])[] | undefined, other: Other) =>
    Array.from({ length: area.rows }, (_, r) =>
      Array.from({ length: area.columns }, (_, c) => {
        const line = lines?.[area.row + r - (read?.row ?? 0)];
        return line?.[area.column + c - (read?.column ?? 0)] ?? other;
      }),
    );
  return { values: take(read?.values, ""), formulas: take(read?.formulas, null) };
}

const isText = (value: unknown) => typeof value === "string" && value !== "" && !isErrorCode(value);
const isYear = (value: unknown) => Number.isInteger(value) && Number(value) >= 1900 && Number(value) <= 2100;
const isLabel = (value: unknown) => isText(value) || isYear(value);

/** Finds the texts and years in front of a formula, or else after it; null without any. */
function findLabels(contents: Contents, area: SheetArea): { labels: SheetArea; label: string } | null {
  const { row, column, values } = contents.get(area.sheet) ?? { row: 0, column: 0, values: [] };
  const line = values[area.row - row] ?? [];
  const all = line.flatMap((value, index) => (isLabel(value) ? [column + index] : []));
  const inFront = all.filter((each) => each < area.column);
  const columns = inFront.length > 0 ? inFront : all.filter((each) => each >= area.column + area.columns);
  const [first, last] = [columns[0], columns.at(-1)];
  if (first === undefined || last === undefined) return null;
  const labels = { sheet: area.sheet, row: area.row, rows: 1, column: first, columns: last - first + 1 };
  return { labels, label: columns.map((each) => line[each - column]).join(" ") };
}

/** Tells whether formulas fill any of a row's cells. */
function createRowIndex(found: readonly FilledCell[]): (area: SheetArea) => boolean {
  const rows = new Map<string, Area[]>();
  for (const { sheet, filled } of found) {
    for (let row = filled.row; row < filled.row + filled.rows; row++) {
      const key = JSON.stringify([sheet, row]);
      if (!rows.get(key)?.push(filled)) rows.set(key, [filled]);
    }
  }
  return (area) => (rows.get(JSON.stringify([area.sheet, area.row])) ?? []).some((filled) => isTouching(filled, area));
}

const toColumn = (sheet: string, { column }: Area) => JSON.stringify([sheet, column]);

/** Finds the formulas whose column has the same one in each row, but for the row's number: they are right after any sort. */
function* findFree(found: readonly FilledCell[]): Steps<(each: FilledCell) => boolean> {
  const columns = new Map<string, string[]>();
  for (const { sheet, filled, formula } of found) {
    const key = toColumn(sheet, filled);
    const meaning = withoutOwnRow(formula, filled.row);
    if (!columns.get(key)?.push(meaning)) columns.set(key, [meaning]);
    yield;
  }
  const free = new Map(
    [...columns].map(([key, meanings]) => [key, new Set(meanings).size === 1 && meanings.length > 1]),
  );
  return ({ sheet, filled, formula }) =>
    free.get(toColumn(sheet, filled)) === true ||
    (columns.get(toColumn(sheet, filled))?.length === 1 && withoutOwnRow(formula, filled.row) !== formula);
}

/** Finds the state of each remembered formula, a formula a step. @param all the earliest first; of a cell the last counts */
export function* judge<R extends Remembered>(all: readonly R[], contents: Contents): Steps<Judged<R>[]> {
  const toCell = ({ sheet, row, column }: SheetArea) => JSON.stringify([sheet, row, column]);
  const last = new Map(all.map((each) => [each.at === null ? "" : toCell(each.at), each]));
  const judged = yield* mapInSteps(all, (each): Judged<R> => {
    if (each.at === null) return { ...each, state: "gone" };
    return { ...each, state: last.get(toCell(each.at)) === each ? toState(each, each.at, contents) : "stale" };
  });
  return yield* withoutDoubtful(judged);
}

function toState(each: Remembered, at: SheetArea, contents: Contents): State {
  const formulas = lookAt(contents, at).formulas.flat();
  if (formulas[0]) return formulas[0] === each.formula && each.isWhole ? "stale" : "changed";
  const isSame = each.isWhole && toShown(contents, each) === each.shown;
  return isSame && formulas.every((formula) => formula === null) ? "frozen" : "changed";
}

/**
 * Two cells may show the same, labels included, while their formulas ask for different companies. Once anything in
 * their column has changed, rows may have been sorted, and nothing identifies the cell of either.
 */
function* withoutDoubtful<J extends Judged>(judged: readonly J[]): Steps<J[]> {
  const changed = new Set<string>();
  const meanings = new Map<string, Set<string>>();
  for (const { state, at, shown, formula } of judged) {
    if (at === null || state === "stale") continue;
    const column = toColumn(at.sheet, at);
    if (state === "changed") changed.add(column);
    const key = `${column} ${shown}`;
    meanings.set(key, (meanings.get(key) ?? new Set()).add(withoutOwnRow(formula, at.row)));
    yield;
  }
  return yield* mapInSteps(judged, (each) => {
    if (each.state !== "frozen" || each.at === null) return each;
    const column = toColumn(each.at.sheet, each.at);
    const isDoubtful = changed.has(column) && (meanings.get(`${column} ${each.shown}`)?.size ?? 0) > 1;
    return isDoubtful ? { ...each, state: "changed" } : each;
  });
}

/** Decides what a thaw does. @param isMeant whether cells are in its scope */
export function decideThaw<J extends Judged>(judged: readonly J[], isMeant: (at: SheetArea) => boolean) {
  const find = (state: State) => judged.filter((each) => each.state === state && each.at !== null && isMeant(each.at));
  const [back, gone] = [find("frozen"), judged.filter(({ state }) => state === "gone")];
  /** Those to forget: they are back, or have no cell. */
  const over = [...back, ...gone, ...judged.filter(({ state }) => state === "stale")];
  return { back, over, left: find("changed"), gone: gone.length };
}

/** Lists the frozen cells of a scope as a person sees them. */
export const toFrozenCells = (
  judged: readonly Judged[],
  contents: Contents,
  isMeant: (at: SheetArea) => boolean = () => true,
): FrozenCell[] =>
  judged.flatMap(({ state, at, formula, label, frozenAtMs }) => {
    if (at === null || (state !== "frozen" && state !== "changed") || !isMeant(at)) return [];
    const { sheet, row, column } = at;
    const isAsFrozen = state === "frozen";
    const shown = isAsFrozen ? "" : (label ?? findLabels(contents, at)?.label ?? "");
    const address = toAddress({ row, column, rows: 1, columns: 1 });
    return [{ sheet, address, filled: toAddress(at), formula, label: shown, isAsFrozen, frozenAtMs }];
  });

/** Whether a formula is the listed one. */
export const isListed = ({ at, formula }: Remembered, { sheet, filled, formula: listed }: FrozenCell): boolean =>
  at !== null && at.sheet === sheet && toAddress(at) === filled && formula === listed;

/** @throws WorkbookError ("missing") where the cells found differ from the ones that a person confirmed */
export function checkConfirmed(found: readonly Place[], expected: readonly Place[] | undefined): void {
  const toKey = ({ sheet, address }: Place) => `${sheet}!${address}`;
  const isSame = expected === undefined || expected.map(toKey).join() === found.map(toKey).join();
  const fault: Pick<WorkbookError, "fault"> = { fault: "missing" };
  if (!isSame) throw Object.assign(new Error("Other cells are there than were asked about."), fault);
}

/**
 * Writes a frozen formula into the active cell, or `over` others, with its references moved as by a copy and with room
 * for its table, and forgets it by the same step.
 *
 * @throws WorkbookError, "occupied" where the cells of its table are not empty
 */
export async function putBack(
  workbook: Pick<Workbook, "readSelection" | "write">,
  frozen: FrozenCell,
  over?: Place,
): Promise<Place> {
  const { sheet, cell } = await workbook.readSelection();
  const at = over ?? { sheet, address: cell };
  const { rows, columns } = readArea(frozen.filled);
  const formula = moveFormula(frozen.formula, readArea(frozen.address), readArea(at.address));
  const cells = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => (row + column === 0 ? { formula } : "")),
  );
  return workbook.write({ at, cells, isReplacing: over !== undefined || rows * columns === 1, forgets: frozen });
}
