import type { Frozen, Place, Scope } from "../../contract/workbook";
import { readsCells } from "../formula-text";
import { finishInSlices, type Steps } from "../slices";
import { checkUnchanged, inExcel, type Where } from "./excel-run";
import { type FoundCell, findFeedCells, isErrorCode, toFeedCell } from "./feed-cells";
import { hasEqualShown, toRecord, withShown } from "./frozen-record";
import { type Change, type Contents, lookAt, readContents, toChanges, toRanges, toRequests } from "./ranges";
import { persistRecord, replaceRecord } from "./record-store";
import { isFormulaLike, TEXT_FORMAT } from "./writing";

/** Replaces FEED formulas by their values; formulas without a value stay. */
export function freeze(scope: Scope, expected?: readonly Place[]): Promise<Frozen> {
  return inExcel(async (context, where) => {
    const found = await findFeedCells(context, scope);
    checkUnchanged(found, expected);
    return freezeCells(context, where, found, toRecordId());
  });
}

/** A record's id, part of its hidden names. */
export const toRecordId = () => crypto.randomUUID().slice(0, 8);

/** Freezes cells. @param id of the record that persists their formulas */
export async function freezeCells(
  context: Excel.RequestContext,
  where: Where,
  found: readonly FoundCell[],
  id: string,
): Promise<Frozen> {
  const readSheets = () => readContents(context, new Set(found.map(({ sheet }) => sheet)));
  const contents = await readSheets();
  const { left, settled } = await finishInSlices(divide(found, contents));
  const changes = toChanges(settled);
  if (changes.length > 0) {
    const cells = changes.flatMap((change) => change.cells);
    // The file stores the formulas before the first is replaced, so that a crash loses none.
    const stored = await persistRecord(context, await finishInSlices(toRecord(id, cells, contents)));
    await writeValues(context, where, changes, contents);
    // Values that arrived during the writing are what the cells show now.
    const record = await finishInSlices(withShown(stored.record, await readSheets()));
    const isSame = record.cells.every((cell, index) => hasEqualShown(cell, stored.record.cells[index]));
    if (!isSame) await replaceRecord(context, stored, record);
  }
  return {
    formulas: found.length - left.length,
    left: left.map(toFeedCell),
  };
}

/** Divides cells into those that show a value and those that do not, or would come back uncertain; a cell a step. */
function* divide(
  found: readonly FoundCell[],
  contents: ReadonlyMap<string, Contents>,
): Steps<Record<"left" | "settled", FoundCell[]>> {
  const left: FoundCell[] = [];
  const settled: FoundCell[] = [];
  for (const cell of found) {
    const { values } = lookAt(contents, { sheet: cell.sheet, ...cell.filled });
    (isUnsettled(values) || (cell.isDead && readsCells(cell.formula)) ? left : settled).push(cell);
    yield;
  }
  return { left, settled };
}

function isUnsettled(values: unknown[][]): boolean {
  return values.flat().includes("#BUSY!") || values.flat().every(isErrorCode);
}

/** Excel's own pasting of values parses nothing, and keeps formats such as a date's. */
async function writeValues(
  context: Excel.RequestContext,
  where: Where,
  changes: readonly Change<FoundCell>[],
  contents: ReadonlyMap<string, Contents>,
): Promise<void> {
  for (const some of toRequests(changes)) {
    for (const { range, change } of toRanges(context, where, some)) {
      lookAt(contents, { sheet: change.sheet, ...change.area }).values.forEach((row, r) => {
        row.forEach((value, c) => {
          if (isFormulaLike(value)) range.getCell(r, c).numberFormat = [[TEXT_FORMAT]];
        });
      });
      range.copyFrom(range, "Values");
    }
    await context.sync();
  }
}
