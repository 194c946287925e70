import type { FrozenCell, Place, Scope, Thawed } from "../../contract/workbook";
import { isTouching } from "../addresses";
import { checkAsked, inExcel, type Where } from "./excel-run";
import { readScope } from "./feed-cells";
import { findKept, type KeptCell } from "./frozen-cells";
import { forget, type Kept, rewrite } from "./keeping";
import { isSpilled, withoutCells } from "./kept/record";
import { toChanges, toRanges, toRequests } from "./ranges";
import { GENERAL, isFormulaLike } from "./writing";

/** Lists the cells of a scope whose formulas the workbook keeps. */
export function listFrozen(scope: Scope): Promise<FrozenCell[]> {
  return inExcel(async (context) => {
    const isMeant = await readMeaning(context, scope);
    return (await findKept(context)).filter(isMeant).flatMap(toFrozenCells);
  });
}

/** Brings back the formulas of a scope. */
export function thaw(scope: Scope, asked?: readonly Place[]): Promise<Thawed> {
  return inExcel(async (context, where) => {
    const isMeant = await readMeaning(context, scope);
    const found = await findKept(context);
    checkAsked(found.filter(isMeant).flatMap(toFrozenCells), asked);
    return thawCells(context, where, found, isMeant);
  });
}

/** Brings back the formulas of some of the cells that are kept; those of deleted cells are forgotten. */
export async function thawCells(
  context: Excel.RequestContext,
  where: Where,
  found: readonly KeptCell[],
  isMeant: (cell: KeptCell) => boolean,
): Promise<Thawed> {
  const back = found.filter((cell) => cell.state === "frozen" && isMeant(cell));
  for (const changes of toRequests(toChanges(back))) {
    for (const { range, change } of toRanges(context, where, changes)) {
      write(range, change.cells, isSpilled(change.area, change.cells.length));
    }
    await context.sync();
  }
  // Only now: whatever ends this on the way, a formula that is back is seen to be.
  const over = new Set([...back, ...found.filter(({ state }) => state === "stale" || state === "gone")]);
  for (const kept of new Set([...over].map((cell) => cell.kept))) await leaveOut(context, kept, over);
  return {
    formulas: back.length,
    left: found.filter((cell) => cell.state === "changed" && isMeant(cell)).flatMap(toFrozenCells),
    gone: found.filter(({ state }) => state === "gone").length,
  };
}

async function readMeaning(context: Excel.RequestContext, scope: Scope): Promise<(cell: KeptCell) => boolean> {
  if (scope === "workbook") return () => true;
  const { active, meant } = await readScope(context, scope);
  return ({ sheet, filled }) =>
    sheet === active.name && (meant === null || meant.some((area) => isTouching(area, filled)));
}

/** What spilled is in the way of the formula, and under the text format it would be none. */
function write(range: Excel.Range, cells: readonly KeptCell[], isSpill: boolean): void {
  const values = cells.flatMap((cell) => cell.values);
  values.forEach((row, r) => {
    row.forEach((value, c) => {
      if (isFormulaLike(value)) range.getCell(r, c).numberFormat = [[GENERAL]];
    });
  });
  if (isSpill) range.clear("Contents");
  const target = isSpill ? range.getCell(0, 0) : range;
  target.formulas = cells.map(({ formula }) => [formula]);
}

async function leaveOut(context: Excel.RequestContext, kept: Kept, over: ReadonlySet<KeptCell>): Promise<void> {
  const places = new Set([...over].filter((cell) => cell.kept === kept).map(({ at }) => at.join()));
  const record = withoutCells(kept.record, (...at) => places.has(at.join()));
  await (record === null ? forget(context, kept) : rewrite(context, kept, record));
}

const toFrozenCells = ({ sheet, address, formula, state }: KeptCell): FrozenCell[] =>
  state === "frozen" || state === "changed" ? [{ sheet, address, formula, isAsFrozen: state === "frozen" }] : [];
