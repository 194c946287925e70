import type { Place } from "../../contract/workbook";
import { type Area, readArea, toAddress } from "../addresses";
import { inExcel } from "./excel-run";

/** Most ranges in one request. */
const MOST_RANGES = 1_000;

/** Lists the rows of a place that are hidden; Excel tells of a range whether all, some or none of its rows are. */
export function listHiddenRows(place: Place): Promise<number[]> {
  return inExcel(async (context, where) => {
    where.place = place;
    const sheet = context.workbook.worksheets.getItem(place.sheet);
    const hidden: number[] = [];
    const due = [readArea(place.address)];
    while (due.length > 0) {
      const asked = due
        .splice(0, MOST_RANGES)
        .map((area) => ({ area, range: sheet.getRange(toAddress(area)).load("rowHidden") }));
      await context.sync();
      for (const { area, range } of asked) {
        const isHidden: boolean | null = range.rowHidden;
        if (isHidden === true) hidden.push(...Array.from({ length: area.rows }, (_, index) => area.row + index));
        else if (isHidden === null && area.rows > 1) due.push(...halve(area));
      }
    }
    return hidden.sort((one, other) => one - other);
  });
}

function halve(area: Area): Area[] {
  const upper = Math.floor(area.rows / 2);
  return [
    { ...area, rows: upper },
    { ...area, row: area.row + upper, rows: area.rows - upper },
  ];
}
