import { type Area, readReference } from "./addresses";
import { type CellElement, readSheet } from "./cells";
import { type Package, XlsxRefused } from "./package";
import { readPart } from "./relationships";
import { createShared, type Shared } from "./shared-formulas";
import type { XlsxSheet, XlsxWorkbook } from "./workbook";

/** null is no value. Dates are numbers, as the workbook counts them. */
export type XlsxValue = string | number | boolean | { readonly error: string } | null;

/** Rows and columns count from 0. */
export interface XlsxCell {
  readonly row: number;
  readonly column: number;
  /** Of a formula, its last value. */
  readonly value: XlsxValue;
  /** As it is stored, without "="; one that cells share is written out. */
  readonly formula?: string;
  /** The cells that its formula fills, where these may be more than its own. */
  readonly array?: { readonly rows: number; readonly columns: number; readonly isDynamic: boolean };
}

export interface SheetCells {
  readonly cells: XlsxCell[];
  /** The cells that are merged to one. */
  readonly merged: readonly Area[];
}

/**
 * Reads the cells of a sheet that have a value or a formula, in the order of its part. A data table's cells have their
 * values alone.
 *
 * @throws XlsxRefused for a part that is damaged
 */
export function readCells(pack: Package, workbook: XlsxWorkbook, sheet: XlsxSheet): SheetCells {
  const cells: XlsxCell[] = [];
  const late: (() => void)[] = [];
  const shared = new SharedFormulas();
  const add = (cell: CellElement) => {
    const { row, column } = cell;
    const [value, found] = [readValue(cell, workbook), shared.read(cell)];
    if (found === undefined && value === null) return;
    const nth = cells.length;
    const put = (formula: string | undefined) => {
      cells[nth] = { row, column, value, ...(formula && { formula }), ...readArray(cell, workbook) };
    };
    put(typeof found === "function" ? undefined : found);
    if (typeof found === "function") late.push(() => put(found()));
  };
  const { merged } = readSheet(readPart(pack, sheet.path), (row) => row.cells.forEach(add));
  for (const each of late) each();
  return { cells: cells.filter(({ value, formula }) => value !== null || formula !== undefined), merged };
}

function readArray({ tag, formula }: CellElement, { dynamicArrays }: XlsxWorkbook): Pick<XlsxCell, "array"> {
  if (formula?.tag.get("t") !== "array") return {};
  const area = readReference(formula.tag.get("ref") ?? "");
  const [rows, columns] = area ? [area.bottom - area.top + 1, area.right - area.left + 1] : [1, 1];
  return { array: { rows, columns, isDynamic: dynamicArrays.has(Number(tag.get("cm"))) } };
}

/** The formulas that cells of a sheet share: one cell has the text, the others its number. */
class SharedFormulas {
  readonly #shared = new Map<string, Shared[]>();

  /** The formula of a cell; undefined for none, a function where its text may still come, which is called at the end. */
  read({ row, column, formula }: CellElement): string | undefined | (() => string | undefined) {
    const [type, number = ""] = [formula?.tag.get("t"), formula?.tag.get("si")];
    if (formula === undefined || type === "dataTable") return undefined;
    const { tag, text } = formula;
    if (type !== "shared" || number === "" || (text !== "" && tag.get("ref") === undefined))
      return text === "" ? undefined : text;
    const known = this.#shared.get(number) ?? [];
    if (text === "") return known.at(-1)?.(row, column) ?? (() => this.#shared.get(number)?.[0]?.(row, column));
    this.#shared.set(number, [...known, createShared(text, row, column)]);
    return text;
  }
}

function readValue({ tag, values }: CellElement, { strings, isDate1904 }: XlsxWorkbook): XlsxValue {
  const type = tag.get("t") ?? "n";
  const { text } = values.find(({ isInline }) => isInline === (type === "inlineStr")) ?? values[0] ?? {};
  if (text === undefined) return null;
  if (type === "str" || type === "inlineStr") return text;
  if (text === "") return null;
  if (type === "e") return { error: text };
  if (type === "b") return text === "1" || text === "true";
  if (type === "s") return readShared(strings, text);
  const number = type === "d" ? readDate(text, isDate1904) : Number(text);
  return Number.isFinite(number) ? number : { error: "#NUM!" };
}

function readShared(strings: readonly string[], index: string): string {
  const text = strings[Number(index)];
  if (text === undefined) throw new XlsxRefused("damaged");
  return text;
}

const DAY_MS = 86_400_000;
/** The day before the first, and the last day before one that never was: 29 February 1900. */
const [BEFORE_1900, BEFORE_1904, FEBRUARY_1900] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1), Date.UTC(1900, 2, 1)];

/** A date or a time of ISO 8601 as a number; NaN for anything else. */
function readDate(text: string, isDate1904: boolean): number {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?Z?$/.exec(text) ?? [];
  if (date === undefined && time === undefined) return Number.NaN;
  const ms = Date.parse(`${date ?? "1970-01-01"}T${time ?? "00:00"}Z`);
  if (date === undefined) return ms / DAY_MS;
  if (isDate1904) return (ms - BEFORE_1904) / DAY_MS;
  return (ms - BEFORE_1900) / DAY_MS - (ms < FEBRUARY_1900 ? 1 : 0);
}
