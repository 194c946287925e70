import type { Financials } from "../feed/decode";
import { FigureIndex } from "../feed/financials/figure-index";
import type { Query, State } from "../feed/query-cache";
import type { Wait, Waiter } from "../feed/waits";
import type { CallGroup } from "../session/calls";
import type { Task } from "../session/scheduler";
import type { Session } from "../session/session";
import { LATE } from "./cell-writer";
import { toCellError } from "./cells";
import type { FigureCell } from "./figure-cell";
import { runAll } from "./run-all";
import { toAbilities } from "./stream";
import type { Settled } from "./view-observer";

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
