import type { Frozen, Place, Scope } from "../../contract/workbook";
import { checkAsked, inExcel, type Where } from "./excel-run";
import { type FoundCell, findFeedCells, isErrorCode } from "./feed-cells";
import { keep, rewrite } from "./keeping";
import { type ShownChange, toRecord } from "./kept/record";
import { type Change, toChanges, toRanges, toRequests } from "./ranges";
import { withTells } from "./row-tells";
import { isFormulaLike, TEXT_FORMAT } from "./writing";

/** Puts values in the place of FEED formulas; those that show none are left. */
export function freeze(scope: Scope, asked?: readonly Place[]): Promise<Frozen> {
  return inExcel(async (context, where) => {
    const found = await findFeedCells(context, scope);
    checkAsked(found, asked);
    return freezeCells(context, where, found, toRecordId());
  });
}

/** Part of the names by which what is frozen at once is known. */
export const toRecordId = () => crypto.randomUUID().slice(0, 8);

/** Freezes cells. @param id of the record that their formulas are kept in */
export async function freezeCells(
  context: Excel.RequestContext,
  where: Where,
  found: readonly FoundCell[],
  id: string,
): Promise<Frozen> {
  // What else a spilled result holds is seen when it is read: its first cell alone tells nothing of it.
  const isLeft = ({ value, filled }: FoundCell) => isErrorCode(value) && filled.rows * filled.columns === 1;
  const changes = await readShown(context, where, toChanges(found.filter((cell) => !isLeft(cell))));
  const unsettled = changes.filter(isUnsettled);
  const left = [...found.filter(isLeft), ...unsettled.flatMap(({ cells }) => cells)];
  const shown = changes.filter((change) => !isUnsettled(change));
  if (shown.length > 0) await keepAndWrite(context, where, shown, id);
  return {
    formulas: found.length - left.length,
    left: left.map(({ sheet, address, formula, value }) => ({ sheet, address, formula, value })),
  };
}

async function readShown(
  context: Excel.RequestContext,
  where: Where,
  changes: Change<FoundCell>[],
): Promise<ShownChange[]> {
  const shown: ShownChange[] = [];
  for (const some of toRequests(changes)) {
    const ranges = toRanges(context, where, some);
    for (const { range } of ranges) range.load("values");
    await context.sync();
    for (const { range, change } of ranges) shown.push({ ...change, values: range.values });
  }
  return shown;
}

function isUnsettled({ values }: ShownChange): boolean {
  return values.flat().includes("#BUSY!") || values.flat().every(isErrorCode);
}

/** The workbook has the formulas before the first of them goes, so that nothing is lost where the page dies. */
async function keepAndWrite(
  context: Excel.RequestContext,
  where: Where,
  shown: ShownChange[],
  id: string,
): Promise<void> {
  const kept = await keep(context, await withTells(context, toRecord(id, shown)));
  const written: ShownChange[] = [];
  for (const changes of toRequests(shown)) written.push(...(await writeValues(context, where, changes)));
  // What came while the values were written is what the cells show from now on.
  const late = toRecord(id, written);
  const blocks = late.blocks.map((block, index) => ({ ...block, tells: kept.record.blocks[index]?.tells }));
  const record = { ...late, blocks };
  if (JSON.stringify(record.blocks) !== JSON.stringify(kept.record.blocks)) await rewrite(context, kept, record);
}

/** Excel's own pasting of values parses nothing, and keeps what a value carries, such as the format of a date. */
async function writeValues(context: Excel.RequestContext, where: Where, changes: ShownChange[]) {
  const ranges = toRanges(context, where, changes);
  for (const { range, change } of ranges) {
    change.values.forEach((row, r) => {
      row.forEach((value, c) => {
        if (isFormulaLike(value)) range.getCell(r, c).numberFormat = [[TEXT_FORMAT]];
      });
    });
    range.copyFrom(range, "Values");
    range.load("values");
  }
  await context.sync();
  return ranges.map(({ range, change }) => ({ ...change, values: range.values as ShownChange["values"] }));
}
