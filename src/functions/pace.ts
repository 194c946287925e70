import type { Ports } from "../feed/ports";

/** Many shows take at most a fifth of the time: after each as many times its cost are left for other work. */
const REST_PER_WORK = 4;

/** A list of a few pages shows each of them. */
const SHOWS_WITHOUT_REST = 10;

/** Shows what changes at a pace that leaves the page its time, however often it changes. */
export interface Pace {
  /** Something is to be shown: at once, or together with what else comes until there has been enough rest. */
  request(): void;
  stop(): void;
}

/**
 * Paces a grid whose hundred answers come one by one, or a list that grows by small pages: each show lays out all
 * of it, and to show every step would cost the square of the steps.
 *
 * @param show takes what time it takes; the last request is always followed by one
 */
export function createPace(ports: Ports, show: () => void): Pace {
  let restsUntilMs = 0;
  let shows = 0;
  let callOff: (() => void) | null = null;
  const run = () => {
    callOff = null;
    const beginsMs = ports.nowMs();
    show();
    const endsMs = ports.nowMs();
    if (++shows >= SHOWS_WITHOUT_REST) restsUntilMs = endsMs + (endsMs - beginsMs) * REST_PER_WORK;
  };
  return {
    request() {
      if (callOff !== null) return;
      const restMs = restsUntilMs - ports.nowMs();
      if (restMs <= 0) run();
      else callOff = ports.after(restMs, run);
    },
    stop() {
      callOff?.();
      callOff = null;
    },
  };
}
