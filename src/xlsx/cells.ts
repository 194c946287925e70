import { type Area, readAddress, readReference } from "./addresses";
import { XlsxRefused } from "./package";
import { readXml, type Span, StringText, type Tag, toText, trim } from "./xml";

/** An element: its opening tag, and where its end is. */
export interface Element {
  readonly tag: Tag;
  /** Behind its closing tag. */
  end: number;
}

/** A cell as its sheet's part has it. */
export interface CellElement extends Element {
  readonly row: number;
  readonly column: number;
  formula?: Element & { text: string };
  /** Its value, or its text within the cell; both where a file has them. */
  readonly values: (Span & { readonly isInline: boolean; readonly text: string })[];
}

export interface RowElement extends Element {
  row: number;
  readonly cells: CellElement[];
}

/** What stands around a sheet's cells. */
export interface SheetElements {
  readonly data: Element;
  /** The area that its cells take, as the part has it. */
  readonly dimension: Tag | undefined;
  /** Its columns with their properties. */
  readonly columns: readonly Tag[];
  /** The cells that are merged to one. */
  readonly merged: readonly Area[];
}

type OnRow = (row: RowElement, columns: readonly Tag[]) => void;

/**
 * Reads a sheet's part.
 *
 * @param onRow is told of each row with its cells, in the part's order, and of the sheet's columns
 * @throws XlsxRefused for what is no sheet
 */
export function readSheet(text: string, onRow: OnRow): SheetElements {
  const reader = new SheetReader(onRow);
  readXml(text, {
    open: (tag, path) => reader.open(tag, path),
    text: (each) => reader.take(each),
    close: (name, end, path) => reader.close(name, end, path),
  });
  return reader.finish();
}

class SheetReader {
  readonly #onRow: OnRow;
  readonly #columns: Tag[] = [];
  readonly #merged: Area[] = [];
  readonly #inline = new StringText();
  #dimension: Tag | undefined;
  #data: Element | undefined;
  #row: RowElement | undefined;
  #cell: CellElement | undefined;
  /** The last row's and cell's places: those without address follow them. */
  #lastRow = -1;
  #lastColumn = -1;
  /** The element of a formula, a value or a text within a cell that is being read. */
  #part: Tag | undefined;
  #text = "";

  constructor(onRow: OnRow) {
    this.#onRow = onRow;
  }

  open(tag: Tag, path: readonly string[]): void {
    const { name } = tag;
    if (path.length > 5 || (path.length === 5 && this.#part)) this.#inline.open(tag, path);
    else if (path[1] === "sheetData") this.#openInData(tag, path.length);
    else if (path.length === 1 && name === "sheetData") this.#data = { tag, end: tag.end };
    else if (path.length === 1 && name === "dimension") this.#dimension = tag;
    else if (path.length === 2 && path[1] === "cols" && name === "col") this.#columns.push(tag);
    else if (path.length === 2 && name === "mergeCell")
      this.#merged.push(...[readReference(tag.get("ref") ?? "") ?? []].flat());
    else if (path.length === 0 && name !== "worksheet") throw new XlsxRefused("damaged");
  }

  #openInData(tag: Tag, depth: number): void {
    const { name } = tag;
    if (depth === 2 && name === "row") this.#openRow(tag);
    else if (depth === 3 && name === "c" && this.#row) this.#openCell(tag, this.#row);
    else if (depth === 4 && this.#cell && (name === "f" || name === "v" || name === "is")) {
      this.#part = tag;
      this.#text = "";
    }
  }

  #openRow(tag: Tag): void {
    const row = Number(tag.get("r") ?? this.#lastRow + 2) - 1;
    if (!Number.isInteger(row) || row < 0) throw new XlsxRefused("damaged");
    this.#row = { tag, end: tag.end, row, cells: [] };
    [this.#lastRow, this.#lastColumn] = [row, -1];
  }

  #openCell(tag: Tag, row: RowElement): void {
    const { cells } = row;
    const address = tag.get("r");
    const [ofRow, column] = (address === undefined ? [row.row, this.#lastColumn + 1] : readAddress(address)) ?? [];
    if (ofRow === undefined || column === undefined) throw new XlsxRefused("damaged");
    if (cells.length === 0 && row.tag.get("r") === undefined) row.row = this.#lastRow = ofRow; // no number of its own
    if (ofRow !== row.row) throw new XlsxRefused("damaged");
    this.#cell = { tag, end: tag.end, row: ofRow, column, values: [] };
    this.#lastColumn = column;
    cells.push(this.#cell);
  }

  take(text: string): void {
    if (this.#part?.name === "is") this.#inline.take(text);
    else if (this.#part) this.#text += text;
  }

  close(name: string, end: number, path: readonly string[]): void {
    const depth = path.length;
    if (depth > 4) this.#inline.close();
    else if (depth === 4 && this.#part) this.#closePart(this.#part, end);
    else if (depth === 3 && this.#cell) {
      this.#cell.end = end;
      this.#cell = undefined;
    } else if (depth === 2 && name === "row" && this.#row) {
      this.#row.end = end;
      this.#onRow(this.#row, this.#columns);
      this.#row = undefined;
    } else if (depth === 1 && name === "sheetData" && this.#data) this.#data.end = end;
  }

  #closePart(tag: Tag, end: number): void {
    this.#part = undefined;
    if (!this.#cell) return;
    if (tag.name === "f") {
      this.#cell.formula = { tag, end, text: this.#text.trim() };
      return;
    }
    const isInline = tag.name === "is";
    const text = isInline ? this.#inline.finish() : toText(trim(this.#text, tag.isPreserving));
    this.#cell.values.push({ start: tag.start, end, isInline, text });
  }

  finish(): SheetElements {
    if (!this.#data) throw new XlsxRefused("damaged");
    return { data: this.#data, dimension: this.#dimension, columns: this.#columns, merged: this.#merged };
  }
}
