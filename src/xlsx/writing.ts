import { type Area, ROWS, readReference, toAddress, toReference } from "./addresses";
import { type CellElement, type RowElement, readSheet, type SheetElements } from "./cells";
import { Edits } from "./edits";
import type { Package } from "./package";
import { readPart } from "./relationships";
import type { XlsxValue } from "./sheet";
import { hasValue, type StoredValue, toElement, toStored } from "./stored-values";
import type { XlsxSheet, XlsxWorkbook } from "./workbook";
import { encode, isOn, readXml, type Tag } from "./xml";

/** A cell's new value. Rows and columns count from 0. */
export interface CellChange {
  readonly row: number;
  readonly column: number;
  /** null takes the value out. */
  readonly value: XlsxValue;
  /** The new size of the area that its formula fills, where the file has one for it. */
  readonly array?: { readonly rows: number; readonly columns: number };
  /** In place of the cell's formula, where it has one of its own: as it is stored, without "=". */
  readonly formula?: string;
}

/**
 * Writes values into a sheet: all else in its part keeps its place and its characters. A cell or a row is made where
 * there is none, with the style that stands there; a formula stays as it is, but for the area that it fills. What it
 * filled before and fills no more is emptied.
 *
 * @throws XlsxRefused for a part that is damaged
 */
export function writeCells(pack: Package, sheet: XlsxSheet, changes: readonly CellChange[]): void {
  const writer = new SheetWriter(readPart(pack, sheet.path), changes);
  pack.write(sheet.path, writer.write());
}

/** A place in a row, and what is to stand there. */
type RowChanges = Map<number, CellChange>;

class SheetWriter {
  readonly #edits: Edits;
  readonly #changes = new Map<number, RowChanges>();
  /** Each row of the part with its place. */
  readonly #rows: { row: number; start: number }[] = [];
  /** What formulas filled before, and what they fill now. */
  #emptied: { before: Area; now: Area }[] = [];
  /** The cells that were made. */
  #made: Area | undefined;

  constructor(text: string, changes: readonly CellChange[]) {
    this.#edits = new Edits(text);
    for (const change of changes) {
      const ofRow: RowChanges = this.#changes.get(change.row) ?? new Map();
      this.#changes.set(change.row, ofRow.set(change.column, change));
    }
  }

  write(): string {
    const sheet = readSheet(this.#edits.text, (row, columns) => this.#writeRow(row, columns));
    this.#addRows(sheet);
    this.#extendDimension(sheet.dimension);
    return this.#edits.apply();
  }

  #writeRow(row: RowElement, columns: readonly Tag[]): void {
    this.#rows.push({ row: row.row, start: row.tag.start });
    this.#emptied = this.#emptied.filter(({ before }) => before.bottom >= row.row);
    const changes = this.#changes.get(row.row);
    this.#changes.delete(row.row);
    if (changes === undefined && this.#emptied.length === 0) return;
    const missing = new Map(changes);
    for (const cell of row.cells) {
      const change = changes?.get(cell.column);
      missing.delete(cell.column);
      if (change) this.#writeCell(cell, change);
      else if (cell.formula === undefined && this.#isEmptied(cell)) this.#writeValue(cell, null);
    }
    this.#addCells(row, missing, columns);
  }

  #isEmptied = ({ row, column }: CellElement) =>
    this.#emptied.some(({ before, now }) => isInside(before, row, column) && !isInside(now, row, column));

  #writeCell(cell: CellElement, { row, column, value, array, formula: text }: CellChange): void {
    const formula = cell.formula?.tag;
    if (cell.formula && text !== undefined && formula?.get("t") !== "shared")
      this.#edits.setContent(cell.formula, encode(text));
    if (array && formula?.get("t") === "array") {
      const now = { top: row, left: column, bottom: row + array.rows - 1, right: column + array.columns - 1 };
      const before = readReference(formula.get("ref") ?? "");
      if (before) this.#emptied.push({ before, now });
      this.#edits.setAttribute(formula, "ref", toReference(now));
    }
    this.#writeValue(cell, toStored(value));
  }

  #writeValue(cell: CellElement, stored: StoredValue | null): void {
    if (hasValue(cell, stored)) return;
    const { tag, formula, values } = cell;
    const type = stored === null || stored.type === "n" ? null : stored.type;
    if (type !== null || tag.get("t") !== "n") this.#edits.setAttribute(tag, "t", type);
    this.#edits.setAttribute(tag, "vm", null); // which says what else the old value was
    const element = stored ? toElement(toPrefix(tag), stored) : "";
    const [kept] = values;
    for (const { start, end } of values) this.#edits.replace(start, end, start === kept?.start ? element : "");
    if (kept || element === "") return;
    if (formula) this.#edits.replace(formula.end, formula.end, element);
    else this.#edits.append(cell, element);
  }

  /** Makes the cells of a row that it does not have, each in its place. */
  #addCells(row: RowElement, missing: RowChanges, columns: readonly Tag[]): void {
    const rowStyle = isOn(row.tag.get("customFormat")) ? row.tag.get("s") : undefined;
    const made = [...missing.values()].flatMap((change) => {
      const cell = this.#toCell(toPrefix(row.tag), change, rowStyle ?? findStyle(columns, change.column));
      return cell === "" ? [] : [{ column: change.column, cell }];
    });
    made.sort((one, other) => one.column - other.column);
    for (const { column, cell } of made) {
      const next = row.cells.find((each) => each.column > column)?.tag.start;
      if (next !== undefined) this.#edits.replace(next, next, cell);
    }
    const last = made.filter(({ column }) => row.cells.every((each) => each.column < column));
    if (last.length > 0) this.#edits.append(row, last.map(({ cell }) => cell).join(""));
    this.#extendSpans(row.tag, made);
  }

  #extendSpans(row: Tag, made: readonly { readonly column: number }[]): void {
    const spans = row.get("spans")?.split(/[\s:]+/) ?? [];
    const bounds = spans.filter((each) => each !== "").map(Number);
    if (bounds.length === 0) return;
    const columns = made.map(({ column }) => column + 1);
    const [first, last] = [Math.min(...bounds), Math.max(...bounds)];
    if (columns.every((column) => column >= first && column <= last)) return;
    this.#edits.setAttribute(row, "spans", `${Math.min(first, ...columns)}:${Math.max(last, ...columns)}`);
  }

  /** Makes the rows that the part does not have. */
  #addRows({ data, columns }: SheetElements): void {
    const prefix = toPrefix(data.tag);
    const rows = this.#rows.toSorted((one, other) => one.row - other.row);
    const last: string[] = [];
    let at = 0;
    for (const [row, changes] of [...this.#changes].toSorted(([one], [other]) => one - other)) {
      const inOrder = [...changes.values()].toSorted((one, other) => one.column - other.column);
      const cells = inOrder.map((each) => this.#toCell(prefix, each, findStyle(columns, each.column))).join("");
      if (cells === "") continue;
      const element = `<${prefix}row r="${row + 1}">${cells}</${prefix}row>`;
      while ((rows[at]?.row ?? ROWS) < row) at++;
      const next = rows[at]?.start;
      if (next === undefined) last.push(element);
      else this.#edits.replace(next, next, element);
    }
    if (last.length > 0) this.#edits.append(data, last.join(""));
  }

  /** A new cell; "" where it would have no value. */
  #toCell(prefix: string, { row, column, value }: CellChange, style: string | undefined): string {
    const stored = toStored(value);
    if (stored === null) return "";
    const { top = row, left = column, bottom = row, right = column } = this.#made ?? {};
    this.#made = {
      ...{ top: Math.min(top, row), left: Math.min(left, column) },
      ...{ bottom: Math.max(bottom, row), right: Math.max(right, column) },
    };
    const ofStyle = style === undefined || style === "0" ? "" : ` s="${style}"`;
    const type = stored.type === "n" ? "" : ` t="${stored.type}"`;
    return `<${prefix}c r="${toAddress(row, column)}"${ofStyle}${type}>${toElement(prefix, stored)}</${prefix}c>`;
  }

  #extendDimension(dimension: Tag | undefined): void {
    const before = readReference(dimension?.get("ref") ?? "");
    const made = this.#made;
    if (!dimension || !before || !made) return;
    const [top, left] = [Math.min(before.top, made.top), Math.min(before.left, made.left)];
    const [bottom, right] = [Math.max(before.bottom, made.bottom), Math.max(before.right, made.right)];
    if (isInside(before, top, left) && isInside(before, bottom, right)) return;
    this.#edits.setAttribute(dimension, "ref", toReference({ top, left, bottom, right }));
  }
}

const isInside = ({ top, left, bottom, right }: Area, row: number, column: number) =>
  row >= top && row <= bottom && column >= left && column <= right;

const toPrefix = ({ tag }: Tag) => (tag.prefix === "" ? "" : `${tag.prefix}:`);

/** The style that a column gives to its cells. */
const findStyle = (columns: readonly Tag[], column: number) =>
  columns.find((each) => Number(each.get("min")) <= column + 1 && column + 1 <= Number(each.get("max")))?.get("style");

/** What stands before the workbook's properties of calculation. */
const BEFORE_CALCULATION = ["sheets", "functionGroups", "externalReferences", "definedNames"];

/**
 * Has Excel calculate the whole workbook when it opens it.
 *
 * @throws XlsxRefused for a part that is damaged
 */
export function calculateAtOpening(pack: Package, { path }: XlsxWorkbook): void {
  const edits = new Edits(readPart(pack, path));
  let [properties, last]: (Tag | undefined)[] = [];
  let end = 0;
  readXml(edits.text, {
    open(tag, around) {
      if (around.length !== 1) return;
      if (tag.name === "calcPr") properties = tag;
      if (BEFORE_CALCULATION.includes(tag.name)) last = tag;
    },
    close(name, at, around) {
      if (around.length === 1 && BEFORE_CALCULATION.includes(name)) end = at;
    },
  });
  if (properties) edits.setAttribute(properties, "fullCalcOnLoad", "1");
  else edits.replace(end, end, `<${last ? toPrefix(last) : ""}calcPr fullCalcOnLoad="1"/>`);
  pack.write(path, edits.apply());
}
