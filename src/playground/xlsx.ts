import { helpers, load, type Model } from "@odoo/o-spreadsheet";
import type { FunctionNames } from "../xlsx/names";
import { openPackage, packParts, XlsxRefused } from "../xlsx/package";
import { type AddIn, addSettings, readSettings } from "../xlsx/settings";
import { readWorkbook } from "../xlsx/workbook";
import { ROW_PX, SHEET_SIZE } from "./workbook";
import { fromDataUrl, type Parts, toEngineParts } from "./xlsx/engine-parts";
import { readNames, writeSheet } from "./xlsx/reading";
import { addNames, addProgram, completeSheet } from "./xlsx/writing";

const SHEET = /^xl\/worksheets\/sheet(\d+)\.xml$/;

/** What the add-in has in a workbook's file. */
interface OfAddIn {
  names: FunctionNames;
  /** Default none. */
  settings?: Readonly<Record<string, unknown>>;
  addIn: AddIn;
}

/** Writes a workbook as an .xlsx: formulas that Excel calculates with the add-in, and values that it shows without. */
export async function writeXlsx(model: Model, ofAddIn: OfAddIn): Promise<Uint8Array<ArrayBuffer>> {
  const { names, settings = {}, addIn } = ofAddIn;
  const { files } = await model.exportXLSX();
  const sheetIds = model.getters.getSheetIds();
  const parts = new Map<string, string | Uint8Array>();
  for (const file of files) {
    if (!("content" in file)) {
      parts.set(file.path, fromDataUrl(file.imageSrc));
      continue;
    }
    const sheetId = sheetIds[Number(SHEET.exec(file.path)?.[1] ?? -1)];
    const isSheet = sheetId !== undefined;
    parts.set(file.path, isSheet ? completeSheet(file.content, model, sheetId, names) : addNames(file.content, model));
  }
  addProgram(parts);
  addSettings(parts, { ...settings, ...readFrozen(model) }, addIn);
  return packParts(parts);
}

/** The name under which a file has the formulas of frozen cells; the reader's sheets have their names as ids. */
const FROZEN = "feed-playground-frozen";

function readFrozen(model: Model): object {
  const { listFrozenFormulas } = model.getters as unknown as { listFrozenFormulas(): unknown[] };
  if (listFrozenFormulas().length === 0) return {}; // the engine's export visits each place of each sheet
  const { frozenCells } = model.exportData() as unknown as { frozenCells: Record<string, { sheetId: string }> };
  for (const each of Object.values(frozenCells)) each.sheetId = model.getters.getSheetName(each.sheetId);
  return { [FROZEN]: frozenCells };
}

/**
 * Reads an .xlsx as a workbook that the engine opens, with the add-in's settings.
 *
 * @param onUnreadable called where some settings are left out, since they cannot be read
 * @throws XlsxRefused
 */
export function readXlsx(bytes: Uint8Array, names: FunctionNames, onUnreadable: () => void = () => {}): object {
  const pack = openPackage(bytes);
  const workbook = readWorkbook(pack);
  const parts = toEngineParts(pack, workbook, (sheet) => writeSheet(pack, workbook, sheet, names));
  const data = readParts(parts);
  for (const sheet of data.sheets) {
    sheet.colNumber = Math.max(sheet.colNumber, SHEET_SIZE.cols);
    sheet.rowNumber = Math.max(sheet.rowNumber, SHEET_SIZE.rows);
    // A row without a height of its own is as high as what it holds.
    for (const row of Object.values(sheet.rows)) if (row.size === ROW_PX) delete row.size;
    if (workbook.isDate1904) shiftDates(sheet, data.formats);
    const areas = Object.entries(sheet.formats).flatMap(([area, id]) => (data.formats[id] === "@" ? [area] : []));
    const texts = areas.map(helpers.toZone);
    for (const [xc, content] of Object.entries(sheet.cells))
      if (typeof content === "string" && texts.some((zone) => helpers.overlap(helpers.toZone(xc), zone)))
        sheet.cells[xc] = content.replace(/^'/, ""); // which would be shown in that format
  }
  const { [FROZEN]: frozenCells, ...documentSettings } = readSettings(pack, onUnreadable);
  return { ...data, namedRanges: readNames(workbook), frozenCells, documentSettings };
}

/** What formats of dates have beside those of times. */
const OF_DATES = /[yd]|mmm/i;
/** Words of a format that stand for themselves, and colours. */
const WORDS = /"[^"]*"|\\.|\[[^\]]*\]/g;
const DAYS_FROM_1900_TO_1904 = 1_462;

/** Counts the dates of a workbook from 1900 that counts them from 1904; the engine knows no other. */
function shiftDates(
  { cells, formats }: ReturnType<typeof readParts>["sheets"][number],
  codes: Record<string, string>,
): void {
  for (const [xc, id] of Object.entries(formats)) {
    const [content, format = ""] = [cells[xc], codes[id]];
    if (!content || Number.isNaN(Number(content)) || !OF_DATES.test(format.replace(WORDS, ""))) continue;
    cells[xc] = String(Number(content) + DAYS_FROM_1900_TO_1904);
  }
}

function readParts(parts: Parts) {
  try {
    return load(parts);
  } catch {
    throw new XlsxRefused("damaged");
  }
}
