import { load, type Model } from "@odoo/o-spreadsheet";
import { SHEET_SIZE } from "./workbook";
import { fromDataUrl, pack, unpack, XlsxRefused } from "./xlsx/archive";
import { type FunctionNames, listSheetNames, prepareParts } from "./xlsx/reading";
import { type AddIn, addSettings, readSettings } from "./xlsx/settings";
import { completeSheet } from "./xlsx/writing";

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
    parts.set(file.path, sheetId === undefined ? file.content : completeSheet(file.content, model, sheetId, names));
  }
  addSettings(parts, settings, addIn);
  return pack(parts);
}

/**
 * Reads an .xlsx as a workbook that the engine opens, with the add-in's settings.
 *
 * @param onUnreadable called where some settings are left out, since they cannot be read
 * @throws XlsxRefused
 */
export function readXlsx(bytes: Uint8Array, names: FunctionNames, onUnreadable: () => void = () => {}): object {
  const parts = unpack(bytes);
  const order = listSheetNames(parts);
  if (order.length === 0 || parts["[Content_Types].xml"] === undefined) throw new XlsxRefused("damaged");
  const data = readParts(prepareParts(parts, names));
  if (data.sheets.length === 0) throw new XlsxRefused("damaged");
  data.sheets.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  for (const sheet of data.sheets) {
    sheet.colNumber = Math.max(sheet.colNumber, SHEET_SIZE.cols);
    sheet.rowNumber = Math.max(sheet.rowNumber, SHEET_SIZE.rows);
  }
  return { ...data, documentSettings: readSettings(parts, onUnreadable) };
}

function readParts(parts: object) {
  try {
    return load(parts);
  } catch {
    throw new XlsxRefused("damaged");
  }
}
