import type { CellValue, NamedSheet, Place, Selection, SheetValues } from "../../contract/workbook";
import type { Session } from "../../session/session";
import { isTouching, isUnbounded, readArea, readFormulaPlace, readPlace } from "../addresses";
import { readShownFormula } from "../formula-text";
import { learn } from "../separators";
import { inExcel, WAITING } from "./excel-run";
import { findUsed, readRows } from "./ranges";

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
    for await (const rows of readRows(context, await findUsed(context, sheets), "values, valueTypes")) {
      const { name, area, block } = rows;
      const last = read.at(-1);
      if (last?.sheet === name) last.values.push(...toCellValues(block));
      else read.push({ sheet: name, row: area.row, column: area.column, values: toCellValues(block) });
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

/** Reads what is selected; of several areas, the one with the active cell. Its formula tells the person's separators. */
export function readSelection(): Promise<Selection> {
  return inExcel(async (context) => {
    const { workbook } = context;
    const active = workbook.getActiveCell();
    active.load("address, formulas, formulasLocal, values");
    workbook.application.load("decimalSeparator");
    const anchor = active.getSpillParentOrNullObject();
    anchor.load("address");
    const { areas } = workbook.getSelectedRanges();
    areas.load("items/address");
    await context.sync();
    learn(active.formulas[0]?.[0], active.formulasLocal[0]?.[0], workbook.application.decimalSeparator);
    const cell = readPlace(active.address);
    const places = areas.items.map(({ address }) => readPlace(address));
    const selected = places.find(({ address }) => isTouching(readArea(address), readArea(cell.address))) ?? cell;
    const isSpilledInto = !anchor.isNullObject && anchor.address !== active.address;
    const formula = isSpilledInto ? null : readShownFormula(active.formulas[0]?.[0], active.values[0]?.[0]);
    return { ...selected, cell: cell.address, formula: formula ?? "" };
  });
}

/** Formulas come by thousands as a workbook opens. */
const READ_AFTER_MS = 2_000;
/** One with two arguments is among the first. */
const MOST_CELLS = 20;

/** Learns the separators of the person's Excel from cells with live formulas; a cell may hold another one by now. */
export function readLocalFormulas({ calls, ports }: Pick<Session, "calls" | "ports">): void {
  const read = async (context: Excel.RequestContext) => {
    const { application, worksheets } = context.workbook;
    application.load("decimalSeparator");
    const places = calls.list().flatMap(({ address }) => readFormulaPlace(address) ?? []);
    const cells = places
      .slice(0, MOST_CELLS)
      .map(({ sheet, address }) => worksheets.getItem(sheet).getRange(address).load("formulas, formulasLocal"));
    await context.sync();
    for (const { formulas, formulasLocal } of cells)
      learn(formulas[0]?.[0], formulasLocal[0]?.[0], application.decimalSeparator);
  };
  // A sheet may have another name by now; then a selected cell tells them.
  ports.after(READ_AFTER_MS, () => void inExcel(read, {}, WAITING).catch(() => {}));
}
