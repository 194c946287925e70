import { type Block, countCells, intersect, showBlock } from "./excel-addresses";
import { type CellValue, EMPTY, LONGEST_TEXT, readEntry } from "./excel-entry";
import { HostError } from "./excel-errors";

export interface Cell extends CellValue {
  formula: string | null;
  format: string;
  style: string;
  alignment: string;
  /** What its formula spills over, itself included. */
  spill: Block | null;
  /** The cell whose formula spills into it. */
  anchor: Cell | null;
}

/** A native chart, by what was set on it. */
export interface Chart {
  type: string;
  place: string;
  /** What was set, by its path, such as "Title.Text". */
  set: Record<string, unknown>;
  series: Series[];
}

export interface Series {
  name: string;
  values: string;
  categories: string;
  set: Record<string, unknown>;
}

/** Rows that a formula shows. */
export type Shown = readonly (readonly CellValue["value"][])[];

/** A worksheet: cells, spills, and what a person sees of it. */
export class Sheet {
  name: string;
  readonly id: string;
  readonly charts: Chart[] = [];
  /** In points, by column address. */
  readonly widths: Record<string, number> = {};
  isProtected = false;
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

  /** The smallest block that holds all that stands in this one; null where nothing does. */
  usedIn(block: Block): Block | null {
    let used: Block | null = null;
    for (const [key, cell] of this.#cells) {
      const [row = 0, column = 0] = key.split(",").map(Number);
      const own = { top: row, left: column, bottom: row, right: column };
      if (cell.type !== "Empty" && intersect(block, own) !== null) used = used === null ? own : unite(used, own);
    }
    return used;
  }

  /** Inserts rows or columns before one, or deletes them where `count` is below 0. */
  shift(side: "row" | "column", from: number, count: number): void {
    const cells = [...this.#cells];
    this.#cells.clear();
    for (const [key, cell] of cells) {
      const [row = 0, column = 0] = key.split(",").map(Number);
      const line = shiftLine(side === "row" ? row : column, from, count);
      if (line !== null) this.#cells.set(side === "row" ? `${line},${column}` : `${row},${line}`, cell);
    }
  }

  /** Empties cells, and leaves their formats. */
  clear(block: Block): void {
    if (this.isProtected) throw new HostError("AccessDenied");
    for (const [row, column] of eachOf(block)) this.#clear(this.at(row, column));
  }

  /** Enters something as a person would. */
  enter(row: number, column: number, entered: string | number | boolean): void {
    if (String(entered).length > LONGEST_TEXT) throw new HostError("InvalidArgument");
    const cell = this.at(row, column);
    this.format(cell, cell.format);
    this.#clear(cell);
    Object.assign(cell, readEntry(entered, cell.format));
    if (cell.formula !== null) this.show(row, column, this.#calculate(cell.formula));
  }

  format(cell: Cell, format: string): void {
    if (this.isProtected) throw new HostError("AccessDenied");
    cell.format = format;
  }

  /** Has the formula of a cell show rows of values, in the cells below and beside it too. */
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

  /** Puts values in the place of what stands in the block, without parsing any. */
  keepValues(block: Block): void {
    if (this.isProtected) throw new HostError("AccessDenied");
    const kept = eachOf(block).map(([row, column]) => {
      const cell = this.at(row, column);
      return { cell, type: cell.type, value: cell.value };
    });
    for (const { cell } of kept) this.#clear(cell);
    for (const { cell, type, value } of kept) Object.assign(cell, { type, value });
  }

  /** Ends a spill: the cells it filled are empty again. */
  #release(anchor: Cell): void {
    for (const cell of this.#cells.values()) if (cell.anchor === anchor) Object.assign(cell, EMPTY, { anchor: null });
    anchor.spill = null;
  }

  /** Empties a cell; whatever comes into it is in the way of what spilled there. */
  #clear(cell: Cell): void {
    const { anchor } = cell;
    if (cell.spill !== null) this.#release(cell);
    if (anchor !== null) {
      this.#release(anchor);
      Object.assign(anchor, toShown("#SPILL!"));
    }
    Object.assign(cell, EMPTY, { formula: null });
  }
}

/** Where a row or column is after others were inserted before one, or deleted from it on; null where it is gone. */
export function shiftLine(line: number, from: number, count: number): number | null {
  if (line < from) return line;
  return count < 0 && line < from - count ? null : line + count;
}

/** Every cell of a block, row by row. */
export function eachOf({ top, left, bottom, right }: Block): [row: number, column: number][] {
  const cells: [number, number][] = [];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) cells.push([row, column]);
  }
  return cells;
}

/** The address of a single cell. */
export const showCell = (row: number, column: number) =>
  showBlock({ top: row, left: column, bottom: row, right: column });

/** What a formula gives is not parsed: a text stays a text, and only the codes of errors are errors. */
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
});
