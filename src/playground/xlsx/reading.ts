import { DEFAULT_LOCALE, helpers } from "@odoo/o-spreadsheet";
import { toAddress, toReference } from "../../xlsx/addresses";
import { type CellElement, readSheet } from "../../xlsx/cells";
import type { FunctionNames } from "../../xlsx/names";
import { type Package, XlsxRefused } from "../../xlsx/package";
import { readPart } from "../../xlsx/relationships";
import { readCells, type XlsxCell, type XlsxValue } from "../../xlsx/sheet";
import { clean, toElement } from "../../xlsx/stored-values";
import type { XlsxSheet, XlsxWorkbook } from "../../xlsx/workbook";
import { encode } from "../../xlsx/xml";
import { respell } from "./engine-parts";

/** Larger sheets are more than a tab can hold. */
const MOST_ROWS = 100_000;
const MOST_CELLS = 1_000_000;
/** Above this, formats of whole columns would be written into each of their cells. */
const MOST_ROWS_WITH_COLUMN_FORMATS = 1_000;

const AREA = /^(?:'(?:[^']|'')+'|[^'!,:()]+)!\$?[A-Z]*\$?\d*(?::\$?[A-Z]*\$?\d*)?$/;

/** The names of areas, which the engine's reader leaves out, and those of what is printed. */
export function readNames({ names }: XlsxWorkbook): Record<string, string> {
  const shown = names.map(({ name, sheet, formula }) => {
    return [name === "_xlnm.Print_Area" ? toPrintName(sheet ?? "") : name, formula] as const;
  });
  return Object.fromEntries(shown.filter(([name, area]) => AREA.test(area) && !name.startsWith("_xlnm.")));
}

/** The name of what is printed of a sheet; the engine has each name once, and Excel one for each sheet. */
export const toPrintName = (sheet: string) => `${sheet.replace(/[^\p{L}\p{N}]+/gu, "_")}.Print_Area`;

/**
 * Writes a sheet's part for the engine's reader: each cell's content as a person would type it.
 *
 * @throws XlsxRefused for a sheet that is damaged or too large
 */
export function writeSheet(pack: Package, workbook: XlsxWorkbook, sheet: XlsxSheet, names: FunctionNames): string {
  const text = readPart(pack, sheet.path);
  const contents = new Map<string, string>();
  for (const cell of readCells(pack, workbook, sheet).cells) contents.set(toKey(cell), toContent(cell, names));
  const rows: string[] = [];
  let [last, count] = [0, 0];
  const { data } = readSheet(text, ({ row, tag, cells }) => {
    [last, count] = [Math.max(last, row + 1), count + cells.length];
    if (last > MOST_ROWS || count > MOST_CELLS) throw new XlsxRefused("large");
    const written = cells.map((cell) => {
      const attributes = `r="${toAddress(cell.row, cell.column)}"${copy(cell, ["s"])}`;
      return `<c ${attributes} t="str">${contents.get(toKey(cell)) ?? ""}</c>`;
    });
    rows.push(`<row r="${row + 1}"${copy({ tag }, ROW)}>${written.join("")}</row>`);
  });
  const around = respell(`${text.slice(0, data.tag.start)}<${data.tag.tag.name}/>${text.slice(data.end)}`);
  const whole = around.replace("<sheetData>", (start) => start + rows.join(""));
  return last <= MOST_ROWS_WITH_COLUMN_FORMATS ? whole : whole.replace(/(<col [^>]*?) style="\d+"/g, "$1");
}

const ROW = ["ht", "customHeight", "hidden", "s", "outlineLevel", "collapsed"];

const toKey = ({ row, column }: { row: number; column: number }) => `${row} ${column}`;

const copy = ({ tag }: Pick<CellElement, "tag">, attributes: readonly string[]) =>
  attributes.map((name) => (tag.get(name) === undefined ? "" : ` ${name}="${tag.get(name)}"`)).join("");

/** The elements of a cell; the engine leaves spilled values out. */
function toContent({ row, column, value, formula, array }: XlsxCell, names: FunctionNames): string {
  if (formula === undefined) return toElement("", { text: clean(toEntry(value)) });
  const { rows, columns } = array ?? { rows: 1, columns: 1 };
  const area = { top: row, left: column, bottom: row + rows - 1, right: column + columns - 1 };
  const reference = array ? ` ref="${toReference(area)}"` : "";
  return `<f${reference}>${encode(toReadable(names.fromFile(formula)))}</f>`;
}

/** The content of a cell with this value, marked where the engine would take a text for something else. */
function toEntry(value: XlsxValue): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value !== "string") return typeof value === "number" ? String(value) : (value?.error ?? "");
  const isRead =
    /^[='#]|^(true|false)$/i.test(value) ||
    helpers.isNumber(value, DEFAULT_LOCALE) ||
    helpers.isDateTime(value, DEFAULT_LOCALE);
  return (isRead ? "'" : "") + value.replace(/\r\n?/g, "\n");
}

/** The engine has no quotes in texts of formulas, which a file doubles. */
const toReadable = (formula: string) =>
  formula.replace(/"(?:[^"]|"")*"/g, (text) =>
    /."".|""""/.test(text)
      ? `(${text
          .slice(1, -1)
          .split('""')
          .map((part) => `"${part}"`)
          .join("&CHAR(34)&")})`
      : text,
  );
