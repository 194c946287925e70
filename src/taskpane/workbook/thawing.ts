import type { CellValue, FrozenCell, Place, Scope, Thawed } from "../../contract/workbook";
import { isTouching, readArea, readPlace, toAddress } from "../addresses";
import { readsCells } from "../formula-text";
import { finishInSlices, mapInSteps, type Steps } from "../slices";
import { checkUnchanged, inExcel, type Where } from "./excel-run";
import { type FoundCell, findFeedCells, readScope, readShownFormula } from "./feed-cells";
import {
  findLabel,
  hasEqualShown,
  type PersistedFormula,
  type PlacedRecord,
  readRecords,
  replaceRecord,
  toFingerprints,
  withoutCells,
} from "./frozen-record";
import {
  type Change,
  type Contents,
  lookAt,
  makeAll,
  readContents,
  readSheetArea,
  type SheetArea,
  showArea,
  toChanges,
} from "./ranges";
import { showFormula, showOriginal, toMeaning, toRelative } from "./relative-formulas";
import { GENERAL, isFormulaLike, write as writeBlock } from "./writing";

/** The state of a frozen formula's cell. */
type State =
  /** It shows what was frozen. */
  | "frozen"
  /** It, its row or its references have changed, so that its formula is uncertain. */
  | "changed"
  /** It holds its formula again, or never lost it. */
  | "stale"
  /** It was deleted. */
  | "gone";

/** A frozen formula in its present form and cell. */
interface FrozenFormula extends FoundCell {
  state: State;
  stored: PlacedRecord;
  persisted: PersistedFormula;
  label: string;
  /** Equal for formulas of a column that are interchangeable. */
  meaning: string;
  /** The present values of its cell and spill. */
  values: readonly (readonly unknown[])[];
}

/** Lists the frozen cells of a scope, and its dead copies. */
export function listFrozen(scope: Scope): Promise<FrozenCell[]> {
  return inExcel(async (context) => {
    const isMeant = await readMeaning(context, scope);
    const found = (await findFrozen(context)).filter(isMeant);
    return [...found, ...(await findDead(context, scope))].flatMap(toFrozenCells);
  });
}

/** Finds the cells that hold their formula as a text: they lose nothing by its return, unless it reads other cells. */
async function findDead(context: Excel.RequestContext, scope: Scope) {
  const cells = (await findFeedCells(context, scope)).filter(({ isDead }) => isDead);
  return cells.map((cell) => {
    const state: State = readsCells(cell.formula) ? "changed" : "frozen";
    return { ...cell, state, label: "", values: [[cell.value]] };
  });
}

/** Restores the formulas of a scope. */
export function thaw(scope: Scope, expected?: readonly Place[]): Promise<Thawed> {
  return inExcel(async (context, where) => {
    const isMeant = await readMeaning(context, scope);
    const [found, dead] = [await findFrozen(context), await findDead(context, scope)];
    checkUnchanged([...found.filter(isMeant), ...dead].flatMap(toFrozenCells), expected);
    const back = dead.filter(({ state }) => state === "frozen");
    await writeBack(context, where, back);
    const thawed = await thawCells(context, where, found, isMeant);
    const left = dead.filter(({ state }) => state === "changed").flatMap(toFrozenCells);
    return { ...thawed, formulas: thawed.formulas + back.length, left: [...thawed.left, ...left] };
  });
}

/** Restores some frozen formulas; those of deleted cells are dropped. */
export async function thawCells(
  context: Excel.RequestContext,
  where: Where,
  found: readonly FrozenFormula[],
  isMeant: (cell: FrozenFormula) => boolean,
): Promise<Thawed> {
  const back = found.filter((cell) => cell.state === "frozen" && isMeant(cell));
  await writeBack(context, where, back);
  // Only now: after an interruption, a restored formula is recognised as such.
  await forget(context, [...back, ...found.filter(({ state }) => state === "stale" || state === "gone")]);
  return {
    formulas: back.length,
    left: found.filter((cell) => cell.state === "changed" && isMeant(cell)).flatMap(toFrozenCells),
    gone: found.filter(({ state }) => state === "gone").length,
  };
}

/** Writes a stored formula into the active cell or `over` others, with room for its table, and forgets it. */
export async function putBack({ sheet, address, formula }: FrozenCell, over?: Place): Promise<Place> {
  const isMeant = (each: FoundCell) => each.sheet === sheet && each.address === address && each.formula === formula;
  const from = readArea(address);
  const { at, room } = await inExcel(async (context) => {
    const cell = context.workbook.getActiveCell().load("address");
    await context.sync();
    const own = [...(await findFrozen(context)), ...(await findDead(context, "workbook"))].find(isMeant);
    return { at: over ?? readPlace(cell.address), room: over ? readArea(over.address) : (own?.filled ?? from) };
  });
  const moved = showOriginal(toRelative(formula, { sheet, ...from }), { sheet: at.sheet, ...readArea(at.address) });
  const cells = Array.from({ length: room.rows }, (_, row) =>
    Array.from({ length: room.columns }, (_, column) => (row + column === 0 ? { formula: moved } : "")),
  );
  const isSingle = room.rows * room.columns === 1;
  const place = await writeBlock({ at, cells, isReplacing: over !== undefined || isSingle });
  await inExcel(async (context) => forget(context, (await findFrozen(context)).filter(isMeant)));
  return place;
}

/** Removes formulas from the store. */
async function forget(context: Excel.RequestContext, over: readonly FrozenFormula[]): Promise<void> {
  const cells = new Set(over.map(({ persisted }) => persisted));
  for (const stored of new Set(over.map((cell) => cell.stored))) {
    const rest = await finishInSlices(withoutCells(stored.record, (cell) => cells.has(cell)));
    await replaceRecord(context, stored, rest);
  }
}

async function readMeaning(context: Excel.RequestContext, scope: Scope): Promise<(cell: FrozenFormula) => boolean> {
  if (scope === "workbook") return () => true;
  const { active, meant } = await readScope(context, scope);
  return ({ sheet, filled }) =>
    sheet === active.name && (meant === null || meant.some((area) => isTouching(area, filled)));
}

/** A formula that returns to its cell, with what that and its spill show. */
type Returning = FoundCell & Pick<FrozenFormula, "values">;

const writeBack = (context: Excel.RequestContext, where: Where, cells: readonly Returning[]): Promise<void> =>
  makeAll(context, where, toChanges(cells), write);

/** Clears the spilled values and the text format, which would block the formula. */
function write(range: Excel.Range, { area, cells }: Change<Returning>): void {
  const values = cells.flatMap((cell) => cell.values);
  values.forEach((row, r) => {
    row.forEach((value, c) => {
      if (isFormulaLike(value)) range.getCell(r, c).numberFormat = [[GENERAL]];
    });
  });
  const isSpill = area.rows * area.columns !== cells.length;
  if (isSpill) range.clear("Contents");
  const target = isSpill ? range.getCell(0, 0) : range;
  target.formulas = cells.map(({ formula }) => [formula]);
}

type Listed = FoundCell & Pick<FrozenFormula, "state" | "label">;

const toFrozenCells = ({ sheet, address, formula, label, state }: Listed): FrozenCell[] =>
  state === "frozen" || state === "changed" ? [{ sheet, address, formula, label, isAsFrozen: state === "frozen" }] : [];

/** Finds all frozen formulas; of each cell only the last is not stale. */
export async function findFrozen(context: Excel.RequestContext): Promise<FrozenFormula[]> {
  const records = await readRecords(context);
  const places = records.flatMap((record) => record.places).filter((place) => place !== null);
  const contents = await readContents(context, new Set(places.map(({ sheet }) => sheet)));
  return finishInSlices(listFormulas(records, contents));
}

/** Lists the formulas of all records, the latest first, a formula a step. */
function* listFormulas(
  records: readonly PlacedRecord[],
  contents: ReadonlyMap<string, Contents>,
): Steps<FrozenFormula[]> {
  const taken = new Set<string>();
  const found: FrozenFormula[] = [];
  for (const stored of records) {
    for (const each of yield* listCells(stored, contents)) {
      const cell = `${each.sheet}!${each.address}`;
      const isStale = each.state !== "gone" && taken.has(cell);
      if (each.state !== "gone") taken.add(cell);
      found.push(isStale ? { ...each, state: "stale" } : each);
    }
  }
  return yield* withoutDoubtful(found);
}

function* listCells(stored: PlacedRecord, contents: ReadonlyMap<string, Contents>): Steps<FrozenFormula[]> {
  const { record, places } = stored;
  const numbers = new Map(record.areas.map((area, number) => [area, number]));
  const follow = (area: SheetArea) => places[numbers.get(showArea(area)) ?? -1] ?? null;
  const look = (area: number) => {
    const place = places[area] ?? null;
    return place === null ? [] : lookAt(contents, place).values;
  };
  return yield* mapInSteps(record.cells, (persisted): FrozenFormula => {
    const before = readSheetArea(record.areas[persisted.area] as string);
    const relative = record.formulas[persisted.formula] ?? [];
    const now = places[persisted.area] ?? null;
    const filled = now ?? before;
    const formula = showFormula(relative, before, filled, follow);
    const own = { row: filled.row, column: filled.column, rows: 1, columns: 1 };
    const values = look(persisted.area);
    const isSame = formula !== null && hasEqualShown(persisted, toFingerprints(persisted, look));
    const state = now === null ? "gone" : toState(lookAt(contents, now), formula, isSame);
    return {
      sheet: filled.sheet,
      address: toAddress(own),
      formula: formula ?? showOriginal(relative, before),
      value: (values[0]?.[0] ?? null) as CellValue,
      own,
      filled,
      state,
      label: state === "frozen" ? "" : (persisted.labels?.text ?? findLabel(contents, filled)?.text ?? ""),
      stored,
      persisted,
      meaning: toMeaning(relative, before),
      values,
    };
  });
}

function toState({ values, formulas }: Omit<Contents, "whole">, formula: string | null, isSame: boolean): State {
  const written = formulas.map((row, r) => row.map((each, c) => readShownFormula(each, values[r]?.[c])));
  const first = written[0]?.[0] ?? null;
  if (first !== null) return first === formula ? "stale" : "changed";
  return isSame && written.flat().every((each) => each === null) ? "frozen" : "changed";
}

/**
 * Two cells may show the same, labels included, while their formulas ask for different companies. Once anything in
 * their column has changed, rows may have been sorted, and nothing identifies the cell of either.
 */
function* withoutDoubtful(found: readonly FrozenFormula[]): Steps<FrozenFormula[]> {
  const toColumn = ({ sheet, own }: FrozenFormula) => JSON.stringify([sheet, own.column]);
  const toKey = (each: FrozenFormula) =>
    JSON.stringify([toColumn(each), each.persisted.shown, each.persisted.labels?.shown]);
  const changed = new Set<string>();
  const meanings = new Map<string, Set<string>>();
  for (const each of found) {
    if (each.state === "changed") changed.add(toColumn(each));
    yield;
    if (each.state !== "frozen" && each.state !== "changed") continue;
    meanings.set(toKey(each), (meanings.get(toKey(each)) ?? new Set()).add(each.meaning));
  }
  return yield* mapInSteps(found, (each): FrozenFormula => {
    const isDoubtful = changed.has(toColumn(each)) && (meanings.get(toKey(each))?.size ?? 0) > 1;
    if (!isDoubtful || each.state !== "frozen") return each;
    return { ...each, state: "changed", label: each.persisted.labels?.text ?? "" };
  });
}
