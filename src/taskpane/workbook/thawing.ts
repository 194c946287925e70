import type { FrozenCell, Place, Scope, Thawed } from "../../contract/workbook";
import { isTouching, readPlace, type SheetArea, showArea } from "../addresses";
import { readsCells } from "../formula-text";
import {
  type Contents,
  checkConfirmed,
  decideThaw,
  isListed,
  type Judged,
  judge,
  lookAt,
  type Remembered,
  toFrozenCells,
} from "../frozen-cells";
import { followReferences } from "../references";
import { finishInSlices, mapInSteps, type Steps } from "../slices";
import { inExcel, type Where } from "./excel-run";
import { findFeedCells, readScope } from "./feed-cells";
import { type PersistedFormula, type PlacedRecord, readRecords, replaceRecord, withoutCells } from "./frozen-record";
import { type Change, makeAll, type PlacedCell, readContents, toChanges } from "./ranges";
import { GENERAL, isFormulaLike } from "./writing";

/** A frozen formula and the record that holds it; a dead copy holds its own. */
interface FoundFormula extends Remembered {
  record?: { stored: PlacedRecord; persisted: PersistedFormula };
}

interface FoundFormulas {
  found: Judged<FoundFormula>[];
  contents: Contents;
}

/** Lists the frozen cells of a scope, and its dead copies. */
export function listFrozen(scope: Scope): Promise<FrozenCell[]> {
  return inExcel(async (context) => {
    const { found, contents, isMeant } = await findAll(context, scope);
    return toFrozenCells(found, contents, isMeant);
  });
}

/** Restores the formulas of a scope. */
export function thaw(scope: Scope, expected?: readonly Place[]): Promise<Thawed> {
  return inExcel(async (context, where) => {
    const all = await findAll(context, scope);
    checkConfirmed(toFrozenCells(all.found, all.contents, all.isMeant), expected);
    return thawCells(context, where, all, all.isMeant);
  });
}

async function findAll(context: Excel.RequestContext, scope: Scope) {
  const isMeant = await readMeaning(context, scope);
  const { found, contents } = await findFrozen(context);
  return { found: [...found, ...(await findDead(context, scope))], contents, isMeant };
}

/** Finds the cells that hold their formula as a text: they lose nothing by its return, unless it reads other cells. */
async function findDead(context: Excel.RequestContext, scope: Scope): Promise<Judged<FoundFormula>[]> {
  const dead = (await findFeedCells(context, scope)).filter(({ isDead }) => isDead);
  return dead.map(({ sheet, filled, formula }) => {
    const state = readsCells(formula) ? "changed" : "frozen";
    return { at: { sheet, ...filled }, formula, isWhole: true, shown: "", label: "", state };
  });
}

/** Restores some frozen formulas; those of deleted cells are dropped. */
export async function thawCells(
  context: Excel.RequestContext,
  where: Where,
  { found, contents }: FoundFormulas,
  isMeant: (at: SheetArea) => boolean,
): Promise<Thawed> {
  const { back, over, left, gone } = decideThaw(found, isMeant);
  const cells = back.flatMap(({ at, formula }) => {
    if (at === null) return [];
    return [{ sheet: at.sheet, own: { ...at, rows: 1, columns: 1 }, filled: at, formula }];
  });
  await writeBack(context, where, cells, contents);
  // Only now: after an interruption, a restored formula is recognised as such.
  await forget(context, over);
  return { formulas: back.length, left: toFrozenCells(left, contents), gone };
}

/** Removes the formula of a frozen cell from the store. */
export const forgetFrozen = (cell: FrozenCell): Promise<void> =>
  inExcel(async (context) => {
    const { found } = await findFrozen(context);
    await forget(
      context,
      found.filter((each) => isListed(each, cell)),
    );
  });

/** Removes formulas from the store. */
async function forget(context: Excel.RequestContext, over: readonly FoundFormula[]): Promise<void> {
  const records = over.flatMap(({ record }) => record ?? []);
  const cells = new Set(records.map(({ persisted }) => persisted));
  for (const stored of new Set(records.map((record) => record.stored))) {
    const rest = await finishInSlices(withoutCells(stored.record, (cell) => cells.has(cell)));
    await replaceRecord(context, stored, rest);
  }
}

async function readMeaning(context: Excel.RequestContext, scope: Scope): Promise<(at: SheetArea) => boolean> {
  if (scope === "workbook") return () => true;
  const { active, meant } = await readScope(context, scope);
  return (at) => at.sheet === active.name && (meant === null || meant.some((area) => isTouching(area, at)));
}

type Returning = PlacedCell & { formula: string };

/** Writes formulas; clears spilled values and the text format, which would block them. */
const writeBack = (
  context: Excel.RequestContext,
  where: Where,
  cells: readonly Returning[],
  contents: Contents,
): Promise<void> =>
  makeAll(context, where, toChanges(cells), (range, { sheet, area, cells }: Change<Returning>) => {
    lookAt(contents, { sheet, ...area }).values.forEach((row, r) => {
      row.forEach((value, c) => {
        if (isFormulaLike(value)) range.getCell(r, c).numberFormat = [[GENERAL]];
      });
    });
    const isSpill = area.rows * area.columns !== cells.length;
    if (isSpill) range.clear("Contents");
    const target = isSpill ? range.getCell(0, 0) : range;
    target.formulas = cells.map(({ formula }) => [formula]);
  });

/** Finds all frozen formulas, the earliest first, with the cells of their sheets. */
export async function findFrozen(context: Excel.RequestContext): Promise<FoundFormulas> {
  const records = await readRecords(context);
  const places = records.flatMap((record) => record.places).filter((place) => place !== null);
  const contents = await readContents(context, new Set(places.map(({ sheet }) => sheet)));
  const recorded: FoundFormula[] = [];
  for (const record of records) for (const each of await finishInSlices(follow(record))) recorded.push(each);
  return { found: await finishInSlices(judge(recorded, contents)), contents };
}

/** Writes the formulas of a record for the present place of their cells, a formula a step. */
function* follow(stored: PlacedRecord): Steps<FoundFormula[]> {
  const { record, places } = stored;
  const numbers = new Map(record.areas.map((area, number) => [area, number]));
  const find = (number: number | undefined) => places[number ?? -1] ?? null;
  return yield* mapInSteps(record.cells, (persisted): FoundFormula => {
    const at = find(persisted.area);
    const { sheet } = readPlace(record.areas[persisted.area] as string);
    const followed = followReferences(persisted.formula, sheet, at?.sheet ?? sheet, (area) =>
      find(numbers.get(showArea(area))),
    );
    return {
      ...persisted,
      at,
      labels: persisted.labels === undefined ? undefined : find(persisted.labels),
      formula: followed ?? persisted.formula,
      isWhole: followed !== null,
      frozenAtMs: record.frozenAtMs,
      record: { stored, persisted },
    };
  });
}
