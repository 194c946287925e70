import type { CellValue, Place } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { inExcel } from "./excel-run";
import { type FoundCell, findFeedCells } from "./feed-cells";
import { type Change, toChanges, toRanges, toRequests } from "./ranges";
import { toFormat } from "./writing";

/** Implements `Workbook.repair`. */
export function repair(broken: readonly Place[]): Promise<number> {
  const places = new Set(broken.map(showPlace));
  return inExcel(async (context, where) => {
    const cells = (await findFeedCells(context, "workbook")).filter((cell) =>
      isBroken(cell.value, places.has(showPlace(cell))),
    );
    const anchors = cells.map((cell) => ({ ...cell, filled: cell.own }));
    for (const changes of toRequests(toChanges(anchors))) {
      const ranges = toRanges(context, where, changes);
      for (const { range } of ranges) range.load("numberFormat");
      await context.sync();
      for (const { range, change } of ranges) enter(range, change);
      await context.sync();
    }
    return cells.length;
  });
}

function isBroken(value: CellValue, isGiven: boolean): boolean {
  return value === "#NAME?" || (isGiven && (value === "#VALUE!" || value === "#BUSY!"));
}

/** The format comes before the formula: under the text format Excel would read it as a text. */
function enter(range: Excel.Range, { cells }: Change<FoundCell>): void {
  const formats = cells.map(({ formula }, row) => [toFormat({ formula }, range.numberFormat[row]?.[0])]);
  if (formats.flat().some((format) => format !== null)) range.numberFormat = formats;
  range.formulas = cells.map(({ formula }) => [formula]);
}
