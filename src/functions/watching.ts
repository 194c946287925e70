import type { State } from "../feed/watch";
import type { Session } from "../session/session";
import { Pace } from "./pace";
import type { Settled, View } from "./view";

/** Watches all questions of a view; once started, tells when each has settled, and at each change from then on. */
export class Watching {
  private readonly states: (Settled | undefined)[];
  private readonly stops: (() => void)[];
  private readonly pace: Pace;
  private open: number;
  private isRunning = false;
  private isDue = false;

  constructor(session: Session, { questions, listen }: View, tell: (settled: readonly Settled[]) => void) {
    this.states = questions.map(() => undefined);
    this.open = questions.length;
    this.pace = new Pace(session.ports, session.turns, () => tell(this.states as Settled[]));
    const { watch } = session.feed.watch;
    this.stops = questions.map((question, index) => watch(question, (state) => this.hear(index, state)));
    if (listen !== undefined) this.stops.push(listen(() => this.showTogether()));
  }

  start(): void {
    this.isRunning = true;
    if (this.open === 0) this.pace.request();
  }

  stop(): void {
    this.isRunning = false;
    this.pace.stop();
    for (const stop of this.stops) stop();
  }

  private hear(index: number, state: State<unknown>): void {
    if (state.status === "pending") return;
    if (this.states[index] === undefined) this.open--;
    this.states[index] = state;
    if (!this.isRunning || this.open > 0) return;
    if (this.states.length === 1) this.pace.request();
    else this.showTogether(); // a refreshed grid hears of many of its questions in one go
  }

  private showTogether(): void {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      if (this.isRunning) this.pace.request();
    });
  }
}
