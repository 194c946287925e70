import type { Task } from "../session/scheduler";
import type { Session } from "../session/session";

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
