import { createCharts } from "./charts";
import { HostError } from "./errors";
import { createNames, createOwnNames, createTables, createXmlParts } from "./names-and-parts";
import { createPageLayout } from "./page-layout";
import { createAreas, createRange, findRange, WHOLE } from "./ranges";
import { type HostObject, set } from "./requests";
import type { Sheet } from "./sheet";
import type { ExcelWorkbook } from "./workbook";

/** 2000-01-01 by the first year of the date serials. */
const NEW_YEAR_2000 = { 1900: 36_526, 1904: 35_064 };

export function createRoot(book: ExcelWorkbook): HostObject {
  return {
    open: {
      Worksheets: () => createWorksheets(book),
      Names: () => createNames(book),
      Tables: () => createTables(book),
      CustomXmlParts: () => createXmlParts(book),
      Application: () => createApplication(book),
      Protection: () => ({ read: { Protected: () => book.isStructureProtected } }),
      Functions: () => createFunctions(book),
      GetActiveCell: () => createRange(book, book.active, book.activeCell),
      GetSelectedRanges: () => {
        if (book.selection === null) throw new HostError("InvalidSelection");
        return createAreas(book, book.active, book.selection);
      },
    },
    call: {},
  };
}

function createApplication(book: ExcelWorkbook): HostObject {
  return {
    open: {
      CreateWorkbook: (base64: string) => ({ id: "created", call: { Open: () => void book.copies.push(base64) } }),
    },
    read: { CalculationMode: () => book.calculationMode, DecimalSeparator: () => book.local.decimal },
    write: { CalculationMode: set(book, "calculationMode") },
  };
}

/** `workbook.functions`, with DATE(2000,1,1) alone. */
function createFunctions(book: ExcelWorkbook): HostObject {
  const compute = () => {
    book.computed.push("Date");
    return { read: { Value: () => NEW_YEAR_2000[book.dateSystem] } };
  };
  return { open: { Date: compute } };
}

function createWorksheets(book: ExcelWorkbook): HostObject {
  const find = (key: string) => {
    const sheet = book.find(key);
    if (sheet === undefined) throw new HostError("ItemNotFound");
    return createWorksheet(book, sheet);
  };
  return {
    items: () => book.sheets.map((sheet) => createWorksheet(book, sheet)),
    open: {
      "": find,
      GetItem: find,
      GetItemOrNullObject: (key: string) => (book.find(key) === undefined ? null : find(key)),
      GetActiveWorksheet: () => createWorksheet(book, book.active),
      Add: (name: string) => createWorksheet(book, book.addSheet(name)),
    },
    call: { _RegisterDataChangedEvent: () => {}, _UnregisterDataChangedEvent: () => {} },
  };
}

function createWorksheet(book: ExcelWorkbook, sheet: Sheet): HostObject {
  const freezePanes: HostObject = { call: { FreezeRows: set(sheet, "frozenRows") } };
  return {
    id: sheet.id,
    read: { Name: () => sheet.name, Id: () => sheet.id },
    open: {
      GetRange: (address?: string) => (!address ? createRange(book, sheet, WHOLE) : findRange(book, sheet, address)),
      GetUsedRangeOrNullObject: () => {
        const used = sheet.usedIn(WHOLE);
        return used === null ? null : createRange(book, sheet, used);
      },
      FreezePanes: () => freezePanes,
      Names: () => createOwnNames(book, sheet.name),
      Charts: () => createCharts(sheet),
      PageLayout: () => createPageLayout(sheet),
    },
    call: {
      Activate: () => {
        book.active = sheet;
      },
      Delete: () => book.removeSheet(sheet),
    },
  };
}
