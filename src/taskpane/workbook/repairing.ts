import { toChanges, toRanges, toRequests } from "./changes";
import { inExcel } from "./excel-run";
import { findFeedCells } from "./feed-cells";

/** Writes formulas that show #NAME? back to themselves, and gives how many. */
export function repair(): Promise<number> {
  return inExcel(async (context, where) => {
    const lost = (await findFeedCells(context, "workbook")).filter(({ value }) => value === "#NAME?");
    for (const changes of toRequests(toChanges(lost))) {
      for (const { range, change } of toRanges(context, where, changes)) {
        range.formulas = change.cells.map(({ formula }) => [formula]);
      }
      await context.sync();
    }
    return lost.length;
  });
}
