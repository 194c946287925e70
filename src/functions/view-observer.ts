import type { Answer, Query, State } from "../feed/query-cache";
import type { Task } from "../session/scheduler";
import type { Session } from "../session/session";
import type { Table } from "./cells";

/** What a formula asks and how it shows the answers. */
export interface View {
  queries: readonly Query<unknown>[];
  /**
   * Turns the answers, in the order of the queries, into a table; null while showing a part would be wrong.
   * What it throws is shown.
   */
  show(settled: readonly Settled[]): Table | null;
  /** Whether a refresh opens it anew: it depends on today, or there is something to try again. */
  rereadsOnRefresh: boolean;
  /** Begins once a cell holds it: has `notify` called when what it shows besides answers has changed; gives the end of it. */
  subscribe?(notify: () => void): () => void;
}

/** An answer, or the reason why there is none. */
export type Settled = Exclude<State<unknown>, { status: "pending" }>;

/** The answer of a query. @throws what the query failed with */
export function readAnswer<T>(settled: Settled | undefined): Answer<T> {
  if (settled?.status !== "answered") throw settled?.error;
  return settled.answer as Answer<T>;
}

/** Shows a view by the answers of its queries, in their order. */
export interface ViewWriter {
  show(view: View, settled: readonly Settled[]): void;
}

/** Many shows take at most a fifth of the time: after each as many times its cost are left for other work. */
const REST_PER_WORK = 4;

/** A list of a few pages shows each of them. */
const SHOWS_WITHOUT_REST = 10;

/**
 * Paces a grid whose hundred answers come one by one, or a list that grows by small pages: each show lays out all
 * of it, and to show every step would cost the square of the steps.
 */
export abstract class Throttled implements Task {
  #restsUntilMs = 0;
  #shows = 0;
  #callOff: (() => void) | null = null;
  /** Whether it waits for its turn. */
  #isDue = false;

  constructor(private readonly session: Pick<Session, "ports" | "scheduler">) {}

  /** Takes what time it takes; the last request is always followed by one. */
  protected abstract show(): void;

  /** Something is to be shown: as soon as it is its turn, or together with what else comes until there has been enough rest. */
  request(): void {
    if (this.#callOff !== null || this.#isDue) return;
    const restMs = this.#restsUntilMs === 0 ? 0 : this.#restsUntilMs - this.session.ports.nowMs();
    if (restMs <= 0) this.#takeTurn();
    else
      this.#callOff = this.session.ports.after(restMs, () => {
        this.#callOff = null;
        this.#takeTurn();
      });
  }

  stop(): void {
    this.#callOff?.();
    this.#callOff = null;
    this.#isDue = false;
  }

  #takeTurn(): void {
    this.#isDue = true;
    this.session.scheduler.take(this);
  }

  run(): void {
    if (!this.#isDue) return; // it was stopped while it waited
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

/** Watches all queries of a view; once started, has it shown when each has settled, and at each change from then on. */
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
    if (state.status === "pending") return;
    if (this.#states[index] === undefined) this.#open--;
    this.#states[index] = state;
    if (!this.#isRunning || this.#open > 0) return;
    if (this.#states.length === 1) this.request();
    else this.#requestTogether(); // a refreshed grid hears of many of its queries in one go
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
