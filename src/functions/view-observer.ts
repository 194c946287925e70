import type { State } from "../feed/query-cache";
import type { Session } from "../session/session";
import { Throttled } from "./throttle";
import type { Settled, View } from "./view";

/** Shows a view by the answers of its queries, in their order. */
export interface ViewWriter {
  show(view: View, settled: readonly Settled[]): void;
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
    private readonly shower: ViewWriter,
  ) {
    super(session);
    const { queries, listen } = view;
    this.#states = queries.map(() => undefined);
    this.#open = queries.length;
    const { observe: watch } = session.feed.queryCache;
    this.#stops = queries.map((query, index) => watch(query, (state) => this.#receive(index, state)));
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
    this.shower.show(this.view, this.#states as Settled[]);
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
