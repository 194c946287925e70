import type { Financials } from "../feed/decode";
import { FigureIndex } from "../feed/financials/figure-index";
import type { Answer, Query, State } from "../feed/query-cache";
import type { Call, Origin } from "../session/calls";
import type { Task } from "../session/scheduler";
import type { Session } from "../session/session";
import { CellWriter, type Invocation } from "./cell-writer";
import { toCell } from "./cells";
import { pickFigure } from "./figures";
import { findOrigin, toAbilities } from "./stream";
import type { Settled, View } from "./view-observer";

/** A metric and a unit as formulas give them. Thousands of cells share one. */
export interface FigureColumn {
  /** The arguments as given; null where absent. */
  readonly metric: string;
  readonly unit: string | number | null;
  /** The metric's name, trimmed, and folded by `toName`. */
  readonly name: string;
  readonly foldedName: string;
  /** The number's divisor. */
  readonly divisor: number;
}

/** Cells shown by one task: it may take a few milliseconds. */
const CELLS_AT_ONCE = 500;

/** The cells whose figures one query answers: it is subscribed to once, and its answer is indexed once for all of them. */
export class FigureGroup implements Task {
  readonly queries: readonly [Query<Financials>];
  readonly #cells = new Set<FigureCell>();
  /** The cells that are not registered yet. */
  readonly #newcomers = new Set<FigureCell>();
  /** The cells that are to show the present answer. */
  readonly #due = new Set<FigureCell>();
  readonly #stop: () => void;
  #settled: Settled | null = null;
  #index: FigureIndex | null = null;
  /** Whether the scheduler has it. */
  #isWaiting = false;

  /** @param left called when the last cell has left */
  constructor(
    private readonly session: Session,
    readonly query: Query<Financials>,
    private readonly left: () => void,
  ) {
    this.queries = [query];
    this.#stop = session.feed.queryCache.observe(query, (state) => this.#receive(state));
  }

  /** The answer of its query, or the reason why there is none; null before that. */
  get settled(): Settled | null {
    return this.#settled;
  }

  /** Adds a cell, which {@link enter} registers. */
  add(cell: FigureCell): void {
    cell.group = this;
    this.#newcomers.add(cell);
  }

  enter(): void {
    this.#schedule();
  }

  leave(cell: FigureCell): void {
    if (this.#cells.delete(cell)) this.session.calls.remove(cell);
    this.#newcomers.delete(cell);
    this.#due.delete(cell);
    if (this.#cells.size > 0 || this.#newcomers.size > 0) return;
    this.#stop();
    this.left();
  }

  /** Has a cell show the present answer, if there is one. */
  request(cell: FigureCell): void {
    if (this.#settled === null) return;
    this.#due.add(cell);
    this.#schedule();
  }

  run(): void {
    this.#isWaiting = false;
    try {
      this.#register();
      this.#show();
    } finally {
      if (this.#due.size > 0 || this.#newcomers.size > 0) this.#schedule();
      else this.#index = null; // it is seldom needed again
      this.session.calls.notify();
    }
  }

  #register(): void {
    for (const cell of take(this.#newcomers, CELLS_AT_ONCE)) {
      this.#cells.add(cell);
      this.session.calls.add(cell);
      if (this.#settled === null) cell.beginWait();
      else this.#due.add(cell);
    }
  }

  #show(): void {
    const abilities = toAbilities(this.session);
    for (const cell of take(this.#due, CELLS_AT_ONCE)) {
      cell.show(this.#settled as Settled, abilities.properties ? null : this.#readIndex(), abilities);
    }
  }

  #receive(state: State<Financials>): void {
    if (state.status === "pending") return;
    this.#settled = state;
    this.#index = null;
    for (const cell of this.#cells) this.#due.add(cell);
    if (this.#due.size > 0) this.#schedule();
  }

  #readIndex(): FigureIndex | null {
    if (this.#settled?.status !== "answered") return null;
    this.#index ??= new FigureIndex(this.#settled.answer.value as Financials);
    return this.#index;
  }

  #schedule(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.session.scheduler.take(this);
  }
}

/** Takes the first members out of a set, one by one: a set may change meanwhile. */
function* take<T>(members: Set<T>, most: number): Iterable<T> {
  let left = most;
  for (const member of members) {
    if (left-- === 0) return;
    members.delete(member);
    yield member;
  }
}

/** The arguments of a figure's formula. */
interface FigureFormula {
  companyId: string;
  year: number;
  column: FigureColumn;
  /** Opens the formula's view. */
  open: (given: Call["given"]) => View;
}

/** A formula of one figure in its cell. A workbook has many thousands, so that its group holds what they share. */
export class FigureCell extends CellWriter implements Call {
  /** Its error; null while it shows a value. */
  error: unknown = null;
  /** Null before its query is opened. */
  group: FigureGroup | null = null;
  hasEnded = false;

  constructor(
    session: Session,
    invocation: Invocation,
    private readonly formula: FigureFormula,
  ) {
    super(session, invocation);
    invocation.onCanceled = () => this.end();
  }

  get name(): string {
    return "FINANCIAL";
  }

  get year(): number {
    return this.formula.year;
  }

  get given(): Call["given"] {
    const { companyId, year, column } = this.formula;
    const { metric, unit } = column;
    return { company: [[companyId]], year: [[year]], metric: [[metric]], basis: null, unit };
  }

  get address(): string | null {
    return this.invocation.address ?? null;
  }

  get queries(): Call["queries"] {
    return this.group?.queries ?? [];
  }

  override end(): void {
    super.end();
    this.hasEnded = true;
    this.group?.leave(this);
  }

  /** Only settings can change its output: it depends on no day. */
  reread(isForSettings = false): void {
    if (isForSettings) this.group?.request(this);
  }

  findOrigin(row: number, column: number): Origin {
    const settled = this.group?.settled ?? null;
    return findOrigin(() => settled && this.formula.open(this.given).show([settled]), row, column);
  }

  /** @param index of the answer; null where the figure is to be picked with its facts */
  show(settled: Settled, index: FigureIndex | null, abilities: ReturnType<typeof toAbilities>): void {
    const { year, column } = this.formula;
    const number = index?.find(year, column.foldedName) ?? null;
    const value = number === null ? this.#pick(settled) : number / column.divisor;
    this.error = value instanceof Error ? value : null;
    const cell = toCell(value, abilities);
    this.write(cell instanceof CustomFunctions.Error ? cell : [[cell]]);
  }

  #pick(settled: Settled): unknown {
    if (settled.status !== "answered") return settled.error;
    const { year, column } = this.formula;
    const { name, divisor } = column;
    const { dateSystem } = this.session.settings;
    try {
      return pickFigure(
        settled.answer as Answer<Financials>,
        { kind: "fiscal", year },
        { name, basis: [] },
        { divisor, dateSystem },
      );
    } catch (error) {
      return error;
    }
  }
}
