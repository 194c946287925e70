import { type Block, isWhole, readBlock, splitReference } from "./addresses";
import { HostError } from "./errors";
import { type Cell, Sheet, type Shown, shiftLine } from "./sheet";

export interface ExcelWorkbookOptions {
  /** The first year of the date serials; default 1900. */
  dateSystem?: 1900 | 1904;
  /** The result of a formula when it is entered; default #BUSY! for FEED functions and 0 for all others. */
  calculate?: (formula: string) => Shown;
  /** Whether a spilled cell's `formulas` repeat the anchor's formula; Microsoft's documents do not say. Default false. */
  repeatsSpilledFormulas?: boolean;
  /** The most characters of a request or an answer; default 5 million. */
  payload?: number;
}

/** An in-memory Excel workbook. It calculates nothing: a test gives the results of formulas. */
export class ExcelWorkbook {
  readonly dateSystem: 1900 | 1904;
  readonly repeatsSpilledFormulas: boolean;
  readonly payload: number;
  readonly sheets: Sheet[] = [];
  /** Workbook functions that the add-in called, by name. */
  readonly computed: string[] = [];
  active: Sheet;
  /** The selected areas of the active sheet; null if a chart or a picture is selected. */
  selection: Block[] | null = [readCell("A1")];
  activeCell: Block = readCell("A1");
  isStructureProtected = false;
  calculationMode: "Automatic" | "Manual" = "Automatic";
  /** The person's language: their decimal separator, and a formula as they see it. */
  local = { decimal: ".", show: (formula: string) => formula };
  readonly xmlParts = new Map<string, string>();
  /** Defined names; a name whose cells were deleted has no block. */
  readonly names = new Map<string, { sheet: Sheet; block: Block | null; isVisible: boolean; formula?: string }>();
  /** Tables whose columns formulas name. */
  readonly tables: { name: string; sheet: string; address: string; columns: string[]; hasTotals?: boolean }[] = [];
  /** Files in base64 that were opened as new workbooks. */
  readonly copies: string[] = [];
  /** How many requests were answered. */
  requests = 0;
  readonly #calculate: (formula: string) => Shown;
  readonly #listeners: (() => Promise<void>)[] = [];
  readonly #editListeners: (() => Promise<void>)[] = [];
  #isEditDue = false;
  #lastId = 0;
  #edit = { isUnderWay: false, ended: Promise.resolve(), end: () => {} };

  constructor(options: ExcelWorkbookOptions = {}) {
    this.dateSystem = options.dateSystem ?? 1900;
    this.repeatsSpilledFormulas = options.repeatsSpilledFormulas ?? false;
    this.payload = options.payload ?? 5_000_000;
    this.#calculate = options.calculate ?? ((formula) => [[/FEED[._]/i.test(formula) ? "#BUSY!" : 0]]);
    this.active = this.addSheet("Sheet1");
  }

  addSheet(name: string): Sheet {
    if (this.isStructureProtected) throw new HostError("GeneralException");
    if (!/^(?!')[^\\/?*[\]:]{1,31}(?<!')$/u.test(name) || /^history$/i.test(name))
      throw new HostError("InvalidArgument");
    if (this.find(name) !== undefined) throw new HostError("ItemAlreadyExists");
    this.#lastId += 1;
    const sheet = new Sheet(name, `{sheet-${this.#lastId}}`, this.#calculate);
    this.sheets.push(sheet);
    return sheet;
  }

  removeSheet(sheet: Sheet): void {
    this.sheets.splice(this.sheets.indexOf(sheet), 1);
    for (const name of this.names.values()) if (name.sheet === sheet) name.block = null;
    if (this.active === sheet) this.active = this.sheets[0]!;
  }

  /** Inserts rows or columns before `from`, or deletes them if `count` is negative; names move along as in Excel. */
  shift(sheet: Sheet, side: "row" | "column", from: number, count: number): void {
    sheet.shift(side, from, count);
    const [first, last] = side === "row" ? (["top", "bottom"] as const) : (["left", "right"] as const);
    for (const name of this.names.values()) {
      if (name.sheet !== sheet || name.block === null || isWhole(name.block, side)) continue;
      const lines = Array.from({ length: name.block[last] - name.block[first] + 1 }, (_, index) =>
        shiftLine(index + name.block![first], from, count),
      ).filter((line) => line !== null);
      const [start, end] = [lines[0], lines.at(-1)];
      name.block = start === undefined || end === undefined ? null : { ...name.block, [first]: start, [last]: end };
    }
  }

  /** Finds a sheet by its name, in any letter case, or by its id. */
  find(key: string): Sheet | undefined {
    return this.sheets.find(({ name, id }) => name.toLowerCase() === key.toLowerCase() || id === key);
  }

  sheet(name: string): Sheet {
    const sheet = this.find(name);
    if (sheet === undefined) throw new Error(`there is no sheet ${name}`);
    return sheet;
  }

  /** The cell of a reference such as "B3" (on the first sheet) or "Model!B3". */
  cell(reference: string): Cell {
    const { sheet, top, left } = this.#locate(reference);
    return sheet.at(top, left);
  }

  /** Enters a text as a person does: a text that looks like a formula becomes one. */
  enter(reference: string, entered: string | number | boolean): void {
    const { sheet, top, left } = this.#locate(reference);
    sheet.enter(top, left, entered);
    this.#reportEdit();
  }

  /** Cells entered in one turn are one edit, as a paste is. */
  #reportEdit(): void {
    if (this.#isEditDue) return;
    this.#isEditDue = true;
    queueMicrotask(() => {
      this.#isEditDue = false;
      for (const listener of this.#editListeners) void listener();
    });
  }

  onEnter(listener: () => Promise<void>): void {
    this.#editListeners.push(listener);
  }

  /** Enters a formula with its result: a value, or rows that spill. */
  enterFormula(reference: string, formula: string, shown: Shown[number][number] | Shown): void {
    this.enter(reference, formula);
    const { sheet, top, left } = this.#locate(reference);
    sheet.show(top, left, typeof shown === "object" ? shown : [[shown]]);
  }

  /** Selects areas; the active cell is the first of the last area. No area: a chart or a picture is selected. */
  async select(...references: string[]): Promise<void> {
    const areas = references.map((reference) => this.#locate(reference));
    const last = areas.at(-1);
    this.selection = last === undefined ? null : areas;
    if (last !== undefined) {
      this.active = last.sheet;
      this.activeCell = { top: last.top, left: last.left, bottom: last.top, right: last.left };
    }
    await Promise.all(this.#listeners.map((listener) => listener()));
  }

  onSelect(listener: () => Promise<void>): void {
    this.#listeners.push(listener);
  }

  /** Starts cell editing, as a double click does; call the result to end it. */
  edit(): () => void {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = () => {
        this.#edit.isUnderWay = false;
        resolve();
      };
    });
    this.#edit = { isUnderWay: true, ended, end };
    return end;
  }

  get isBeingEdited(): boolean {
    return this.#edit.isUnderWay;
  }

  /** Settled unless a cell is being edited. */
  get editEnded(): Promise<void> {
    return this.#edit.ended;
  }

  #locate(reference: string): Block & { sheet: Sheet } {
    const { sheet, address } = splitReference(reference);
    const block = readBlock(address);
    if (block === null) throw new Error(`${reference} is no reference`);
    return { ...block, sheet: sheet === null ? this.sheets[0]! : this.sheet(sheet) };
  }
}

function readCell(address: string): Block {
  const block = readBlock(address);
  if (block === null) throw new Error(`${address} is no address`);
  return block;
}
