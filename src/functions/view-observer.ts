import type { Progress, Query, State } from "../feed/query-cache";
import type { Task } from "../session/scheduler";
import type { Session } from "../session/session";
import type { Table } from "./cells";

/** A formula's queries and the layout of their answers. */
export interface View {
  queries: readonly Query<unknown>[];
  /**
   * Lays the answers, in the order of the queries, out as a table; null while it does so step by step. Its error is
   * shown.
   */
  show(settled: readonly Settled[]): Table | null;
  /** Lays the first rows of a list out, which foretell how large its table will be; null where that is known. */
  foretell?(progress: Progress): Table | null;
  /** Whether a refresh reopens it: it depends on today, or has something to retry. */
  rereadsOnRefresh?: boolean;
  /**
   * Opens the view that the answers decide on, in place of this one; without answers the one to be expected, whose queries
   * say what it may cost.
   */
  follow?(settled?: readonly Settled[]): View;
  /** Subscribes a cell to changes besides its answers; returns the unsubscribe function. */
  subscribe?(notify: () => void): () => void;
}

/** An answer, or the reason why there is none. */
export type Settled = Exclude<State<unknown>, { status: "pending" }>;

/** The answer of a query. @throws what the query failed with */
export function readAnswer<T>(settled: Settled | undefined): T {
  if (settled?.status !== "answered") throw settled?.error;
  return settled.answer.value as T;
}

/** Makes the view of one answer. @param show lays it out; its error is shown */
export const viewAnswer = <T>(query: Query<T>, show: (value: T) => Table): View => ({
  queries: [query],
  show: ([settled]) => show(readAnswer<T>(settled)),
});

/** Shows a view by the answers of its queries, in their order. */
export interface ViewWriter {
  show(view: View, settled: readonly Settled[]): void;
  /** Receives the progress of a list, which shows nothing yet. */
  advance(view: View, progress: Progress): void;
}

/** After each layout, this multiple of its duration is left for other work: a fifth of the time at most. */
const REST_PER_WORK = 4;

/** A grid of a few answers shows each change. */
const SHOWS_WITHOUT_REST = 10;

/**
 * Throttles a grid whose answers arrive one by one. Each layout covers all rows, so that showing every step would cost
 * the square of the steps.
 */
export abstract class Throttled implements Task {
  #restsUntilMs = 0;
  #shows = 0;
  #callOff: (() => void) | null = null;
  /** Whether the scheduler has it. */
  #isDue = false;

  constructor(private readonly session: Pick<Session, "ports" | "scheduler">) {}

  /** Shows the present state; the last request is always followed by one call. */
  protected abstract show(): void;

  /** Requests a layout: as the scheduler runs it, or together with later requests after the rest. */
  request(): void {
    if (this.#callOff !== null || this.#isDue) return;
    const restMs = this.#restsUntilMs === 0 ? 0 : this.#restsUntilMs - this.session.ports.nowMs();
    if (restMs <= 0) this.#schedule();
    else
      this.#callOff = this.session.ports.after(restMs, () => {
        this.#callOff = null;
        this.#schedule();
      });
  }

  stop(): void {
    this.#callOff?.();
    this.#callOff = null;
    this.#isDue = false;
  }

  #schedule(): void {
    this.#isDue = true;
    this.session.scheduler.take(this);
  }

  run(): void {
    if (!this.#isDue) return; // stopped while it waited
    this.#isDue = false;
    if (++this.#shows < SHOWS_WITHOUT_REST) this.show();
    else {
      const { nowMs } = this.session.ports;
      const beginsMs = nowMs();
      this.show();
      const endsMs = nowMs();
      this.#restsUntilMs = endsMs + (endsMs - beginsMs) * REST_PER_WORK;
    }
  }
}

/** Observes all queries of a view; once started, it shows the view when all have settled, and at each change. */
export class ViewObserver extends Throttled {
  readonly #states: (Settled | undefined)[];
  readonly #stops: (() => void)[];
  #open: number;
  #isRunning = false;
  #isTogether = false;

  constructor(
    session: Session,
    private readonly view: View,
    private readonly writer: ViewWriter,
  ) {
    super(session);
    const { queries, subscribe: listen } = view;
    this.#states = queries.map(() => undefined);
    this.#open = queries.length;
    const { observe } = session.feed.queryCache;
    this.#stops = queries.map((query, index) => observe(query, (state) => this.#receive(index, state)));
    if (listen !== undefined) this.#stops.push(listen(() => this.#requestTogether()));
  }

  start(): void {
    this.#isRunning = true;
    if (this.#open === 0) this.request();
  }

  override stop(): void {
    this.#isRunning = false;
    super.stop();
    for (const stop of this.#stops) stop();
  }

  protected show(): void {
    this.writer.show(this.view, this.#states as Settled[]);
  }

  #receive(index: number, state: State<unknown>): void {
    if (state.status === "pending") {
      if (state.progress !== undefined) this.writer.advance(this.view, state.progress);
      return;
    }
    if (this.#states[index] === undefined) this.#open--;
    this.#states[index] = state;
    if (!this.#isRunning || this.#open > 0) return;
    if (this.#states.length === 1) this.request();
    else this.#requestTogether(); // a refreshed grid is notified of many queries at once
  }

  #requestTogether(): void {
    if (this.#isTogether) return;
    this.#isTogether = true;
    queueMicrotask(() => {
      this.#isTogether = false;
      if (this.#isRunning) this.request();
    });
  }
}
