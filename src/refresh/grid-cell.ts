import type { XlsxCell, XlsxValue } from "../xlsx/sheet";
import type { Place } from "./book";
import type { Translation } from "./translation";
import { isError, toEngineCode, type Value } from "./values";

/** How a value has changed since the file, as bits; one that is left to Excel has a change that is unknown. */
export const [NOTHING, CHANGED, UNKNOWN, LEFT] = [0, 1, 2, 3];

/** A cell of the workbook, with its present calculation. */
export class GridCell implements Place {
  /** Whether its formula can be calculated; otherwise it has the file's value. */
  isLive = false;
  /** Whether it is one of the add-in's that are refreshed. */
  isFeed = false;
  /** The cell whose array formula fills this one. */
  anchor: GridCell | null = null;
  /** Its calculated value, and the pass in which that was found. */
  result: Value;
  pass = 0;
  isBusy = false;
  /** The size of what it fills at present. */
  rows = 1;
  columns = 1;
  /** Whether Excel's result may be another. */
  isDoubtful = false;
  /** Whether it has its calculated value; otherwise the file's. */
  isPlaced = false;
  /** How the cells have changed that its present calculation read, and how it has changed itself. */
  inputChange = NOTHING;
  change = NOTHING;
  /** Whether Excel's own value confirms how it is calculated; undefined before that is looked at. */
  isConfirmed: boolean | undefined;

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
    if (typeof stored === "string" && isError(stored)) this.change = UNKNOWN; // a text that reads like an error
  }

  /** The file's value, as the engine has it. */
  readonly known: Value & { position: Position };

  /** Whether only Excel can calculate it now. */
  get isLeft(): boolean {
    return this.change === LEFT;
  }

  /** Whether its value is of this refresh. */
  get isNew(): boolean {
    return this.isPlaced && (this.isFeed || (this.inputChange & CHANGED) > 0);
  }

  /** Whether Excel has no value of its own for its formula: none, or one without the add-in, of a blocked spill or of then. */
  get hasNoExcelValue(): boolean {
    const { stored, array, translation } = this;
    const code = stored !== null && typeof stored === "object" ? stored.error : null;
    if (stored === null || code === "#NAME?" || translation?.isOfNow) return true;
    return array?.isDynamic === true && array.rows * array.columns === 1 && (code === "#SPILL!" || code === "#VALUE!");
  }
}

type Position = NonNullable<Value["position"]>;

const toEngineValue = (stored: XlsxValue): Value["value"] =>
  stored !== null && typeof stored === "object" ? toEngineCode(stored.error) : stored;

/** Numbers that differ by less are the same, but for the order in which they were added. */
const NEAR = 1e-9;
const NEXT = 1e-14;

/** Whether a value is the file's. */
function isSame(value: Value["value"], stored: XlsxValue, near: number): boolean {
  if (typeof value === "number" && typeof stored === "number") {
    return value === stored || Math.abs(value - stored) <= near * Math.max(Math.abs(value), Math.abs(stored));
  }
  return value === toEngineValue(stored);
}

/** Whether a formula's result by the file's values is Excel's. */
export const isAsStored = (value: Value["value"], stored: XlsxValue): boolean => isSame(value ?? 0, stored, NEAR);

/** Whether a cell has another value than in the file. */
export const hasChanged = (cell: GridCell, present: Value["value"]): boolean => !isSame(present, cell.stored, NEXT);

/** Whether a cell is in the way of another's spill. */
export function isFull({ translation, anchor, stored, row, column }: GridCell): boolean {
  if (translation !== null) return true;
  if (anchor === null) return stored !== null;
  if (!anchor.isPlaced) return stored !== null;
  return row < anchor.row + anchor.rows && column < anchor.column + anchor.columns;
}

/** The engine's code for cells that need each other's values. */
export const CYCLE = "#CYCLE";

/** Ends the calculation of a chain, to calculate a cell further down first. */
export class TooDeep extends Error {
  /** The engine takes it for an error of a cell. */
  readonly value = CYCLE;

  constructor(readonly cell: GridCell) {
    super("too deep");
  }
}
