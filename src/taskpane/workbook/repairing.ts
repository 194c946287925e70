import type { CellValue, Place } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { inExcel } from "./excel-run";
import { type FoundCell, findFeedCells } from "./feed-cells";
import { type Change, toChanges, toRanges, toRequests } from "./ranges";
import { toFormat } from "./writing";

/** Implements `Workbook.repair`. */
export function repair(streamless: readonly Place[]): Promise<number> {
  const places = new Set(streamless.map(showPlace));
  return inExcel(async (context, where) => {
    const broken = (await findFeedCells(context, "workbook")).filter((cell) =>
      isBroken(cell.value, places.has(showPlace(cell))),
    );
    const anchors = broken.map((cell) => ({ ...cell, filled: cell.own }));
    for (const changes of toRequests(toChanges(anchors))) {
      const ranges = toRanges(context, where, changes);
      for (const { range } of ranges) range.load("numberFormat");
      await context.sync();
      for (const { range, change } of ranges) enter(range, change);
      await context.sync();
    }
    return broken.length;
  });
}

function isBroken(value: CellValue, isStreamless: boolean): boolean {
  return value === "#NAME?" || (isStreamless && (value === "#VALUE!" || value === "#BUSY!"));
}

/** The format comes before the formula: under the text format Excel would read it as a text. */
function enter(range: Excel.Range, { cells }: Change<FoundCell>): void {
  const formats = cells.map(({ formula }, row) => [toFormat({ formula }, range.numberFormat[row]?.[0])]);
  if (formats.flat().some((format) => format !== null)) range.numberFormat = formats;
  range.formulas = cells.map(({ formula }) => [formula]);
}
