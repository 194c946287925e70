import type { EvaluatedCell, Model } from "@odoo/o-spreadsheet";
import type { Argument } from "./arguments";
import type { FunctionsMetadata, Outcome } from "./custom-functions";
import { type CustomFunctionsRuntime, createCustomFunctionsRuntime } from "./excel-runtime";
import { type Evaluation, registerFormulas } from "./formulas";
import { createDocumentSettings } from "./office";
import { offerAgain } from "./page";
import type { Texts } from "./texts";
import { type ShownWorkbook, showWorkbook } from "./view";
import * as workbook from "./workbook";

/** A workbook as the engine saves it, with the add-ins' settings. */
export type Saved = workbook.Snapshot & { documentSettings: Record<string, unknown> };

/** The driver `window.playground`, for people and tests. A cell is "B2" of the active sheet, or "Ranking!B2". */
export interface Playground {
  /** Resolves when the workbook is shown and the functions have loaded or failed. */
  ready: Promise<void>;
  /** Types a text into a cell, as a person would. */
  set(cell: string, text: string): void;
  /** Types many texts as one command. */
  setMany(entries: readonly workbook.Entry[]): void;
  get(cell: string): workbook.CellView;
  /** Returns the values of a range by row; an error as its code, an empty cell as null. */
  range(range: string): workbook.CellView["value"][][];
  /** Returns a cell's formula or text. */
  formula(cell: string): string;
  undo(): void;
  /** Inserts an empty row above row n of the active sheet, counted from 1. */
  insertRow(n: number): void;
  /** Returns a snapshot of the workbook, for `load`. */
  save(): Saved;
  /** Closes the workbook and opens another, which the browser does not keep. */
  load(snapshot: object): Promise<void>;
  /** Number of streams that are running. */
  live(): number;
}

interface PlaygroundOptions {
  namespace: string;
  target: HTMLElement;
  texts: Pick<Texts, "ended" | "showAgain">;
}

/** Called at each change of what `Sheets.save` returns: of the cells and sheets, or of the add-ins' settings alone. */
type OnChange = (isContent: boolean) => void;

/** The spreadsheet together with the functions that are loaded into it; one lives on a page. */
export class Sheets {
  readonly #options: PlaygroundOptions;
  readonly #runtime: CustomFunctionsRuntime;
  readonly #calls: ReturnType<typeof createCellCalls>;
  /** The add-ins' settings in the workbook. */
  readonly settings = createDocumentSettings(() => this.#change(false));
  #model: Model | undefined;
  #shown: ShownWorkbook | undefined;
  readonly #listeners = new Set<(model: Model) => void>();
  readonly #editListeners = new Set<() => void>();
  #change: OnChange = () => {};

  constructor(options: PlaygroundOptions) {
    this.#options = options;
    this.#runtime = createCustomFunctionsRuntime({
      onResults: (cells) => this.#evaluate(cells),
      addressOf: (cell) => workbook.findAddress(this.model, Number(cell)),
    });
    this.#calls = createCellCalls(this.#runtime);
  }

  /** The global `CustomFunctions` that the bundle expects. */
  get customFunctions() {
    return this.#runtime.customFunctions;
  }

  /** Whether a bundle has told of its functions. */
  get hasFunctions() {
    return this.#runtime.hasFunctions();
  }

  /** Loads the content of functions.json, before a workbook is opened. */
  learn(metadata: FunctionsMetadata): void {
    this.#runtime.load(metadata);
    registerFormulas(this.#options.namespace, metadata, (evaluation, name, given) =>
      // A workbook that is only written as a file calls nothing.
      this.#model !== undefined && this.#model.getters !== evaluation.getters
        ? this.#runtime.peek(name, given)
        : this.#calls.call(evaluation, name, given),
    );
  }

  /**
   * Opens a workbook instead of the present one.
   *
   * @throws Error of the engine for a broken snapshot; then no workbook is open
   */
  async open(snapshot?: object & Partial<Saved>, onChange: OnChange = () => {}): Promise<void> {
    this.#shown?.hide();
    this.#shown = undefined;
    this.#calls.close();
    this.#change = () => {};
    this.#model = undefined;
    const model = workbook.openWorkbook(snapshot, () => this.#change(true));
    this.settings.open(snapshot?.documentSettings);
    this.#change = (isContent) => {
      onChange(isContent);
      if (isContent) for (const listener of this.#editListeners) listener();
    };
    this.#model = model;
    await this.#show(model);
    model.on("update", this, () => this.#update(model));
    this.#update(model);
  }

  /** Shows the workbook; where an error ends the engine, offers to show it again. */
  async #show(model: Model): Promise<void> {
    const { target, texts } = this.#options;
    const offer = () => {
      this.#shown?.hide();
      this.#shown = undefined;
      offerAgain(target, texts, () => void this.#show(model).catch(offer));
    };
    this.#shown = await showWorkbook(model, target, offer);
  }

  /** Returns a snapshot of the workbook. */
  save(): Saved {
    return { ...this.model.exportData(), documentSettings: this.settings.read() };
  }

  /** Creates the driver; the page passes what it does itself. */
  createDriver(own: Pick<Playground, "ready" | "load">): Playground {
    return {
      ...own,
      set: (cell, text) => workbook.enterCells(this.model, [[cell, text]]),
      setMany: (entries) => workbook.enterCells(this.model, entries),
      get: (cell) => workbook.readCellView(this.model, cell),
      range: (range) =>
        workbook
          .readReference(this.model, range)
          .map((row) => row.map((cell) => workbook.readView(this.model, cell).value)),
      formula: (cell) => workbook.readFormula(this.model, cell),
      undo: () => void this.model.dispatch("REQUEST_UNDO"),
      insertRow: (n) => workbook.insertRow(this.model, n),
      save: () => this.save(),
      live: () => this.#runtime.live(),
    };
  }

  /** Forgets all callbacks, as the add-in's page ends. */
  leavePage(): void {
    this.#listeners.clear();
    this.#editListeners.clear();
  }

  /** Calls back after each change of the workbook or the selection. */
  onUpdate(listener: (model: Model) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls back with each change of cells or sheets. */
  readonly onEdit = (listener: () => void): (() => void) => {
    this.#editListeners.add(listener);
    return () => void this.#editListeners.delete(listener);
  };

  /**
   * Calculates every cell anew.
   * @param isFromScratch whether each function is called anew too; otherwise streams go on
   */
  recalculate(isFromScratch: boolean): void {
    if (isFromScratch) this.#runtime.rerun();
    this.model.dispatch("EVALUATE_CELLS", {});
  }

  /** Whether somebody is writing into a cell. */
  get isEditing(): boolean {
    return this.#shown?.isEditing() ?? false;
  }

  get model(): Model {
    if (!this.#model) throw new Error("No workbook is open yet: await playground.ready.");
    return this.#model;
  }

  #update(model: Model) {
    queueMicrotask(() => {
      if (model !== this.#model) return;
      this.#calls.settle();
      for (const listener of this.#listeners) listener(model);
    });
  }

  #evaluate(cellKeys: string[]) {
    const cellIds = cellKeys.map(Number).filter((id) => this.model.getters.tryGetCellPosition(id));
    if (cellIds.length > 0) this.model.dispatch("EVALUATE_CELLS", { cellIds });
  }
}

/** Binds Excel's keys: F9 calculates, Ctrl+Alt+F9 also calls each function anew. */
export function letRecalculate(root: Document, sheets: Pick<Sheets, "recalculate">): void {
  // Capturing, since the grid stops its keys.
  root.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "F9") return;
      event.preventDefault();
      sheets.recalculate(event.ctrlKey && event.altKey);
    },
    { capture: true },
  );
}

type Getters = Model["getters"];

interface CallingCell {
  getters: Getters;
  /** The engine's evaluation of the cell's last call. */
  evaluation: Evaluation;
  /** The cell's last evaluated object; the engine makes a new one at each evaluation. */
  shown?: EvaluatedCell;
}

/** Tracks the calls of the open workbook's cells; it settles after each calculation. */
function createCellCalls(runtime: CustomFunctionsRuntime) {
  const cells = new Map<number, CallingCell>();
  let isScheduled = false;

  /** Cancels calls that no formula makes any more, and starts new ones. */
  function settle() {
    isScheduled = false;
    for (const [id, cell] of cells) if (!isStillCalling(id, cell)) forget(id);
    runtime.commit();
  }

  function forget(id: number) {
    cells.delete(id);
    runtime.beginCell(String(id));
  }

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(settle);
  }

  return {
    settle,
    /** Calls a function for the cell that the engine is evaluating. */
    call(evaluation: Evaluation, name: string, given: Argument[]): Outcome {
      const cell = findCell(evaluation);
      if (!cell) return runtime.peek(name, given);
      const before = cells.get(cell.id);
      if (before?.evaluation !== evaluation) {
        runtime.beginCell(String(cell.id));
        cells.set(cell.id, { getters: evaluation.getters, evaluation });
      }
      schedule();
      return runtime.call(name, given, String(cell.id));
    },
    /** Cancels all calls of a closed workbook. */
    close() {
      for (const id of [...cells.keys()]) forget(id);
      runtime.commit();
    },
  };
}

/** The composer, charts and rules evaluate formulas outside cells, which record no dependencies. */
function findCell({ __originCellPosition: position, updateDependencies, getters }: Evaluation) {
  return position && updateDependencies !== undefined ? getters.getCell(position) : undefined;
}

/** Whether a cell still makes its call; one evaluated again without calling does not. */
function isStillCalling(id: number, cell: CallingCell): boolean {
  const position = cell.getters.tryGetCellPosition(id);
  if (!position) return false;
  const shown = cell.getters.getEvaluatedCell(position);
  const isUnchanged = cell.shown === undefined || cell.shown === shown;
  cell.shown = shown;
  return isUnchanged;
}
