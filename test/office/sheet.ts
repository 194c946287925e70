import { type Block, countCells, intersect } from "./addresses";
import { type CellValue, EMPTY, LONGEST_TEXT, readEntry } from "./cell-entry";
import { HostError } from "./errors";

export interface Cell extends CellValue {
  formula: string | null;
  format: string;
  style: string;
  alignment: string;
  /** The cells its formula spills over, itself included. */
  spill: Block | null;
  /** The cell whose formula spills into this one. */
  anchor: Cell | null;
  /** Whether it is one of several cells of an array formula that was entered with Ctrl+Shift+Enter. */
  isPartOfArray: boolean;
}

/** A native chart: the properties set on it. */
export interface Chart {
  type: string;
  place: string;
  /** Properties by path, such as "Title.Text". */
  set: Record<string, unknown>;
  series: Series[];
}

export interface Series {
  name: string;
  values: string;
  categories: string;
  set: Record<string, unknown>;
}

/** Rows of values that a formula results in. */
export type Shown = readonly (readonly CellValue["value"][])[];

export class Sheet {
  name: string;
  readonly id: string;
  readonly charts: Chart[] = [];
  /** Widths that were set, in points, by column such as "A:A". */
  readonly widths: Record<string, number> = {};
  /** Columns in outline groups. */
  readonly grouped: string[] = [];
  readonly conditionalFormats: { range: string; formula?: string; set: Record<string, unknown> }[] = [];
  /** What was set of the page layout. */
  readonly pageLayout: Record<string, unknown> = {};
  /** Rows, counted from 1, that a filter or a person hides. */
  readonly hiddenRows = new Set<number>();
  isProtected = false;
  /** Whether it is protected but for its cells. */
  isWidthProtected = false;
  frozenRows = 0;
  readonly #cells = new Map<string, Cell>();
  readonly #calculate: (formula: string) => Shown;

  constructor(name: string, id: string, calculate: (formula: string) => Shown) {
    this.name = name;
    this.id = id;
    this.#calculate = calculate;
  }

  at(row: number, column: number): Cell {
    const key = `${row},${column}`;
    const cell = this.#cells.get(key) ?? createCell();
    this.#cells.set(key, cell);
    return cell;
  }

  /** The used range inside a block; null if every cell is empty. */
  usedIn(block: Block): Block | null {
    let used: Block | null = null;
    for (const [key, cell] of this.#cells) {
      const [row = 0, column = 0] = key.split(",").map(Number);
      const own = { top: row, left: column, bottom: row, right: column };
      if (cell.type !== "Empty" && intersect(block, own) !== null) used = used === null ? own : unite(used, own);
    }
    return used;
  }

  /** Inserts rows or columns before `from`; deletes them if `count` is negative. */
  shift(side: "row" | "column", from: number, count: number): void {
    const cells = [...this.#cells];
    this.#cells.clear();
    for (const [key, cell] of cells) {
      const [row = 0, column = 0] = key.split(",").map(Number);
      const line = shiftLine(side === "row" ? row : column, from, count);
      if (line !== null) this.#cells.set(side === "row" ? `${line},${column}` : `${row},${line}`, cell);
    }
  }

  /** Empties cells; formats stay. */
  clear(block: Block): void {
    if (this.isProtected) throw new HostError("AccessDenied");
    for (const [row, column] of eachOf(block)) this.#clear(this.at(row, column));
  }

  /** Enters a value or a formula, parsed as a person's entry. */
  enter(row: number, column: number, entered: string | number | boolean): void {
    if (String(entered).length > LONGEST_TEXT) throw new HostError("InvalidArgument");
    const cell = this.at(row, column);
    this.format(cell, cell.format);
    if (cell.isPartOfArray) throw new HostError("InvalidOperation");
    this.#clear(cell);
    Object.assign(cell, readEntry(entered, cell.format));
    if (cell.formula !== null) this.show(row, column, this.#calculate(cell.formula));
  }

  format(cell: Cell, format: string): void {
    if (this.isProtected) throw new HostError("AccessDenied");
    cell.format = format;
  }

  /** Sets the result of a formula; rows and columns beyond the first cell spill. */
  show(row: number, column: number, rows: Shown): void {
    const anchor = this.at(row, column);
    const right = column + (rows[0]?.length ?? 1) - 1;
    const block = { top: row, left: column, bottom: row + rows.length - 1, right };
    this.#release(anchor);
    const cells = eachOf(block).map(([r, c]) => ({ cell: this.at(r, c), value: rows[r - row]?.[c - column] ?? "" }));
    if (cells.some(({ cell }) => cell !== anchor && cell.type !== "Empty")) {
      Object.assign(anchor, toShown("#SPILL!"));
      return;
    }
    for (const { cell, value } of cells) Object.assign(cell, toShown(value), cell !== anchor && { anchor });
    if (countCells(block) > 1) anchor.spill = block;
  }

  /** Replaces the formulas of a block by their values, which are not parsed. */
  freezeValues(block: Block): void {
    if (this.isProtected) throw new HostError("AccessDenied");
    if (this.#isCutting(block)) throw new HostError("InvalidOperation");
    const values = eachOf(block).map(([row, column]) => {
      const cell = this.at(row, column);
      return { cell, type: cell.type, value: cell.value };
    });
    for (const { cell } of values) this.#clear(cell);
    for (const { cell, type, value } of values) Object.assign(cell, { type, value });
  }

  /** Whether a block has a part of an array alone. */
  #isCutting({ top, left, bottom, right }: Block): boolean {
    const around = eachOf({
      top: Math.max(1, top - 1),
      left: Math.max(1, left - 1),
      bottom: bottom + 1,
      right: right + 1,
    });
    const isWithin = (row: number, column: number) => row >= top && row <= bottom && column >= left && column <= right;
    const formulas = new Set(
      around.map(([row, column]) => this.at(row, column)).map((cell) => (cell.isPartOfArray ? cell.formula : null)),
    );
    formulas.delete(null);
    return [...formulas].some((formula) => {
      const parts = around.filter(([row, column]) => this.at(row, column).formula === formula);
      return new Set(parts.map((at) => isWithin(...at))).size > 1;
    });
  }

  /** Ends a spill and empties the cells it filled. */
  #release(anchor: Cell): void {
    if (anchor.spill === null) return;
    for (const cell of this.#cells.values()) if (cell.anchor === anchor) Object.assign(cell, EMPTY, { anchor: null });
    anchor.spill = null;
  }

  /** Empties a cell; a spill through it becomes #SPILL!. */
  #clear(cell: Cell): void {
    const { anchor } = cell;
    if (cell.spill !== null) this.#release(cell);
    if (anchor !== null) {
      this.#release(anchor);
      Object.assign(anchor, toShown("#SPILL!"));
    }
    Object.assign(cell, EMPTY, { formula: null, isPartOfArray: false });
  }
}

/** The new index of a row or column after lines were inserted or deleted at `from`; null if it was deleted. */
export function shiftLine(line: number, from: number, count: number): number | null {
  if (line < from) return line;
  return count < 0 && line < from - count ? null : line + count;
}

export function eachOf({ top, left, bottom, right }: Block): [row: number, column: number][] {
  const cells: [number, number][] = [];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) cells.push([row, column]);
  }
  return cells;
}

/** Types a formula's result without parsing it: texts stay texts; only error codes are errors. */
function toShown(value: CellValue["value"]): CellValue {
  if (typeof value === "number") return { type: "Double", value };
  if (typeof value === "boolean") return { type: "Boolean", value };
  return { type: /^#(?:N\/A|[A-Z0-9/]+[!?])$/.test(value) ? "Error" : "String", value };
}

const unite = (one: Block, other: Block): Block => ({
  top: Math.min(one.top, other.top),
  left: Math.min(one.left, other.left),
  bottom: Math.max(one.bottom, other.bottom),
  right: Math.max(one.right, other.right),
});

const createCell = (): Cell => ({
  ...EMPTY,
  formula: null,
  format: "General",
  style: "Normal",
  alignment: "General",
  spill: null,
  anchor: null,
  isPartOfArray: false,
});
