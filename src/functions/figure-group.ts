import type { Financials } from "../feed/decode";
import { FigureIndex } from "../feed/financials/metrics";
import type { Unit } from "../feed/financials/unit";
import type { Answer, Query, State } from "../feed/query-cache";
import type { Wait, Waiter } from "../feed/waits";
import type { Call, CallGroup, OriginReader } from "../session/calls";
import type { Task } from "../session/scheduler";
import type { Session } from "../session/session";
import { type Invocation, isEqual, LATE } from "./cell-writer";
import { type Abilities, type Output, toCell, toCellError } from "./cells";
import { pickFigure } from "./figures";
import { readOrigins, toAbilities } from "./stream";
import type { Settled, View } from "./view-observer";

/** Cells that one task shows or hands to the host, which takes it a millisecond. */
const CELLS_AT_ONCE = 500;

/** So many ended cells are kept beside as many live ones. */
const ENDED_AT_LEAST = 16;

/** The cells whose figures one query answers: it is subscribed to once, and an answer is indexed once for all of them. */
export class FigureGroup implements Task, CallGroup {
  readonly queries: readonly [Query<Financials>];
  /** Also some that have ended. */
  #cells: FigureCell[] = [];
  #live = 0;
  /** The answer of the query, or the reason why there is none; null before that. */
  #settled: Settled | null = null;
  /** Whether there is no answer to show: before the first one, and while a failed query loads again. */
  #isPending = true;
  #index: FigureIndex | null = null;
  /** The cells that are to show it. */
  #due: FigureCell[] = [];
  #isScheduled = false;
  /** The cells whose output is to go to the host. */
  #unsent: FigureCell[] = [];
  readonly #sender: Task = { run: () => this.#send() };
  /** The cells that came together and have no output yet. */
  #awaiting: AwaitingCells[] = [];
  readonly #stop: () => void;

  /** @param left called when the last cell has left */
  constructor(
    private readonly session: Session,
    readonly query: Query<Financials>,
    private readonly left: () => void,
  ) {
    this.queries = [query];
    this.#stop = session.feed.queryCache.observe(query, (state) => this.#receive(state));
  }

  get settled(): Settled | null {
    return this.#settled;
  }

  list(): readonly FigureCell[] {
    return this.#cells.filter(({ hasEnded }) => !hasEnded);
  }

  enter(cells: readonly FigureCell[]): void {
    if (this.#live === 0) this.session.calls.addGroup(this);
    this.#live += cells.length;
    for (const cell of cells) {
      cell.group = this;
      this.#cells.push(cell);
    }
    if (this.#isPending) this.#awaiting.push(new AwaitingCells(this.session, cells, (late) => this.#late(late)));
    else this.showSoon(cells);
  }

  /** Takes note of a cell that has ended. */
  leave(): void {
    this.#live--;
    if (this.#live > 0 && this.#cells.length > this.#live * 2 + ENDED_AT_LEAST) this.#cells = [...this.list()];
    if (this.#live === 0) this.#end();
    this.session.calls.relist();
  }

  /** Has cells show the present answer, if there is one. */
  showSoon(cells: readonly FigureCell[]): void {
    if (this.#isPending || cells.length === 0) return;
    for (const cell of cells) this.#due.push(cell);
    this.#schedule();
  }

  run(): void {
    this.#isScheduled = false;
    const abilities = toAbilities(this.session);
    const settled = this.#settled as Settled;
    const index = abilities.properties ? null : this.#readIndex(settled);
    const cells = this.#due.slice(0, CELLS_AT_ONCE);
    this.#due = this.#due.slice(CELLS_AT_ONCE);
    const changed = cells.filter((cell) => !cell.hasEnded && cell.show(settled, index, abilities));
    if (this.#due.length > 0) this.#schedule();
    else this.#index = null; // it is seldom needed again
    this.session.calls.notify();
    this.#sendSoon(changed);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.session.scheduler.take(this);
  }

  #receive(state: State<Financials>): void {
    this.#isPending = state.status === "pending";
    if (state.status === "pending") return;
    this.#settled = state;
    this.#index = null;
    this.#endWaits();
    this.#due = [];
    this.showSoon(this.#cells);
  }

  #readIndex(settled: Settled): FigureIndex | null {
    if (settled.status !== "answered") return null;
    this.#index ??= new FigureIndex(settled.answer.value as Financials);
    return this.#index;
  }

  #late(cells: readonly FigureCell[]): void {
    const output = toCellError(LATE);
    this.#sendSoon(cells.filter((cell) => !cell.hasEnded && cell.set(output)));
  }

  #sendSoon(cells: readonly FigureCell[]): void {
    if (cells.length === 0) return;
    const isScheduled = this.#unsent.length > 0;
    for (const cell of cells) this.#unsent.push(cell);
    if (!isScheduled) this.session.scheduler.finish(this.#sender);
  }

  #send(): void {
    const cells = this.#unsent.slice(0, CELLS_AT_ONCE);
    this.#unsent = this.#unsent.slice(CELLS_AT_ONCE);
    if (this.#unsent.length > 0) this.session.scheduler.finish(this.#sender);
    try {
      runAll(cells, (cell) => cell.send());
    } catch (error) {
      this.session.ports.after(0, () => {
        throw error; // the page reports it; whoever brought the answer must not fail by it
      });
    }
  }

  #end(): void {
    this.#stop();
    this.#endWaits();
    this.#cells = [];
    this.session.calls.removeGroup(this);
    this.left();
  }

  #endWaits(): void {
    for (const cells of this.#awaiting) cells.end();
    this.#awaiting = [];
  }
}

/** Cells that came together, and share a timeout. */
class AwaitingCells implements Waiter {
  readonly #wait: Wait;

  constructor(
    session: Session,
    private readonly cells: readonly FigureCell[],
    private readonly notify: (cells: readonly FigureCell[]) => void,
  ) {
    this.#wait = session.waits.begin(this);
  }

  late(): void {
    this.notify(this.cells);
  }

  end(): void {
    this.#wait.end(this);
  }
}

/** A metric and a unit as formulas give them. Thousands of cells share one. */
export interface FigureColumn {
  /** The arguments as given; null where absent. */
  readonly metric: string;
  readonly unit: string | number | null;
  /** The metric's name, trimmed, and folded by `toName`. */
  readonly name: string;
  readonly foldedName: string;
  /** The unit that they mean. */
  readonly scale: Unit;
}

/** A company whose figures are in cells. */
export interface FigureCompany {
  readonly session: Session;
  /** Its id as given. */
  readonly companyId: string;
  /** Its new cells by year. */
  readonly newcomers: Map<number, FigureCell[]>;
  /** The groups of its cells by year; years that come together share one. */
  readonly groups: Map<number, FigureGroup>;
  /** Opens the view of a formula, which knows where its figure comes from. */
  readonly open: (given: Call["given"]) => View;
}

/** A formula of one figure in its cell. A workbook has many thousands: it holds only what no other cell has. */
export class FigureCell implements Call {
  /** Null before its query is opened. */
  group: FigureGroup | null = null;
  /** Its error; null while it shows a value. */
  error: unknown = null;
  shown: Output | null = null;
  hasEnded = false;
  /** Whether it has shown an answer or a failure of its query. */
  #isSettled = false;

  constructor(
    private readonly invocation: Invocation,
    private readonly company: FigureCompany,
    readonly year: number,
    private readonly column: FigureColumn,
  ) {
    invocation.onCanceled = () => this.end();
  }

  get name(): string {
    return "FINANCIAL";
  }

  get given(): Call["given"] {
    const { metric, unit } = this.column;
    return { company: [[this.company.companyId]], year: [[this.year]], metric: [[metric]], basis: null, unit };
  }

  get address(): string | null {
    return this.invocation.address ?? null;
  }

  get queries(): Call["queries"] {
    return this.group?.queries ?? [];
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.group?.leave();
  }

  /** Only settings can change its output: it depends on no day. */
  reread(isForSettings = false): void {
    if (!isForSettings) return;
    this.error = null; // as of a formula that is read again, until its answer shows
    this.group?.showSoon([this]);
  }

  readOrigins(): OriginReader {
    const settled = this.#isSettled ? (this.group?.settled ?? null) : null;
    return readOrigins(() => settled && this.company.open(this.given).show([settled]));
  }

  /**
   * Shows its figure in an answer, or the error.
   *
   * @param index of the answer; null where figures are picked with their facts
   * @returns whether its output has changed, for {@link send}
   */
  show(settled: Settled, index: FigureIndex | null, abilities: Abilities): boolean {
    const { year, column } = this;
    this.#isSettled = true;
    const { divisor, currency } = column.scale;
    // The index has numbers alone, which say nothing of their currency.
    const number = currency === null ? (index?.find(year, column.foldedName) ?? null) : null;
    const value = number === null ? this.#pick(settled) : number / divisor;
    this.error = value instanceof Error ? value : null;
    return this.set(this.#toOutput(value, abilities));
  }

  #toOutput(value: unknown, abilities: Abilities): Output {
    try {
      const cell = toCell(value, abilities);
      return cell instanceof CustomFunctions.Error ? cell : [[cell]];
    } catch (error) {
      this.error = error;
      return toCellError(error);
    }
  }

  /** @returns whether its output has changed */
  set(output: Output): boolean {
    if (this.shown !== null && isEqual(this.shown, output)) return false;
    this.shown = output;
    return true;
  }

  /** Hands its output to the host. */
  send(): void {
    if (!this.hasEnded) this.invocation.setResult(this.shown as unknown[][]);
  }

  #pick(settled: Settled): unknown {
    if (settled.status !== "answered") return settled.error;
    const { name, scale } = this.column;
    try {
      return pickFigure(
        settled.answer as Answer<Financials>,
        { kind: "fiscal", year: this.year },
        { name, basis: [] },
        scale,
      );
    } catch (error) {
      return error;
    }
  }
}

/**
 * Runs a step for each item, though one may throw: a host that refuses one cell's output must not cost the others theirs.
 *
 * @throws the first error, after the last step
 */
export function runAll<T>(items: Iterable<T>, step: (item: T) => void): void {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      step(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
