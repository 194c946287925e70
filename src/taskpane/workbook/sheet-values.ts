import type { CellValue, SheetValues } from "../../contract/workbook";

import { inExcel } from "./excel-run";
import { toArea, toRows } from "./used-rows";

/** Reads what stands in the used cells of sheets; one that is empty or gone is left out. */
export function readSheets(names: readonly string[]): Promise<SheetValues[]> {
  return inExcel(async (context) => {
    const asked = [...new Set(names)].map((name) => {
      const sheet = context.workbook.worksheets.getItemOrNullObject(name);
      return { name, sheet, range: sheet.getUsedRangeOrNullObject(true).load("address") };
    });
    await context.sync();
    const read: SheetValues[] = [];
    const used = asked.flatMap(({ range, ...each }) => (range.isNullObject ? [] : [{ ...each, whole: toArea(range) }]));
    for (const rows of toRows(used)) {
      for (const { block } of rows) block.load("values, valueTypes");
      await context.sync();
      for (const { name, area, block } of rows) {
        const last = read.at(-1);
        if (last?.sheet === name) last.values.push(...toCellValues(block));
        else read.push({ sheet: name, row: area.row, column: area.column, values: toCellValues(block) });
      }
    }
    return read;
  });
}

/** The values of a range whose values and their types are loaded. */
export function toCellValues({ values, valueTypes }: Excel.Range): CellValue[][] {
  return values.map((row, r) => row.map((value, c) => (valueTypes[r]?.[c] === "Empty" ? null : value)));
}
