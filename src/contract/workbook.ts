/**
 * What the pane asks of a workbook: the one place where pane and playground must agree. Excel and the playground each
 * have it in their own way; addresses are as a person writes them, without dollar signs.
 */
export interface Workbook {
  /** What is selected, and the formula of the active cell. */
  readSelection(): Promise<Selection>;
  /** Is told when something else is selected. */
  onSelection(listener: () => void): () => void;
  /** The values of a reference such as "A2:A20" (on the active sheet) or "Model!B3", row by row. */
  readValues(reference: string): Promise<CellValue[][]>;
  /** What stands in the used cells of sheets, by the names that were asked for; one that is empty or gone is left out. */
  readSheets(names: readonly string[]): Promise<SheetValues[]>;
  /**
   * Writes a block of cells in one go, from `at` on or from the active cell on, and leaves the selection as it is.
   * Refuses as "occupied", with the whole block as its place, where a cell holds something, unless told to replace it.
   */
  write(block: Block): Promise<Place>;
  /** Adds a sheet, shows it and gives its name: the wanted one, with a number behind it where that is taken. */
  addSheet(plan: SheetPlan): Promise<string>;
  /** Shows a place and selects it. */
  show(place: Place): Promise<void>;
  /** The cells whose formulas call a FEED function, anywhere in them. */
  listFeedCells(scope: Scope): Promise<FeedCell[]>;
  /**
   * Puts what they show in the place of formulas that call a FEED function, spilled cells included. The workbook keeps
   * the formulas, and does so before the first value is written.
   *
   * @param expected the cells that it was asked about; refuses as "missing" where the scope holds others by now
   */
  freeze(scope: Scope, expected?: readonly Place[]): Promise<Frozen>;
  /** The formulas that the workbook keeps of frozen cells, as they would be entered now. */
  listFrozen(scope: Scope): Promise<FrozenCell[]>;
  /** Writes kept formulas back where the cells still show what was frozen, and forgets those. @param expected as of `freeze` */
  thaw(scope: Scope, expected?: readonly Place[]): Promise<Thawed>;
  /**
   * Opens a copy of the workbook that shows values only, for who has no FEED. For a moment all is frozen; whatever
   * fails, the formulas come back.
   *
   * @param notify is told of each step as it begins
   */
  copyValues(notify: (step: CopyStep) => void): Promise<Copied>;
  /** Writes formulas that show #NAME? back to themselves, so that the host looks their functions up again; gives how many. */
  repair(): Promise<number>;
  /** Whether formulas are calculated by hand only, so that new values do not reach their cells. */
  isManual(): Promise<boolean>;
  /**
   * Has what `push` sends to live formulas reach their cells, though formulas are calculated by hand: calculation is
   * automatic until it has, then by hand again, whether `push` fails or not. Only a page that dies meanwhile leaves it.
   */
  deliver<T>(push: () => Promise<T>): Promise<T>;
  /** The first year of its date serials. */
  readDateSystem(): Promise<1900 | 1904>;
}

export type Scope = "selection" | "sheet" | "workbook";

export type CellValue = string | number | boolean | null;

/** What is written into a cell: a text is shown as it is, whatever it begins with; null leaves the cell alone. */
export type CellContent = CellValue | { formula: string };

/** Cells of a sheet: "B3" or "B3:D9" on the sheet of this name. */
export interface Place {
  sheet: string;
  address: string;
}

export interface Selection extends Place {
  /** Address of the active cell. */
  cell: string;
  /** Its formula as the person sees it; an empty text where it holds none. */
  formula: string;
}

export interface Block {
  /** Its upper left cell; default the active cell. */
  at?: Place;
  /** Row by row, all rows of one length. */
  cells: readonly (readonly CellContent[])[];
  /** Whether it may take the place of what stands there; default false. */
  isReplacing?: boolean;
}

/** The part of a sheet that is in use. */
export interface SheetValues {
  sheet: string;
  /** Of its upper left cell, counted from 0. */
  row: number;
  column: number;
  /** Row by row; null where a cell is empty, an error as its code. */
  values: CellValue[][];
}

export interface FeedCell extends Place {
  formula: string;
  /** What it shows; an error as its code, such as "#N/A". */
  value: CellValue;
}

export interface Frozen {
  /** How many formulas became values. */
  formulas: number;
  /** Those that were left since they show no value. */
  left: readonly FeedCell[];
}

/** A cell that holds what a formula showed, and that formula. */
export interface FrozenCell extends Place {
  formula: string;
  /** Whether it still shows what was frozen, and what its formula refers to can be told. */
  isAsFrozen: boolean;
}

export interface Thawed {
  /** How many values became formulas again. */
  formulas: number;
  /** Those that were left, since they or what they refer to have changed; the workbook goes on keeping their formulas. */
  left: readonly FrozenCell[];
  /** How many formulas are no longer kept, since their cells were deleted. */
  gone: number;
}

export type CopyStep = "freezing" | "reading" | "thawing" | "opening";

export interface Copied {
  /** Those that stand in the copy as they are, since they show no value. */
  left: readonly FeedCell[];
  /** Those that did not come back, since their cells were changed meanwhile; the workbook keeps their formulas. */
  changed: readonly FrozenCell[];
}

/** A new sheet, as it is to look. */
export interface SheetPlan {
  /** At most 31 characters; what a sheet's name may not hold is left out. */
  name: string;
  cells: readonly { at: string; content: CellContent }[];
  styles: readonly { range: string; style: CellStyle }[];
  /** Number formats as Excel writes them in English, e.g. "#,##0". */
  formats: readonly { range: string; format: string }[];
  /** Widths in characters by column letter. */
  widths: Readonly<Record<string, number>>;
  /** Rows that stay in sight. */
  frozenRows: number;
  /** The cell that is selected at the end: the first that a person would change. */
  selected: string;
  chart?: ChartPlan;
}

export type CellStyle = "title" | "note" | "label" | "input" | "heading" | "numberHeading" | "section";

/** A bar chart of one series. */
export interface ChartPlan {
  title: string;
  categories: string;
  values: string;
  /** The cells it covers, e.g. "K6:S24". */
  at: string;
}

/** Why a workbook did not do what it was asked. */
export type WorkbookFault =
  /** The sheet or the workbook is protected. */
  | "protected"
  /** A cell is being edited. */
  | "editing"
  /** Cells hold something that would be replaced. */
  | "occupied"
  /** There is no such sheet, cell or selection (any more). */
  | "missing"
  /** Too much at once for the host. */
  | "tooLarge"
  /** Anything else the host says. */
  | "refused";

/** What a workbook rejects with; `message` is in the host's words. */
export interface WorkbookError extends Error {
  fault: WorkbookFault;
  /** Where, if that is known. */
  place?: Place;
}

/** The name under which the playground hands its workbook to the pane's page. */
export const PLAYGROUND_WORKBOOK = "feedPlaygroundWorkbook";
