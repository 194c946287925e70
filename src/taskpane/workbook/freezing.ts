import type { Frozen, Place, Scope } from "../../contract/workbook";
import { checkUnchanged, inExcel, type Where } from "./excel-run";
import { type FoundCell, findFeedCells, isErrorCode } from "./feed-cells";
import { toRecord, withShown } from "./frozen-record";
import { type Change, type Contents, lookAt, readContents, toChanges, toRanges, toRequests } from "./ranges";
import { persistRecord, replaceRecord } from "./record-store";
import { isFormulaLike, TEXT_FORMAT } from "./writing";

/** Puts values in the place of FEED formulas; those that show none are left. */
export function freeze(scope: Scope, expected?: readonly Place[]): Promise<Frozen> {
  return inExcel(async (context, where) => {
    const found = await findFeedCells(context, scope);
    checkUnchanged(found, expected);
    return freezeCells(context, where, found, toRecordId());
  });
}

/** Part of the names of what is frozen at once. */
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
  const isLeft = (cell: FoundCell) => isUnsettled(lookAt(contents, { sheet: cell.sheet, ...cell.filled }).values);
  const left = found.filter(isLeft);
  const changes = toChanges(found.filter((cell) => !isLeft(cell)));
  if (changes.length > 0) {
    const cells = changes.flatMap((change) => change.cells);
    // The file has the formulas before the first of them goes, so that nothing is lost where the page dies.
    const stored = await persistRecord(context, toRecord(id, cells, contents));
    await writeValues(context, where, changes, contents);
    // What came while the values were written is what the cells show from now on.
    const record = withShown(stored.record, await readSheets());
    if (JSON.stringify(record) !== JSON.stringify(stored.record)) await replaceRecord(context, stored, record);
  }
  return {
    formulas: found.length - left.length,
    left: left.map(({ sheet, address, formula, value }) => ({ sheet, address, formula, value })),
  };
}

function isUnsettled(values: unknown[][]): boolean {
  return values.flat().includes("#BUSY!") || values.flat().every(isErrorCode);
}

/** Excel's own pasting of values parses nothing, and keeps what a value carries, such as the format of a date. */
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
