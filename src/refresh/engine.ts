import type { FeedCode } from "../client/errors";
import { DEFAULT_NAMESPACE } from "../contract/namespace";
import { type Argument, toParameters } from "../playground/arguments";
import type { FunctionsMetadata, Outcome } from "../playground/custom-functions";
import type { CustomFunctionsRuntime } from "../playground/excel-runtime";
import { type Evaluation, registerFormulas } from "../playground/formulas";
import type { Call } from "../session/calls";
import { type Area, toAddress } from "../xlsx/addresses";
import { createFunctionNames } from "../xlsx/names";
import type { XlsxCell } from "../xlsx/sheet";
import { createHasRoom } from "../xlsx/spill-room";
import type { XlsxWorkbook } from "../xlsx/workbook";
import { Book } from "./book";
import { CellGrid, isUncertain } from "./grid";
import { GridCell, UNKNOWN } from "./grid-cell";
import { TOO_LARGE } from "./library";
import { type Calculation, type Failure, readFailure, reportCalculation } from "./results";
import { translate } from "./translation";

/** The cells of a workbook, by the names of its sheets. */
export interface WorkbookCells {
  workbook: XlsxWorkbook;
  cells: ReadonlyMap<string, readonly XlsxCell[]>;
  /** Cells that are merged to one. */
  merged: ReadonlyMap<string, readonly Area[]>;
}

/** What the engine needs of the add-in's formulas without Excel. */
export interface Formulas {
  readonly runtime: Pick<CustomFunctionsRuntime, "beginCell" | "call" | "commit">;
  readonly metadata: FunctionsMetadata;
  /** Waits until every call has its result. */
  settle(): Promise<void>;
  /** Requests that were held back. */
  heldBack?(): number;
  readonly session?: { readonly calls: { list(): readonly Call[] } };
}

export interface CalculationOptions {
  /** The sheets whose cells are refreshed; default all. */
  only?: ReadonlySet<string>;
  signal?: AbortSignal;
}

export type { Calculation, FeedResult } from "./results";

/** Calls of the add-in that change each other's arguments for longer are a cycle. */
const MOST_ROUNDS = 20;

/** Calculates a workbook with the add-in's present values. */
export async function calculate(
  cells: WorkbookCells,
  host: Formulas,
  options: CalculationOptions = {},
): Promise<Calculation> {
  const run = new Run(cells, host, options);
  await run.calculate();
  return run.report();
}

/** The cell key of the runtime: the cell's address, such as "Sheet1!B3". */
const toKey = (book: Book, { sheet, row, column }: GridCell) => `${book.sheets[sheet]}!${toAddress(row, column)}`;

/** The formulas of the add-in that the engine calls; it has one function of a name. */
let called: (evaluation: Evaluation, name: string, given: Argument[]) => Outcome = () => ({ kind: "busy" });
const learned = new Set<string>();

function learn(metadata: FunctionsMetadata): void {
  const functions = metadata.functions.filter(({ name }) => !learned.has(name));
  registerFormulas(DEFAULT_NAMESPACE, { ...metadata, functions }, (...all) => called(...all));
  for (const { name } of functions) learned.add(name);
}

const readNames = ({ functions }: FunctionsMetadata) =>
  createFunctionNames(
    DEFAULT_NAMESPACE,
    functions.map(({ name }) => name),
  );

/** What only Excel can calculate, since another function is around the add-in's, or around what it reads. */
export const UNREADABLE: Failure = {
  code: "FEED_UNREADABLE",
  sentence: "only Excel can calculate what is around this FEED formula; put it into a cell of its own",
};
const UNSURE: Failure = {
  code: "FEED_UNSURE",
  sentence: "this formula needs cells that only Excel can calculate; refresh it in Excel",
};

/** Errors that are the provider's answer. Any other says nothing about what was asked for: a later refresh may have it. */
const ANSWERS: readonly string[] = [
  "FEED_ARGUMENT_INVALID",
  "FEED_NOT_FOUND",
  "FEED_NO_VALUE",
  "FEED_AMBIGUOUS",
  "FEED_RESULT_TOO_LARGE",
] satisfies FeedCode[];

/** One call of a cell's formula. */
interface CellCall {
  name: string;
  given: readonly Argument[];
}

/** One calculation of a workbook. */
class Run {
  readonly book: Book;
  readonly grid: CellGrid;
  readonly formulas: GridCell[] = [];
  /** The cells of the add-in, each with its reason where it keeps its old value. */
  readonly feed = new Map<GridCell, Failure | null>();
  readonly #calls = new Map<GridCell, CellCall[]>();
  readonly #host: Formulas;
  readonly #options: CalculationOptions;
  readonly #stored = new Map<GridCell, string>();
  readonly #waiting = new Set<GridCell>();
  readonly #failed = new Map<GridCell, Failure>();

  constructor({ workbook, cells, merged }: WorkbookCells, host: Formulas, options: CalculationOptions) {
    this.#host = host;
    this.#options = options;
    learn(host.metadata);
    this.book = new Book(workbook, readNames(host.metadata), DEFAULT_NAMESPACE);
    this.grid = new CellGrid(this.book);
    this.grid.hasRoom = createHasRoom(workbook, merged);
    for (const [index, name] of this.book.sheets.entries()) this.#addSheet(index, cells.get(name) ?? []);
    for (const cell of this.formulas) this.#addFeed(cell);
  }

  #addSheet(sheet: number, cells: readonly XlsxCell[]): void {
    const arrays: GridCell[] = [];
    for (const { row, column, value, formula, array } of cells) {
      const place = { sheet, row, column, isArray: array !== undefined };
      const translation = formula === undefined ? null : translate(formula, place, this.book);
      const cell = this.grid.add(new GridCell(sheet, row, column, value, translation, array));
      if (translation !== null) this.formulas.push(cell);
      cell.isLive = translation !== null && translation.run !== null && !translation.isFeed;
      if (translation?.isFeed && formula !== undefined) this.#stored.set(cell, formula);
      if (array !== undefined) arrays.push(cell);
    }
    for (const cell of arrays) this.#addMembers(cell);
  }

  #addMembers(cell: GridCell): void {
    for (let row = cell.row; row < cell.row + cell.rows; row++) {
      for (let column = cell.column; column < cell.column + cell.columns; column++) {
        const member = this.grid.find(cell.sheet, row, column);
        if (member !== undefined && member.translation === null) member.anchor = cell;
      }
    }
  }

  #addFeed(cell: GridCell): void {
    const { translation, sheet } = cell;
    if (!translation?.isFeed || this.#options.only?.has(this.book.sheets[sheet] ?? "") === false) return;
    const isReadable = translation.run !== null && translation.reliance === "proven";
    const { refusal } = translation;
    this.feed.set(cell, isReadable ? null : refusal === null ? UNREADABLE : { ...UNREADABLE, sentence: refusal });
    cell.isFeed = true;
    cell.isLive = isReadable;
  }

  /** Calculates until nothing changes any more: the add-in's cells with what they read, then all. */
  async calculate(): Promise<void> {
    called = (evaluation, name, given) => this.#call(evaluation, name, given);
    this.grid.onBegin = (cell) => this.#begin(cell);
    do {
      await this.#settle([...this.feed.keys()]);
      await this.#settle(this.formulas);
    } while (this.#fail());
  }

  async #settle(cells: readonly GridCell[]): Promise<void> {
    const { runtime } = this.#host;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.#options.signal?.throwIfAborted();
      this.#waiting.clear();
      this.grid.calculate(cells);
      runtime.commit();
      if (this.#waiting.size === 0 || (this.#host.heldBack?.() ?? 0) > 0) return;
      await this.#host.settle();
    }
    const addresses = [...this.#waiting].map((cell) => toKey(this.book, cell)).join(", ");
    for (const cell of this.#waiting) this.#failed.set(cell, { code: "FEED_CYCLE", sentence: ENDLESS + addresses });
  }

  #begin(cell: GridCell): void {
    if (!cell.isFeed || !cell.isLive) return;
    this.#host.runtime.beginCell(toKey(this.book, cell));
    this.#calls.set(cell, []);
    this.#failed.delete(cell);
  }

  #call({ __originCellPosition: position }: Evaluation, name: string, given: Argument[]): Outcome {
    const cell = position && this.grid.find(Number(position.sheetId), position.row, position.col);
    if (!cell || this.grid.isUnknown) return { kind: "busy" };
    const outcome = this.#host.runtime.call(name, given, toKey(this.book, cell));
    this.#calls.get(cell)?.push({ name, given });
    if (outcome.kind === "busy") this.#waiting.add(cell);
    const failure = findFailure(outcome);
    if (failure) this.#failed.set(cell, failure);
    return outcome;
  }

  /** Ends the cells of the add-in that have failed; they keep their old values. Returns whether there were any. */
  #fail(): boolean {
    const circular = [...this.grid.cycles.keys()].filter(({ isLive, isFeed }) => isLive && !isFeed);
    for (const cell of circular) cell.isLive = false; // how they were calculated is known to Excel alone
    if (circular.length > 0) return true;
    const live = [...this.feed.keys()].filter(({ isLive }) => isLive);
    const ended = live.flatMap((cell) => {
      const reason = this.#findReason(cell);
      return reason ? [[cell, reason] as const] : [];
    });
    for (const [cell, reason] of ended) {
      this.feed.set(cell, reason);
      cell.isLive = false;
      this.#host.runtime.beginCell(toKey(this.book, cell));
    }
    return ended.length > 0;
  }

  #findReason(cell: GridCell): Failure | null {
    const cycle = this.grid.cycles.get(cell);
    if (cycle) return toCycle(cycle.map((each) => toKey(this.book, each)).join(", "));
    const failure = this.#failed.get(cell);
    if (failure) return failure;
    if (this.#waiting.has(cell)) return HELD_BACK;
    const { message, value } = cell.result;
    if (message === TOO_LARGE) return { code: "FEED_RESULT_TOO_LARGE", sentence: TOO_LARGE };
    return cell.inputChange & UNKNOWN || isUncertain(cell, value) ? UNSURE : null;
  }

  /** The formula of a cell of the add-in, as a person reads it. */
  read(cell: GridCell): string {
    return `=${this.book.functions.fromFile(this.#stored.get(cell) ?? "")}`;
  }

  report(): Calculation {
    const { session, metadata } = this.#host;
    const findCall = createFindCall(session?.calls.list() ?? [], metadata);
    return reportCalculation(this, (cell) => (this.#calls.get(cell) ?? []).flatMap((call) => findCall(call) ?? []));
  }
}

const HELD_BACK: Failure = {
  code: "FEED_CONFIRM_NEEDED",
  sentence: "this formula was not asked for, since the requests would be more than the limit",
};

const ENDLESS = "these cells ask for something else after each answer: ";

const toCycle = (addresses: string): Failure => ({
  code: "FEED_CYCLE",
  sentence: `these cells need each other's values: ${addresses}`,
});

/** The reason for which a call has no answer, so that what it was is not known; null where it has one. */
function findFailure(outcome: Outcome): Failure | null {
  const cells = outcome.kind === "array" ? outcome.rows.flat() : [outcome];
  for (const cell of cells) {
    const failure = cell.kind === "error" ? readFailure(cell) : null;
    if (failure?.code.startsWith("FEED_") && !ANSWERS.includes(failure.code)) return failure;
  }
  return null;
}

/** Finds the session's calls of a cell: those of the same function with the same arguments. */
function createFindCall(calls: readonly Call[], { functions }: FunctionsMetadata) {
  const byName = new Map(functions.map((each) => [each.name.toUpperCase(), each]));
  const parameters = (name: string) => byName.get(name.toUpperCase())?.parameters ?? [];
  const byKey = new Map(
    calls.map((call) => [
      JSON.stringify([call.name.toUpperCase(), parameters(call.name).map(({ name }) => call.given[name] ?? null)]),
      call,
    ]),
  );
  return ({ name, given }: CellCall): Call | undefined => {
    const metadata = byName.get(name.toUpperCase());
    if (metadata === undefined) return undefined;
    try {
      return byKey.get(JSON.stringify([name.toUpperCase(), toParameters(metadata, given)]));
    } catch {
      return undefined; // its arguments were refused, so that it was not called
    }
  };
}

/** A formula of the add-in in a workbook; one of "sheets" came from Google Sheets, which leaves its last value. */
export interface FeedCell {
  sheet: string;
  row: number;
  column: number;
  /** As a person reads it, with "=". */
  formula: string;
  kind: "live" | "sheets";
}

/** What Google Sheets writes for a function that Excel does not have. */
const DUMMY = /__xludf\.DUMMYFUNCTION\("((?:[^"]|"")*)"\)/i;

/** Lists the formulas of the add-in, without a calculation. */
export function listFeedCells({ workbook, cells }: WorkbookCells, metadata: FunctionsMetadata): FeedCell[] {
  learn(metadata);
  const book = new Book(workbook, readNames(metadata), DEFAULT_NAMESPACE);
  return book.sheets.flatMap((name, sheet) =>
    (cells.get(name) ?? []).flatMap(({ row, column, formula, array }): FeedCell[] => {
      if (formula === undefined) return [];
      const [, dummy] = DUMMY.exec(formula) ?? [];
      const ofSheets = dummy?.replaceAll('""', '"');
      if (ofSheets?.toUpperCase().includes(`${DEFAULT_NAMESPACE}.`)) {
        return [{ sheet: name, row, column, formula: `=${ofSheets.replace(/^=/, "")}`, kind: "sheets" }];
      }
      const place = { sheet, row, column, isArray: array !== undefined };
      if (!translate(formula, place, book).isFeed) return [];
      return [{ sheet: name, row, column, formula: `=${book.functions.fromFile(formula)}`, kind: "live" }];
    }),
  );
}
