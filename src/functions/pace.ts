import type { Ports } from "../feed/ports";
import type { Job, Turns } from "../session/turns";

/** Many shows take at most a fifth of the time: after each as many times its cost are left for other work. */
const REST_PER_WORK = 4;

/** A list of a few pages shows each of them. */
const SHOWS_WITHOUT_REST = 10;

/**
 * Paces a grid whose hundred answers come one by one, or a list that grows by small pages: each show lays out all
 * of it, and to show every step would cost the square of the steps.
 */
export class Pace implements Job {
  private restsUntilMs = 0;
  private shows = 0;
  private callOff: (() => void) | null = null;
  /** Whether it waits for its turn. */
  private isDue = false;

  /** @param show takes what time it takes; the last request is always followed by one */
  constructor(
    private readonly ports: Pick<Ports, "nowMs" | "after">,
    private readonly turns: Pick<Turns, "take">,
    private readonly show: () => void,
  ) {}

  /** Something is to be shown: as soon as it is its turn, or together with what else comes until there has been enough rest. */
  request(): void {
    if (this.callOff !== null || this.isDue) return;
    const restMs = this.restsUntilMs === 0 ? 0 : this.restsUntilMs - this.ports.nowMs();
    if (restMs <= 0) this.takeTurn();
    else
      this.callOff = this.ports.after(restMs, () => {
        this.callOff = null;
        this.takeTurn();
      });
  }

  stop(): void {
    this.callOff?.();
    this.callOff = null;
    this.isDue = false;
  }

  private takeTurn(): void {
    this.isDue = true;
    this.turns.take(this);
  }

  run(): void {
    if (!this.isDue) return; // it was stopped while it waited
    this.isDue = false;
    if (++this.shows < SHOWS_WITHOUT_REST) this.show();
    else {
      const beginsMs = this.ports.nowMs();
      this.show();
      const endsMs = this.ports.nowMs();
      this.restsUntilMs = endsMs + (endsMs - beginsMs) * REST_PER_WORK;
    }
  }
}
