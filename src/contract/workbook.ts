/** A workbook as the pane uses it, by Excel or the playground. Addresses are as a person writes them, without "$". */
export interface Workbook {
  /** Gives the selection and the active cell's formula. */
  readSelection(): Promise<Selection>;
  /** Reads the active cell as `listFeedCells` would, but without the array formula that it is a part of; null where it is none. */
  readFeedCell(): Promise<FeedCell | null>;
  /** Calls back when the selection changes. */
  onSelection(listener: () => void): () => void;
  /** Reads the values of a reference such as "A2:A20" (on the active sheet) or "Model!B3", row by row. */
  readValues(reference: string): Promise<CellValue[][]>;
  /** Reads the used cells of sheets by name; empty and missing sheets are left out. */
  readSheets(names: readonly string[]): Promise<SheetValues[]>;
  /** Lists the rows of a place, counted from 0, that a filter or a person hides. */
  listHiddenRows(place: Place): Promise<number[]>;
  /** Reads the used cells of all sheets with their formulas, and what formulas name: for a check of the whole model. */
  readContents(): Promise<WorkbookContents>;
  /** Lists those of some cells that another cell's formula fills. */
  listSpilled(places: readonly Place[]): Promise<Place[]>;
  /**
   * Writes a block of cells at `at` or the active cell, without changing the selection. Refuses as "occupied", with the
   * whole block as its place, where a cell is not empty, unless replacing is allowed.
   */
  write(block: Block): Promise<Place>;
  /** Reads what cells hold, row by row, with their formulas and number formats. @param reference as of `readValues` */
  readCells(reference: string): Promise<CellState[][]>;
  /**
   * Exchanges the contents of cells that still hold what is expected; any other cell is left as it is. Formats follow the
   * contents. Gives, for each swap in order, whether its cell was as expected.
   */
  swap(sheet: string, swaps: readonly CellSwap[]): Promise<boolean[]>;
  /** Adds rules to a sheet's cells, above their own formats; gives what takes the rules away again. */
  addRules(sheet: string, rules: SheetPlan["rules"]): Promise<() => Promise<void>>;
  /** Adds a sheet and shows it; gives its name, with a number where the requested one is taken. */
  addSheet(plan: SheetPlan): Promise<string>;
  /** Shows a place and selects it. */
  show(place: Place): Promise<void>;
  /** Lists the sheets in their order. */
  listSheets(): Promise<NamedSheet[]>;
  /** Calls back after somebody has changed contents of cells; new results of formulas are no such change. */
  onEdit(listener: () => void): () => void;
  /** Lists the cells whose formulas call a FEED function, themselves or through names, and the dead copies of such formulas. */
  listFeedCells(scope: Scope): Promise<FeedCell[]>;
  /**
   * Replaces formulas that call a FEED function by their values, spilled cells included. The workbook stores the
   * formulas before the first value is written.
   *
   * @param expected the cells that the user confirmed; refuses as "missing" where the scope has others by now
   */
  freeze(scope: Scope, expected?: readonly Place[]): Promise<Frozen>;
  /** Lists the stored formulas of frozen cells, as they would be entered now, and those of dead copies. */
  listFrozen(scope: Scope): Promise<FrozenCell[]>;
  /**
   * Restores stored formulas where cells still show the frozen value, and removes them from the store. @param expected
   * as of `freeze`
   */
  thaw(scope: Scope, expected?: readonly Place[]): Promise<Thawed>;
  /**
   * Opens a copy of the workbook with values only, for users without FEED. All formulas are frozen for a moment and
   * restored in any case.
   *
   * @param notify called at the start of each step
   */
  copyValues(notify: (step: CopyStep) => void): Promise<Copied>;
  /**
   * Enters formulas again, so that the host looks their functions up and starts their streams: those that show #NAME?,
   * and those of `broken` that show #VALUE! or #BUSY!. A spilled formula is entered in its anchor alone.
   *
   * @param broken cells with FEED formulas that have no live stream, or have lost its output
   */
  repair(broken: readonly Place[]): Promise<Repaired>;
  /** Whether calculation is manual, so that new values do not reach cells. */
  isManual(): Promise<boolean>;
  /**
   * Delivers the values that `push` sends though calculation is manual: calculation is automatic meanwhile, then manual
   * again, whether `push` fails or not. Only a page that dies meanwhile leaves it automatic.
   */
  deliver<T>(push: () => Promise<T>): Promise<T>;
  /** The first year of its date serials. */
  readDateSystem(): Promise<1900 | 1904>;
}

export type Scope = "selection" | "sheet" | "workbook";

export type CellValue = string | number | boolean | null;

/**
 * A cell's new value: a text is never read as a formula; null leaves the cell alone. A formula's number format is
 * for cells that have none.
 */
export type CellContent = CellValue | { formula: string; format?: string | undefined };

/** What a cell holds. */
export interface CellState {
  /** Its value; of a formula the shown one, an error as its code. */
  value: CellValue;
  /** Its formula as a person sees it; empty without one, "=" where another cell's formula spills into it. */
  formula: string;
  /** Its number format as Excel writes it in English; empty or "General" without one. */
  format: string;
}

/** A change of a cell, refused where the cell holds another thing than `before`. */
export interface CellSwap {
  /** The cell, such as "B3". */
  address: string;
  /** Of a cell with a formula the value is not compared. */
  before: CellState;
  /** Of a cell with a formula the value is not written. */
  after: CellState;
}

/** A sheet by its present name, and by the id that it has under each name. */
export interface NamedSheet {
  id: string;
  name: string;
}

/** Cells of a sheet: "B3" or "B3:D9" on the sheet of this name. */
export interface Place {
  sheet: string;
  address: string;
}

export interface Selection extends Place {
  /** Address of the active cell. */
  cell: string;
  /** Its formula as the user sees it; empty without one. */
  formula: string;
}

export interface Block {
  /** Its upper left cell; default the active cell. */
  at?: Place;
  /** Row by row, all rows of one length. */
  cells: readonly (readonly CellContent[])[];
  /** Whether it may replace existing contents; default false. */
  isReplacing?: boolean;
  /** A frozen cell whose stored formula is removed by the same step; default none. */
  forgets?: FrozenCell;
  /**
   * Widths in characters from its first column on, also beyond it where a formula spills. Only columns of the sheet's own
   * width are widened, and none is narrowed; default none.
   */
  widths?: readonly number[];
}

/** The used part of a sheet. */
export interface SheetValues {
  sheet: string;
  /** Position of its upper left cell, counted from 0. */
  row: number;
  column: number;
  /** Row by row; null where a cell is empty, an error as its code. */
  values: CellValue[][];
}

/** The used part of a sheet with its formulas. */
export interface SheetContents extends SheetValues {
  /** The sheet's own under each of its names. */
  id: string;
  /** Row by row; null where a cell has no formula. */
  formulas: (string | null)[][];
}

/** A name that formulas use for cells or an expression. */
export interface DefinedName {
  name: string;
  /** The sheet that it belongs to; null for the workbook. */
  sheet: string | null;
  /** As a formula, such as "=Model!$B$3". */
  formula: string;
}

/** A table whose columns formulas name. */
export interface NamedTable extends Place {
  name: string;
  columns: string[];
  hasHeaders: boolean;
  hasTotals: boolean;
}

export interface WorkbookContents {
  sheets: SheetContents[];
  names: DefinedName[];
  tables: NamedTable[];
}

export interface FeedCell extends Place {
  formula: string;
  /** Its formula with the names written out that call FEED functions; absent where it uses none. */
  expanded?: string;
  /** Whether the cell holds its formula as a text beside its last value, as Google Sheets saves it. */
  isDead?: true;
  /** Rows and columns of the array formula that another program wrote in place of a spill; absent without one. */
  array?: readonly [rows: number, columns: number];
  /** Its shown value; an error as its code, such as "#N/A". */
  value: CellValue;
}

export interface Frozen {
  /** How many formulas became values. */
  formulas: number;
  /** Formulas left in place, since they show no value. */
  left: readonly FeedCell[];
}

export interface Repaired {
  /** How many formulas were entered. */
  formulas: number;
  /** Cells that the host refused, as those of a protected sheet; they are as before. */
  refused: readonly FeedCell[];
}

/** A frozen cell, and its formula. */
export interface FrozenCell extends Place {
  /** The cell with all that its formula filled, such as "B2:C9". */
  filled: string;
  formula: string;
  /** The label of its row when it was frozen, or else by now; empty without one, and where it is as it was frozen. */
  label: string;
  /** When it was frozen, milliseconds since the Unix epoch; absent where that was not recorded. */
  frozenAtMs?: number | undefined;
  /** Whether it still shows the frozen value beside its label, and its formula's references can be resolved. */
  isAsFrozen: boolean;
}

export interface Thawed {
  /** How many values became formulas again. */
  formulas: number;
  /** Cells left frozen, since they or their references have changed; their formulas stay stored. */
  left: readonly FrozenCell[];
  /** Number of formulas removed from the store, since their cells were deleted. */
  gone: number;
}

export type CopyStep = "freezing" | "reading" | "thawing" | "opening";

export interface Copied {
  /** Formulas left in the copy, since they show no value. */
  left: readonly FeedCell[];
  /** Formulas not restored, since their cells were changed meanwhile; they stay stored. */
  changed: readonly FrozenCell[];
}

/** The layout of a new sheet. */
export interface SheetPlan {
  /** At most 31 characters; invalid characters are left out. */
  name: string;
  cells: readonly { at: string; content: CellContent }[];
  styles: readonly { range: string; style: CellStyle }[];
  /** Number formats as Excel writes them in English, e.g. "#,##0". */
  formats: readonly { range: string; format: string }[];
  /** Widths in characters by column letter. */
  widths: Readonly<Record<string, number>>;
  /** Columns in an outline group, by letter: people seldom read them. */
  grouped: readonly string[];
  /** Styles of the rows or cells for which a formula is true, which is written for the range's first cell. */
  rules: readonly { range: string; formula: string; style: RuleStyle }[];
  /** Number of frozen rows. */
  frozenRows: number;
  /** The row that each printed page repeats. */
  headingRow: number;
  /** What is printed, in landscape format and one page wide. */
  printed: string;
  /** The cell to select at the end: the first that a user would change. */
  selected: string;
  chart?: ChartPlan;
}

export type CellStyle = "title" | "note" | "label" | "input" | "heading" | "numberHeading" | "section";

export type RuleStyle =
  | "part"
  | "subtotal"
  | "missing"
  /** Better, worse or new. */
  | "up"
  | "down"
  | "fresh"
  /** Of a heat map, from high to low. */
  | "hot"
  | "warm"
  | "cool"
  | "cold";

/** A bar chart of one series. */
export interface ChartPlan {
  title: string;
  categories: string;
  values: string;
  /** The cells it covers, e.g. "K6:S24". */
  at: string;
}

/** Reasons for a failed operation. */
export type WorkbookFault =
  /** The sheet or the workbook is protected. */
  | "protected"
  /** A cell is being edited. */
  | "editing"
  /** Cells are not empty. */
  | "occupied"
  /** The sheet, cell or selection does not exist. */
  | "missing"
  /** Too much at once for the host. */
  | "tooLarge"
  /** The host opens no copies of its workbook. */
  | "noCopies"
  /** Any other error of the host. */
  | "refused";

/** A workbook's error; `message` is in the host's words. */
export interface WorkbookError extends Error {
  fault: WorkbookFault;
  /** Where, if that is known. */
  place?: Place;
}

/** The global name of the playground's workbook for the pane's page. */
export const PLAYGROUND_WORKBOOK = "feedPlaygroundWorkbook";

/** What Excel leaves in the cell of a formula without a stream; a wrong argument, or an answer to come, shows the same. */
export const VALUES_WITHOUT_STREAM: readonly CellValue[] = ["#VALUE!", "#BUSY!"];
