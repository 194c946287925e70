import type { CellValue, NamedSheet, Place, SheetValues } from "../../contract/workbook";
import { isUnbounded, readPlace } from "../addresses";
import { inExcel, WAITING } from "./excel-run";
import { findUsed, toRows } from "./ranges";

/** Calls back when the selection changes; never where Excel has no such event. */
export const watchSelection = (listener: () => void): (() => void) =>
  watch(listener, ({ workbook }, handle) => workbook.onSelectionChanged.add(handle));

/** Calls back after an edit, in this Excel or another one that has the workbook open. */
export const watchEdits = (listener: () => void): (() => void) =>
  watch(listener, ({ workbook }, handle) => workbook.worksheets.onChanged.add(handle));

type Subscribe = (
  context: Excel.RequestContext,
  handle: () => Promise<void>,
) => Pick<OfficeExtension.EventHandlerResult<unknown>, "remove" | "context">;

/** Subscribes to an event of Excel; the result unsubscribes. */
function watch(listener: () => void, subscribe: Subscribe): () => void {
  let isOver = false;
  // It may wait for a cell's edit, since nothing depends on it.
  const watching = Excel.run(WAITING, async (context) => {
    const handler = subscribe(context, async () => {
      if (!isOver) listener();
    });
    await context.sync();
    return handler;
  });
  const end = async () => {
    const handler = await watching;
    handler.remove();
    await handler.context.sync();
  };
  watching.catch(() => {});
  return () => {
    isOver = true;
    end().catch(() => {});
  };
}

/** Reads the values of a reference; of whole columns and rows the used part. */
export function readValues(reference: string): Promise<CellValue[][]> {
  const { sheet, address } = readPlace(reference);
  return inExcel(
    async (context, where) => {
      const { worksheets } = context.workbook;
      if (sheet !== "") where.place = { sheet, address };
      const named = sheet === "" ? worksheets.getActiveWorksheet() : worksheets.getItem(sheet);
      const range = named.getRange(address);
      const wanted = isUnbounded(address) ? range.getUsedRangeOrNullObject(true) : range;
      wanted.load("values, valueTypes");
      await context.sync();
      if (wanted.isNullObject) return [];
      return toCellValues(wanted);
    },
    { InvalidArgument: "missing" }, // the person's text is no reference
  );
}

/** Reads the used cells of sheets; an empty or missing sheet is left out. */
export function readSheets(names: readonly string[]): Promise<SheetValues[]> {
  return inExcel(async (context) => {
    const sheets = [...new Set(names)].map((name) => ({
      name,
      sheet: context.workbook.worksheets.getItemOrNullObject(name),
    }));
    const read: SheetValues[] = [];
    for (const rows of toRows(await findUsed(context, sheets))) {
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

export function listSheets(): Promise<NamedSheet[]> {
  return inExcel(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load("items/id, items/name");
    await context.sync();
    return worksheets.items.map(({ id, name }) => ({ id, name }));
  });
}

/** The values of a range whose values and their types are loaded. */
export function toCellValues({ values, valueTypes }: Excel.Range): CellValue[][] {
  return values.map((row, r) => row.map((value, c) => (valueTypes[r]?.[c] === "Empty" ? null : value)));
}

/** Shows a place and selects it. */
export function show(place: Place): Promise<void> {
  return inExcel(async (context, where) => {
    where.place = place;
    const sheet = context.workbook.worksheets.getItem(place.sheet);
    sheet.activate();
    sheet.getRange(place.address).select();
    await context.sync();
  });
}

/** Reads the date system by the workbook's DATE function, since no property has it. */
export function readDateSystem(): Promise<1900 | 1904> {
  // Without the option, a cell that is being edited while the pane opens would make Excel refuse.
  return Excel.run({ delayForCellEdit: true }, async (context) => {
    const newYear = context.workbook.functions.date(2000, 1, 1);
    newYear.load("value");
    await context.sync();
    return newYear.value === SERIAL_OF_2000_IN_1904 ? 1904 : 1900;
  });
}

/** 2000-01-01 in a workbook that counts from 1904. */
const SERIAL_OF_2000_IN_1904 = 35_064;
