import { DEFAULT_LOCALE } from "@odoo/o-spreadsheet";
import type { HasRoom } from "../xlsx/spill-room";
import type { Area, Book, Place } from "./book";
import { CHANGED, CYCLE, GridCell, hasChanged, isAsStored, isFull, LEFT, NOTHING, TooDeep, UNKNOWN } from "./grid-cell";
import { callFunction, createContext } from "./library";
import type { Grid } from "./translation";
import { type Given, isError, type Matrix, type Result, type Value } from "./values";

const EMPTY: Value = { value: null };
const BUSY = "#BUSY!";
/** Codes by which the engine says that it cannot tell which error Excel would show. */
const ITS_OWN = new Set(["#ERROR", "#BAD_EXPR", CYCLE]);
const SPILL = "#SPILL!";

/** Whether Excel may show another value than the one that was calculated. */
export const isUncertain = ({ isDoubtful }: GridCell, value: Value["value"] | undefined): boolean =>
  isDoubtful || ITS_OWN.has(String(value));
type Position = NonNullable<Value["position"]>;

/** Deeper chains of formulas are calculated from their beginning. */
const DEEPEST = 200;

/** How often spills may move each other before the last state stands. */
const MOST_PASSES = 20;
/** Ranges are cached within a pass, as long as all of them are no larger. */
const MOST_CACHED = 5_000_000;

/** A range that was read, with how its cells have changed. */
interface CachedRange {
  matrix: Matrix;
  change: number;
}

const NO_SUM = { rows: 0, total: 0, change: NOTHING, error: null as string | null };

/** The cells of a workbook, calculated as they are read. */
export class CellGrid implements Grid {
  /** By sheet, column and row. */
  readonly #cells: (GridCell | undefined)[][][] = [];
  readonly #context;
  readonly #stack: GridCell[] = [];
  readonly #ranges = new Map<string, CachedRange>();
  readonly #sums = new Map<string, typeof NO_SUM>();
  readonly #readOnce = new Set<string>();
  #cachedCells = 0;
  #pass = 0;
  #deep: TooDeep | null = null;
  /** Whether cells that were read earlier in this pass may tell more now. */
  #isAgain = false;
  /** How the cells have changed that were read for the present formula. */
  #inputChange = NOTHING;
  /** Whether all cells have the file's values. */
  #isAsFile = false;
  /** Arrays of a size that Excel alone knows, and whether any cell has changed. */
  readonly #open = new Set<GridCell>();
  #hasChange = false;
  #hasWide = false;
  rowCount = 1;
  columnCount = 1;
  /** The cells that need each other's values. */
  readonly cycles = new Map<GridCell, readonly GridCell[]>();
  /** Called as the calculation of a cell begins. */
  onBegin: (cell: GridCell) => void = () => {};
  hasRoom: HasRoom = () => true;

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
  listMembers(cell: GridCell): GridCell[] {
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
      this.#read(this.find(sheet, row, column), sheet, row, column) ?? {
        value: null,
        position: { sheetId: String(sheet), row, col: column },
      }
    );
  }

  #read(cell: GridCell | undefined, sheet: number, row: number, column: number): Value | null {
    if (this.#isAsFile) return cell?.known ?? null;
    const filling = cell?.translation ? cell : cell?.anchor;
    if (!filling) {
      if (this.#open.size > 0 && (cell?.stored ?? null) === null && this.#isOpen(sheet, row, column))
        this.#inputChange |= LEFT;
      this.#inputChange |= cell?.change ?? NOTHING;
      return cell?.known ?? null;
    }
    if (filling.isBusy) return this.#meet(filling);
    this.#calculate(filling);
    this.#inputChange |= this.#toChange(cell!, filling);
    const { value } = filling.result;
    if (filling.isPlaced && cell !== filling && (value === BUSY || value === CYCLE)) return { value };
    return this.#show(cell!, filling);
  }

  /** Whether the present formula has read what only Excel knows. */
  get isUnknown(): boolean {
    return (this.#inputChange & UNKNOWN) > 0;
  }

  /** Whether an array that is left to Excel may come to a cell. */
  #isOpen(sheet: number, row: number, column: number): boolean {
    return [...this.#open].some((each) => each.sheet === sheet && each.row <= row && each.column <= column);
  }

  #toChange(cell: GridCell, { isPlaced, isNew, change }: GridCell): number {
    if (!isPlaced) return change;
    return isNew && hasChanged(cell, this.present(cell)) ? CHANGED : NOTHING;
  }

  #show(cell: GridCell, filling: GridCell): Value | null {
    if (!filling.isPlaced) return cell.known;
    return cell.pass === this.#pass ? cell.result : null;
  }

  /** A cell's value after a calculation; null for an empty cell. */
  present(cell: GridCell): Value["value"] {
    const filling = cell.translation ? cell : cell.anchor;
    return (filling ? this.#show(cell, filling) : cell.known)?.value ?? null;
  }

  /** The size of an area, as far as there are cells. */
  #toSize = ({ top, left, bottom, right }: Area) => ({
    rows: Math.min(bottom - top, this.rowCount) + 1,
    columns: Math.min(right - left, this.columnCount) + 1,
  });

  range(area: Area): Matrix {
    const { sheet, top, left } = area;
    const { rows, columns } = this.#toSize(area);
    const key = `${Number(this.#isAsFile)} ${sheet} ${top} ${left} ${columns} ${rows}`;
    const before = this.#inputChange;
    let cached = this.#ranges.get(key);
    if (cached === undefined) {
      this.#inputChange = NOTHING;
      cached = { matrix: this.#readRange(area), change: NOTHING };
      cached.change = this.#inputChange;
      this.#cache(key, cached, rows * columns);
    }
    this.#inputChange = before | cached.change;
    return cached.matrix;
  }

  /** The sum of a range, which goes on from that of a shorter one: sums that run down a column read each row once. */
  sum(area: Area): Value {
    const { sheet, top, left } = area;
    const { rows, columns } = this.#toSize(area);
    const key = `${Number(this.#isAsFile)} ${sheet} ${top} ${left} ${columns}`;
    const before = this.#inputChange;
    const known = this.#sums.get(key);
    const sum = known !== undefined && known.rows <= rows ? { ...known } : { ...NO_SUM };
    this.#inputChange = sum.change;
    for (; sum.rows < rows && sum.error === null; sum.rows++) {
      for (let column = left; column < left + columns && sum.error === null; column++) {
        const { value } = this.#read(this.find(sheet, top + sum.rows, column), sheet, top + sum.rows, column) ?? EMPTY;
        if (typeof value === "number") sum.total += value;
        else if (isError(value)) sum.error = value;
      }
    }
    sum.change = this.#inputChange;
    this.#inputChange |= before;
    if (sum.error !== null) return { value: sum.error };
    this.#sums.set(key, sum);
    return { value: Number.isFinite(sum.total) ? sum.total : "#NUM!" };
  }

  #readRange(area: Area): Matrix {
    const { sheet, top, left } = area;
    const { rows, columns } = this.#toSize(area);
    const matrix = Array.from({ length: columns }, (_, across) => {
      const column = left + across;
      const cells = this.#cells[sheet]?.[column];
      return Array.from(
        { length: rows },
        (_, row) => this.#read(cells?.[top + row], sheet, top + row, column) ?? EMPTY,
      );
    });
    matrix[0]![0] = this.cell(sheet, top, left);
    return matrix;
  }

  /** Keeps a range that is read again, as lookups find faster in the same one. */
  #cache(key: string, cached: CachedRange, size: number): void {
    if (!this.#readOnce.has(key)) return void this.#readOnce.add(key);
    this.#cachedCells += size;
    if (this.#cachedCells > MOST_CACHED) this.#clearRanges();
    else this.#ranges.set(key, cached);
  }

  #clearRanges(): void {
    this.#ranges.clear();
    this.#cachedCells = 0;
    Object.assign(this.#context, {
      locale: DEFAULT_LOCALE,
      lookupCaches: { forwardSearch: new Map(), reverseSearch: new Map() },
    });
  }

  spill({ sheet, row, column }: Place): Area | null {
    const cell = this.find(sheet, row, column);
    const { value } = this.cell(sheet, row, column);
    if (cell?.array === undefined || value === SPILL) return null;
    const { rows, columns } = this.#isAsFile ? cell.array : cell;
    return { sheet, top: row, left: column, bottom: row + rows - 1, right: column + columns - 1 };
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

  /** Calculates cells anew, until no spill moves another. */
  calculate(cells: Iterable<GridCell>): void {
    this.#isAgain = true;
    this.#hasChange = false;
    this.#open.clear();
    for (let pass = 0; this.#isAgain && pass < MOST_PASSES; pass++) {
      this.#isAgain = false;
      this.#pass++;
      this.#readOnce.clear();
      this.#sums.clear();
      this.#clearRanges();
      for (const cell of cells) this.#calculateFrom(cell);
    }
  }

  #calculateFrom(first: GridCell): void {
    const chain = [first];
    for (let cell = chain.at(-1); cell !== undefined; cell = chain.at(-1)) {
      try {
        this.#calculate(cell);
        chain.pop();
      } catch (error) {
        if (!(error instanceof TooDeep)) throw error;
        this.#deep = null;
        if (chain.includes(error.cell)) this.#endCycle(chain.slice(chain.indexOf(error.cell)));
        else chain.push(error.cell);
      }
    }
  }

  /** Reads a cell whose calculation needs this reading. */
  #meet(cell: GridCell): Value {
    const reader = this.#stack.at(-1);
    const known = this.cycles.get(cell);
    const isKnown = !cell.isLive && known !== undefined && reader !== undefined && known.includes(reader);
    if (isKnown) return cell.known;
    this.#endCycle(this.#stack.slice(this.#stack.indexOf(cell)));
    this.#inputChange |= LEFT;
    return { value: CYCLE };
  }

  /** Joins cells that need each other's values with those that they were found to need before. */
  #endCycle(found: readonly GridCell[]): void {
    const cells = [...new Set(found.flatMap((cell) => this.cycles.get(cell) ?? [cell]))];
    for (const cell of cells) {
      this.cycles.set(cell, cells);
      if (!cell.isBusy)
        Object.assign(cell, { pass: this.#pass, result: { value: CYCLE }, isPlaced: true, change: LEFT });
    }
  }

  #calculate(cell: GridCell): void {
    if (cell.pass === this.#pass) return;
    if (this.#stack.length > DEEPEST) {
      this.#deep = new TooDeep(cell);
      throw this.#deep;
    }
    const before = this.#inputChange;
    this.#inputChange = cell.translation?.isOfNow ? CHANGED : NOTHING;
    cell.isDoubtful = false;
    this.onBegin(cell);
    try {
      const result = cell.isLive ? this.#within(cell, () => this.#run(cell)) : null;
      const isKnown = result !== null && (cell.isFeed || this.#inputChange & CHANGED || this.#isAsExcel(cell, result));
      const matrix = isKnown ? result : this.#within(cell, () => this.#look(cell));
      cell.inputChange = this.#inputChange;
      this.#decide(cell, matrix);
      cell.pass = this.#pass;
    } finally {
      this.#inputChange = before;
    }
  }

  #within<T>(cell: GridCell, act: () => T): T {
    const before = this.#context.__originCellPosition;
    this.#context.__originCellPosition = cell.known.position;
    cell.isBusy = true;
    this.#stack.push(cell);
    try {
      return act();
    } finally {
      this.#stack.pop();
      cell.isBusy = false;
      this.#context.__originCellPosition = before;
    }
  }

  #run(cell: GridCell): Matrix {
    try {
      return this.#toMatrix(cell, cell.translation!.run!(this));
    } catch (error) {
      if (error instanceof TooDeep) throw error;
      const { value } = error as { value?: Value["value"] };
      return this.#toMatrix(cell, { value: isError(value) ? value : "#ERROR" });
    }
  }

  /** Reads all that a formula may read which cannot be calculated here; cells of a cycle share what they read. */
  #look(cell: GridCell): null {
    if (cell.isFeed) return null; // one that keeps its value is like any number
    for (const { translation } of this.cycles.get(cell) ?? [cell]) {
      const { areas = [], readsAll = false } = translation ?? {};
      for (const area of areas) this.#readRange(area);
      this.#hasWide ||= readsAll;
      if (readsAll && this.#hasChange) this.#inputChange |= CHANGED;
    }
    return null;
  }

  /** Decides whether a formula has its calculated value, and how it has changed. */
  #decide(cell: GridCell, matrix: Matrix | null): void {
    const isReached = (cell.inputChange & CHANGED) > 0;
    const isOpen = !cell.isFeed && (isReached || cell.hasNoExcelValue);
    cell.isPlaced = matrix !== null && (cell.isFeed || (isOpen && this.#isTrusted(cell, matrix)));
    if (cell.isPlaced) {
      this.#place(cell, matrix!);
      cell.change = cell.isNew && hasChanged(cell, cell.result.value) ? CHANGED : NOTHING;
    } else {
      [cell.rows, cell.columns] = [cell.array?.rows ?? 1, cell.array?.columns ?? 1];
      cell.change = !isOpen ? NOTHING : isReached ? LEFT : UNKNOWN;
    }
    // Cells that were read before do not know of it.
    if (cell.array?.isDynamic && cell.change & UNKNOWN && !this.#open.has(cell)) {
      this.#open.add(cell);
      this.#isAgain = true;
    }
    if (this.#hasChange || !(isReached || cell.change & CHANGED)) return;
    this.#hasChange = true;
    this.#isAgain ||= this.#hasWide;
  }

  #isTrusted(cell: GridCell, matrix: Matrix): boolean {
    if (cell.inputChange & UNKNOWN || isUncertain(cell, matrix[0]?.[0]?.value)) return false;
    if (cell.hasNoExcelValue && cell.translation?.reliance === "proven") return true;
    cell.isConfirmed ??= this.#confirm(cell);
    return cell.isConfirmed;
  }

  /** Whether a formula's result by the file's values of all cells is Excel's, in each cell that it fills. */
  #confirm(cell: GridCell): boolean {
    const inputChange = this.#inputChange;
    this.#isAsFile = true;
    const matrix = this.#within(cell, () => this.#run(cell));
    this.#isAsFile = false;
    const isDoubtful = cell.isDoubtful;
    cell.isDoubtful = false;
    this.#inputChange = inputChange;
    return !isDoubtful && this.#isAsStored(cell, matrix);
  }

  /** Whether a formula whose cells have not changed read those that Excel reads: its branches may be others. */
  #isAsExcel(cell: GridCell, matrix: Matrix): boolean {
    if (this.#inputChange !== NOTHING || isUncertain(cell, matrix[0]?.[0]?.value)) return false;
    return cell.hasNoExcelValue || this.#isAsStored(cell, matrix);
  }

  #isAsStored(cell: GridCell, matrix: Matrix): boolean {
    const { rows, columns } = cell.array ?? { rows: 1, columns: 1 };
    if (matrix.length !== columns || matrix[0]?.length !== rows) return false;
    return matrix.every((values, column) =>
      values.every(({ value }, row) =>
        isAsStored(value, this.find(cell.sheet, cell.row + row, cell.column + column)?.stored ?? null),
      ),
    );
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
    const before = cell.rows * cell.columns;
    [cell.rows, cell.columns] = [rows, columns];
    const isBlocked = isMany && this.#isBlocked(cell);
    if (isBlocked) [cell.rows, cell.columns] = [1, 1];
    this.#isAgain ||= before !== cell.rows * cell.columns;
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
    if (!this.hasRoom(cell)) return true;
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
    this.#isAgain = true;
  }
}

/** A value as a cell has it: nothing is 0. */
const toPlaced = ({ value, message }: Value, { known }: GridCell): Value => ({
  value: value ?? 0,
  position: known.position,
  ...(message !== undefined && { message }),
});
