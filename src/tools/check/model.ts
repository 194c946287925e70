import type { CellValue, Place, SheetContents } from "../../contract/workbook";
import { toAddress } from "../../taskpane/addresses";
import type { CheckInput, FeedFact, Figure } from "./finding";
import { type ParsedFormula, parseFormula, type Tree, toCalled } from "./grammar";

/** A cell's formula. */
export interface FormulaCell extends ParsedFormula {
  readonly key: CellKey;
  readonly text: string;
}

/** Parsed formulas by cell and text, so that a check after an edit parses only what is new. */
export type ParsedFormulas = Map<string, ParsedFormula>;

/** Formulas of cells that have changed since stay among the parsed ones, up to here. */
const MOST_PARSED = 500_000;

interface WrittenFormula {
  row: number;
  column: number;
  text: string;
}

/** The formulas of a sheet, row by row. */
export function* listFormulas({ row, column, formulas }: SheetContents): Iterable<WrittenFormula> {
  for (const [r, line] of formulas.entries()) {
    for (const [c, text] of line.entries()) if (text !== null) yield { row: row + r, column: column + c, text };
  }
}

/** Parses a formula unless that has been done. */
export function findParsed(parsed: ParsedFormulas, { row, column, text }: WrittenFormula): ParsedFormula {
  const address = toAddress({ row, column, rows: 1, columns: 1 });
  const id = `${address} ${text}`;
  const known = parsed.get(id) ?? parseFormula(text, address);
  parsed.set(id, known);
  return known;
}

/** A cell with a figure of the provider. */
export interface FigureCell {
  readonly key: CellKey;
  readonly figure: Figure;
}

/** Functions around a call that leave its figure what it is. */
const TRANSPARENT = new Set(["IFERROR", "IFNA", "ROUND", "ROUNDUP", "ROUNDDOWN", "N", "SINGLE"]);

/** The workbook as rules read it: cells by key, parsed formulas, facts of FEED cells. */
export class CheckedModel {
  readonly formulas = new Map<CellKey, FormulaCell>();
  readonly facts = new Map<CellKey, FeedFact>();
  /** Cells that show one figure of the provider, in the order of sheets and rows. */
  readonly figures = new Map<CellKey, FigureCell>();
  /** Formulas that could not be read, or at which a rule failed. */
  readonly unchecked = new Set<CellKey>();
  readonly #sheets: readonly SheetContents[];
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(
    readonly input: CheckInput,
    parsed: ParsedFormulas = new Map(),
  ) {
    this.#sheets = input.sheets;
    this.#indexes = new Map(input.sheets.map(({ sheet }, index) => [sheet.toLowerCase(), index]));
    for (const fact of input.facts) {
      const sheet = this.findSheet(fact.sheet);
      if (sheet !== null) this.facts.set(toKey(sheet, fact.row, fact.column), fact);
    }
    this.#parse(parsed);
    this.#listFigures();
  }

  findSheet(name: string): number | null {
    return this.#indexes.get(name.toLowerCase()) ?? null;
  }

  valueAt(key: CellKey): CellValue {
    const sheet = this.#sheets[sheetOf(key)];
    return sheet?.values[rowOf(key) - sheet.row]?.[columnOf(key) - sheet.column] ?? null;
  }

  /** Whether a cell holds a number that somebody typed. */
  isTyped(key: CellKey): boolean {
    return typeof this.valueAt(key) === "number" && !this.formulas.has(key) && this.facts.get(key) === undefined;
  }

  figureAt(key: CellKey | null): Figure | null {
    return key === null ? null : (this.figures.get(key)?.figure ?? null);
  }

  /** The used part of a sheet. */
  usedOf(index: number): SheetBlock {
    const { row = 0, column = 0, values = [] } = this.#sheets[index] ?? {};
    return {
      sheet: index,
      top: row,
      left: column,
      bottom: row + values.length - 1,
      right: column + (values[0]?.length ?? 0) - 1,
    };
  }

  toPlace(key: CellKey): Place {
    return this.toBlockPlace({
      sheet: sheetOf(key),
      top: rowOf(key),
      bottom: rowOf(key),
      left: columnOf(key),
      right: columnOf(key),
    });
  }

  toBlockPlace({ sheet, top, left, bottom, right }: SheetBlock): Place {
    const area = { row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 };
    return { sheet: this.#sheets[sheet]?.sheet ?? "", address: toAddress(area) };
  }

  /** The place around cells, those of the first one's sheet. */
  toPlaceAround(keys: readonly CellKey[]): Place {
    const [first = 0] = keys;
    return this.toBlockPlace(toBlockAround(keys.filter((key) => sheetOf(key) === sheetOf(first))));
  }

  #parse(parsed: ParsedFormulas): void {
    if (parsed.size > MOST_PARSED) parsed.clear();
    for (const [index, sheet] of this.#sheets.entries()) {
      for (const cell of listFormulas(sheet)) {
        const { tree, relative, skeleton } = findParsed(parsed, cell);
        const key = toKey(index, cell.row, cell.column);
        this.formulas.set(key, { tree, relative, skeleton, key, text: cell.text });
        if (tree === null) this.unchecked.add(key);
      }
    }
  }

  #listFigures(): void {
    for (const [key, { parts, isSpilled }] of this.facts) {
      const [figure] = parts;
      if (parts.length !== 1 || figure === null || figure === undefined) continue;
      const isShown = isSpilled || this.isShowing(this.formulas.get(key)?.tree ?? null);
      if (isShown && typeof this.valueAt(key) === "number") this.figures.set(key, { key, figure });
    }
  }

  /** Whether a formula shows the figure of its only call as it is. */
  isShowing(tree: Tree): boolean {
    if (tree?.type === "UnaryExpression") {
      return (tree.operator === "@" || tree.operator === "+") && this.isShowing(tree.arguments[0] ?? null);
    }
    const called = toCalled(tree);
    if (called === null) return false;
    const { name, given } = called;
    return this.isFeed(name) || (TRANSPARENT.has(toPlainName(name)) && this.isShowing(given[0] ?? null));
  }

  /** Looks at a formula; where that fails, the formula counts as unchecked, and the check goes on. */
  attempt<Result>(key: CellKey, look: () => Result): Result | null {
    try {
      return look();
    } catch {
      this.unchecked.add(key);
      return null;
    }
  }

  isFeed(name: string): boolean {
    return name.toUpperCase().startsWith(`${this.input.namespace.toUpperCase()}.`);
  }

  /** The cells beside a cell. */
  listNeighbours(key: CellKey): CellKey[] {
    const all = [move(key, 0, -1), move(key, 0, 1), move(key, -1, 0), move(key, 1, 0)];
    return all.filter((each) => each !== null);
  }

  /** Cells of a block, clipped to the used part of its sheet. */
  *listCells(block: SheetBlock): Iterable<CellKey> {
    const used = this.usedOf(block.sheet);
    yield* listKeys({
      sheet: block.sheet,
      top: Math.max(block.top, used.top),
      left: Math.max(block.left, used.left),
      bottom: Math.min(block.bottom, used.bottom),
      right: Math.min(block.right, used.right),
    });
  }
}

/** A function's name without the prefix that files give newer ones. */
export const toPlainName = (name: string): string => name.toUpperCase().replace(/^_XLFN\.(_XLWS\.)?/, "");

const SHEET_ROWS = 1_048_576;
const SHEET_COLUMNS = 16_384;

/** A cell of the workbook as one number, since tens of thousands are looked up. */
export type CellKey = number;

/** A block of cells of a sheet, both ends included, counted from 0. */
export interface SheetBlock {
  /** Index of the sheet. */
  sheet: number;
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export const toKey = (sheet: number, row: number, column: number): CellKey =>
  (sheet * SHEET_ROWS + row) * SHEET_COLUMNS + column;

export const sheetOf = (key: CellKey): number => Math.floor(key / (SHEET_ROWS * SHEET_COLUMNS));
export const rowOf = (key: CellKey): number => Math.floor(key / SHEET_COLUMNS) % SHEET_ROWS;
export const columnOf = (key: CellKey): number => key % SHEET_COLUMNS;

/** The cell so many rows and columns away; null beyond the sheet's edges. */
export function move(key: CellKey, rows: number, columns: number): CellKey | null {
  const [row, column] = [rowOf(key) + rows, columnOf(key) + columns];
  const isInside = row >= 0 && column >= 0 && row < SHEET_ROWS && column < SHEET_COLUMNS;
  return isInside ? toKey(sheetOf(key), row, column) : null;
}

/** The cells of a block, row by row. */
function* listKeys({ sheet, top, left, bottom, right }: SheetBlock): Iterable<CellKey> {
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) yield toKey(sheet, row, column);
  }
}

export const isWithin = (key: CellKey, { sheet, top, left, bottom, right }: SheetBlock): boolean =>
  sheetOf(key) === sheet &&
  rowOf(key) >= top &&
  rowOf(key) <= bottom &&
  columnOf(key) >= left &&
  columnOf(key) <= right;

/** The smallest block around cells of one sheet. */
function toBlockAround(keys: readonly CellKey[]): SheetBlock {
  const [first = 0] = keys;
  const block = { sheet: sheetOf(first), top: rowOf(first), left: columnOf(first), bottom: 0, right: 0 };
  for (const key of keys) {
    block.top = Math.min(block.top, rowOf(key));
    block.left = Math.min(block.left, columnOf(key));
    block.bottom = Math.max(block.bottom, rowOf(key));
    block.right = Math.max(block.right, columnOf(key));
  }
  return block;
}

/** Cells with figures that touch one another, row by row. */
export type FigureBlock = readonly FigureCell[];

/** Finds the blocks of a workbook's figures. */
export function listFigureBlocks(model: CheckedModel): FigureBlock[] {
  const left = new Set(model.figures.keys());
  const blocks: FigureBlock[] = [];
  for (const first of model.figures.keys()) {
    if (!left.delete(first)) continue;
    const keys = [first];
    for (const key of keys) {
      for (const next of model.listNeighbours(key)) if (left.delete(next)) keys.push(next);
    }
    blocks.push(keys.sort((one, other) => one - other).map((key) => model.figures.get(key) as FigureCell));
  }
  return blocks;
}

/** The metric of a figure, with its statement. */
export const toMetricKey = ({ statement, metric }: Figure): string => `${statement}.${metric}`;

/** Groups cells by a text. */
export function groupBy<Item>(items: Iterable<Item>, read: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = read(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The keys of cells. */
export const toKeys = (cells: readonly { key: CellKey }[]): CellKey[] => cells.map(({ key }) => key);
