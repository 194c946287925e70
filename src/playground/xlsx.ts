import { helpers, load, type Model } from "@odoo/o-spreadsheet";
import { ROW_PX, SHEET_SIZE } from "./workbook";
import { fromDataUrl, pack, unpack, XlsxRefused } from "./xlsx/archive";
import { type FunctionNames, listSheetNames, prepareParts, readNames } from "./xlsx/reading";
import { type AddIn, addSettings, readSettings } from "./xlsx/settings";
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
  return pack(parts);
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
  const parts = unpack(bytes);
  const order = listSheetNames(parts);
  if (order.length === 0 || parts["[Content_Types].xml"] === undefined) throw new XlsxRefused("damaged");
  const data = readParts(prepareParts(parts, names));
  if (data.sheets.length === 0) throw new XlsxRefused("damaged");
  data.sheets.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  for (const sheet of data.sheets) {
    sheet.colNumber = Math.max(sheet.colNumber, SHEET_SIZE.cols);
    sheet.rowNumber = Math.max(sheet.rowNumber, SHEET_SIZE.rows);
    // A row without a height of its own is as high as what it holds.
    for (const row of Object.values(sheet.rows)) if (row.size === ROW_PX) delete row.size;
    const areas = Object.entries(sheet.formats).flatMap(([area, id]) => (data.formats[id] === "@" ? [area] : []));
    const texts = areas.map(helpers.toZone);
    for (const [xc, content] of Object.entries(sheet.cells))
      if (typeof content === "string" && texts.some((zone) => helpers.overlap(helpers.toZone(xc), zone)))
        sheet.cells[xc] = content.replace(/^'/, ""); // which would be shown in that format
  }
  const { [FROZEN]: frozenCells, ...documentSettings } = readSettings(parts, onUnreadable);
  return { ...data, namedRanges: readNames(parts), frozenCells, documentSettings };
}

function readParts(parts: object) {
  try {
    return load(parts);
  } catch {
    throw new XlsxRefused("damaged");
  }
}
