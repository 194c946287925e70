import { DEFAULT_LOCALE } from "@odoo/o-spreadsheet";
import type { XlsxCell, XlsxValue } from "../xlsx/sheet";
import { type Area, type Book, LAST_COLUMN, LAST_ROW, type Place } from "./book";
import {
  callFunction,
  createContext,
  type Given,
  isError,
  type Matrix,
  type Result,
  toEngineCode,
  type Value,
} from "./library";
import type { Grid, Translation } from "./translation";

/** A cell of the workbook, with its present calculation. */
export class GridCell implements Place {
  /** Whether its formula is calculated; otherwise it has the file's value. */
  isLive = false;
  /** The cell whose array formula fills this one. */
  anchor: GridCell | null = null;
  /** Its present value, and the pass in which that was calculated. */
  result: Value;
  pass = 0;
  isBusy = false;
  /** The size of what it fills at present. */
  rows = 1;
  columns = 1;
  /** Whether Excel's result may be another. */
  isDoubtful = false;

  constructor(
    readonly sheet: number,
    readonly row: number,
    readonly column: number,
    /** The file's value. */
    readonly stored: XlsxValue,
    readonly translation: Translation | null,
    readonly array: XlsxCell["array"],
  ) {
    this.rows = array?.rows ?? 1;
    this.columns = array?.columns ?? 1;
    this.known = { value: toEngineValue(stored), position: { sheetId: String(sheet), row, col: column } };
    this.result = this.known;
  }

  /** The file's value, as the engine has it. */
  readonly known: Value & { position: Position };

  get areas(): readonly Area[] {
    return this.translation?.areas ?? [];
  }

  get readsAll(): boolean {
    return this.translation?.readsAll ?? false;
  }
}

type Position = NonNullable<Value["position"]>;

const toEngineValue = (stored: XlsxValue): Value["value"] =>
  stored !== null && typeof stored === "object" ? toEngineCode(stored.error) : stored;

const EMPTY: Value = { value: null };
export const BUSY = "#BUSY!";
export const CYCLE = "#CYCLE";
const SPILL = "#SPILL!";

/** Deeper chains of formulas are calculated from their beginning. */
const DEEPEST = 200;

/** Ends the calculation of a chain, to calculate a cell further down first. */
class TooDeep extends Error {
  /** The engine takes it for an error of a cell. */
  readonly value = CYCLE;

  constructor(readonly cell: GridCell) {
    super("too deep");
  }
}

/** How often spills may move each other before the last state stands. */
const MOST_PASSES = 20;
/** Ranges are kept within a pass, as long as all of them are no larger. */
const MOST_KEPT = 5_000_000;

/** The cells of a workbook, calculated as they are read. */
export class CellGrid implements Grid {
  /** By sheet, column and row. */
  readonly #cells: (GridCell | undefined)[][][] = [];
  readonly #context;
  readonly #stack: GridCell[] = [];
  readonly #kept = new Map<string, Matrix>();
  readonly #asked = new Set<string>();
  #keptCells = 0;
  #pass = 0;
  #deep: TooDeep | null = null;
  #grown: GridCell[] = [];
  #hasGrown = false;
  /** Whether all cells have the file's values. */
  #isAsFile = false;
  rowCount = 1;
  columnCount = 1;
  /** The cells that need each other's values. */
  readonly cycles = new Map<GridCell, readonly GridCell[]>();
  /** Called as the calculation of a cell begins. */
  onBegin: (cell: GridCell) => void = () => {};

  constructor(book: Book) {
    this.#context = createContext({
      getFormulaResult: ({ sheetId, row, col }: Position) => this.cell(Number(sheetId), row, col),
      getters: {
        getNamedRange: () => undefined,
        getRangeFromSheetXC: (_: string, reference: string) => this.#toRange(reference, book),
      },
    });
  }

  /** A reference that a function has made of a text; undefined where it cannot be read here. */
  #toRange(reference: string, book: Book) {
    try {
      const area = book.readArea(reference, this.#stack.at(-1)!);
      const bottom = Math.min(area.bottom, area.top + this.rowCount);
      const right = Math.min(area.right, area.left + this.columnCount);
      return { sheetId: String(area.sheet), zone: { top: area.top, left: area.left, bottom, right } };
    } catch {
      return undefined;
    }
  }

  add(cell: GridCell): GridCell {
    const { sheet, row, column } = cell;
    this.#cells[sheet] ??= [];
    const columns = this.#cells[sheet];
    columns[column] ??= [];
    columns[column][row] = cell;
    this.rowCount = Math.max(this.rowCount, row + 1);
    this.columnCount = Math.max(this.columnCount, column + 1);
    return cell;
  }

  find(sheet: number, row: number, column: number): GridCell | undefined {
    return this.#cells[sheet]?.[column]?.[row];
  }

  /** The other cells that an array formula fills, or filled in the file. */
  listAllMembers(cell: GridCell): GridCell[] {
    const { array, sheet, row, column } = cell;
    const members: GridCell[] = [];
    if (array === undefined) return members;
    for (let down = 0; down < Math.max(cell.rows, array.rows); down++) {
      for (let across = 0; across < Math.max(cell.columns, array.columns); across++) {
        const member = this.find(sheet, row + down, column + across);
        if (member?.anchor === cell) members.push(member);
      }
    }
    return members;
  }

  cell(sheet: number, row: number, column: number): Value {
    return (
      this.#read(this.find(sheet, row, column)) ?? {
        value: null,
        position: { sheetId: String(sheet), row, col: column },
      }
    );
  }

  #read(cell: GridCell | undefined): Value | null {
    if (cell === undefined) return null;
    if (this.#isAsFile) return cell.known;
    if (cell.isLive) return this.#calculate(cell);
    if (!cell.anchor?.isLive) return cell.known;
    const { value } = this.#calculate(cell.anchor);
    if (value === BUSY || value === CYCLE) return { value };
    return cell.pass === this.#pass ? cell.result : null;
  }

  /** A cell's value after a calculation; null for an empty cell. */
  present(cell: GridCell): Value["value"] {
    if (cell.isLive) return cell.result.value;
    if (!cell.anchor?.isLive) return cell.known.value;
    return cell.pass === this.#pass ? cell.result.value : null;
  }

  range({ sheet, top, left, bottom, right }: Area): Matrix {
    const rows = Math.min(bottom - top, this.rowCount) + 1;
    const columns = Math.min(right - left, this.columnCount) + 1;
    const key = `${sheet} ${top} ${left} ${rows} ${columns}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const matrix = Array.from({ length: columns }, (_, column) => {
      const cells = this.#cells[sheet]?.[left + column];
      const values = new Array<Value>(rows);
      for (let row = 0; row < rows; row++) values[row] = this.#read(cells?.[top + row]) ?? EMPTY;
      return values;
    });
    matrix[0]![0] = this.cell(sheet, top, left);
    this.#keep(key, matrix, rows * columns);
    return matrix;
  }

  /** Keeps a range that is read again, as lookups find faster in the same one. */
  #keep(key: string, matrix: Matrix, size: number): void {
    if (!this.#asked.has(key)) return void this.#asked.add(key);
    this.#keptCells += size;
    if (this.#keptCells > MOST_KEPT) this.#forget();
    else this.#kept.set(key, matrix);
  }

  #forget(): void {
    this.#kept.clear();
    this.#keptCells = 0;
    Object.assign(this.#context, {
      locale: DEFAULT_LOCALE,
      lookupCaches: { forwardSearch: new Map(), reverseSearch: new Map() },
    });
  }

  spill({ sheet, row, column }: Place): Area | null {
    const cell = this.find(sheet, row, column);
    if (cell === undefined) return null;
    const { value } = this.#read(cell) ?? EMPTY;
    if (value === SPILL || cell.array === undefined) return null;
    return { sheet, top: row, left: column, bottom: row + cell.rows - 1, right: column + cell.columns - 1 };
  }

  call(name: string, given: Given[]): Result {
    const result = callFunction(this.#context, name, given, () => this.doubt());
    if (this.#deep) throw this.#deep;
    return result;
  }

  doubt(): void {
    const cell = this.#stack.at(-1);
    if (cell) cell.isDoubtful = true;
  }

  /** Tells each formula's result by the file's values of all other cells; null where Excel's may be another. */
  try(cells: Iterable<GridCell>, tell: (cell: GridCell, result: Matrix | null) => void): void {
    this.#isAsFile = true;
    this.#begin();
    for (const cell of cells) {
      cell.isDoubtful = false;
      const result = this.#toMatrix(cell, this.#run(cell));
      tell(cell, cell.isDoubtful ? null : result);
    }
    this.#isAsFile = false;
  }

  /** Calculates cells anew, until no spill moves another. */
  calculate(cells: Iterable<GridCell>): void {
    this.#hasGrown = true;
    for (let pass = 0; this.#hasGrown && pass < MOST_PASSES; pass++) {
      this.#hasGrown = false;
      this.#begin();
      this.cycles.clear();
      for (const cell of cells) this.#calculateFrom(cell);
    }
  }

  /** The cells that spills have come to since the last call. */
  takeGrown(): GridCell[] {
    const grown = this.#grown;
    this.#grown = [];
    return grown;
  }

  #begin(): void {
    this.#pass++;
    this.#asked.clear();
    this.#forget();
  }

  #calculateFrom(first: GridCell): void {
    const chain = [first];
    for (let cell = chain.at(-1); cell !== undefined; cell = chain.at(-1)) {
      try {
        if (cell.isLive) this.#calculate(cell);
        chain.pop();
      } catch (error) {
        if (!(error instanceof TooDeep)) throw error;
        this.#deep = null;
        if (chain.includes(error.cell)) this.#endCycle(chain.slice(chain.indexOf(error.cell)));
        else chain.push(error.cell);
      }
    }
  }

  #endCycle(cells: readonly GridCell[]): void {
    for (const cell of cells) {
      this.cycles.set(cell, cells);
      cell.pass = this.#pass;
      cell.result = { value: CYCLE };
    }
  }

  #calculate(cell: GridCell): Value {
    if (cell.pass === this.#pass) return cell.result;
    if (cell.isBusy) {
      const cycle = this.#stack.slice(this.#stack.indexOf(cell));
      for (const each of cycle) this.cycles.set(each, cycle);
      return { value: CYCLE };
    }
    if (this.#stack.length > DEEPEST) {
      this.#deep = new TooDeep(cell);
      throw this.#deep;
    }
    cell.isDoubtful = false;
    this.onBegin(cell);
    this.#place(cell, this.#toMatrix(cell, this.#run(cell)));
    if (this.cycles.has(cell)) cell.result = { value: CYCLE };
    cell.pass = this.#pass;
    return cell.result;
  }

  #run(cell: GridCell): Result {
    const before = this.#context.__originCellPosition;
    this.#context.__originCellPosition = cell.known.position;
    cell.isBusy = true;
    this.#stack.push(cell);
    try {
      return cell.translation!.run!(this);
    } catch (error) {
      if (error instanceof TooDeep) throw error;
      const { value } = error as { value?: Value["value"] };
      return { value: isError(value) ? value : "#ERROR" };
    } finally {
      this.#stack.pop();
      cell.isBusy = false;
      this.#context.__originCellPosition = before;
    }
  }

  /** What a formula fills: a fixed array its own cells exactly, any other array as many as there are. */
  #toMatrix({ array }: GridCell, result: Result): Matrix {
    const matrix = Array.isArray(result) ? result : [[result]];
    if (array === undefined) return [[matrix[0]?.[0] ?? EMPTY]];
    if (array.isDynamic) return matrix.length === 0 || matrix[0]!.length === 0 ? [[{ value: "#CALC!" }]] : matrix;
    const [columns, rows] = [matrix.length, matrix[0]?.length ?? 0];
    return Array.from({ length: array.columns }, (_, column) =>
      Array.from(
        { length: array.rows },
        (_, row) => matrix[columns === 1 ? 0 : column]?.[rows === 1 ? 0 : row] ?? { value: "#N/A" },
      ),
    );
  }

  #place(cell: GridCell, matrix: Matrix): void {
    const { sheet, row, column } = cell;
    const [columns, rows] = [matrix.length, matrix[0]!.length];
    const isMany = columns > 1 || rows > 1;
    [cell.rows, cell.columns] = [rows, columns];
    const isBlocked =
      isMany && (row + rows - 1 > LAST_ROW || column + columns - 1 > LAST_COLUMN || this.#isBlocked(cell));
    if (isBlocked) [cell.rows, cell.columns] = [1, 1];
    cell.result = isBlocked ? { value: SPILL } : toPlaced(matrix[0]![0]!, cell);
    if (!isMany || isBlocked) return;
    for (let across = 0; across < columns; across++) {
      for (let down = 0; down < rows; down++) {
        if (across === 0 && down === 0) continue;
        const member = this.find(sheet, row + down, column + across) ?? this.#grow(cell, down, across);
        if (member.anchor !== cell) this.#take(member, cell);
        member.result = toPlaced(matrix[across]![down]!, member);
        member.pass = this.#pass;
      }
    }
  }

  #isBlocked(cell: GridCell): boolean {
    for (let across = 0; across < cell.columns; across++) {
      for (let down = 0; down < cell.rows; down++) {
        if (across === 0 && down === 0) continue;
        const member = this.find(cell.sheet, cell.row + down, cell.column + across);
        if (member !== undefined && member.anchor !== cell && isFull(member)) return true;
      }
    }
    return false;
  }

  #grow(cell: GridCell, down: number, across: number): GridCell {
    return this.add(new GridCell(cell.sheet, cell.row + down, cell.column + across, null, null, undefined));
  }

  #take(member: GridCell, anchor: GridCell): void {
    member.anchor = anchor;
    this.#grown.push(member);
    this.#hasGrown = true;
  }
}

/** Whether a cell is in the way of another's spill. */
function isFull({ translation, anchor, stored, row, column }: GridCell): boolean {
  if (translation !== null) return true;
  if (anchor === null) return stored !== null;
  if (!anchor.isLive) return stored !== null;
  return row < anchor.row + anchor.rows && column < anchor.column + anchor.columns;
}

/** A value as a cell has it: nothing is 0. */
const toPlaced = ({ value, message }: Value, { known }: GridCell): Value => ({
  value: value ?? 0,
  position: known.position,
  ...(message !== undefined && { message }),
});
