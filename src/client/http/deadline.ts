import { RequestError } from "../errors";
import { msg } from "../messages";
import type { Ports } from "../ports";

/** How long a request may take, in milliseconds, from when it may go out. A cell's own deadline is the session's. */
export const DEADLINE_MS = 30_000;

/** A span of time that ends at a deadline or when the caller aborts, whichever comes first. */
export interface Deadline {
  /** Aborted at the end; the reason is a {@link RequestError} (FEED_TIMED_OUT) or the caller's own. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Settles with `work`, or rejects at the end of the span, so that nothing waits for ever. */
  race<T>(work: Promise<T>): Promise<T>;
  /** As `race`, but the wait for a slot does not count towards the span. */
  awaitSlot<T>(slot: Promise<T>): Promise<T>;
  /** Restarts the span, as after a pause that the provider requested. */
  restart(): void;
  /** Removes the timer and the listener; call it once, whatever happened. */
  close(): void;
}

/**
 * Opens a span.
 *
 * @param timeoutMs how long it lasts at most, in milliseconds: whole seconds
 * @param caller ends it early when aborted
 * @throws RequestError (FEED_TIMED_OUT) through `race` and `signal`
 */
export function openDeadline(ports: Ports, timeoutMs: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  let reject: (reason: unknown) => void = () => {};
  const ended = new Promise<never>((_, fail) => {
    reject = fail;
  });
  ended.catch(() => undefined); // an ended span must not become an unhandled rejection
  const end = (reason: unknown) => {
    controller.abort(reason);
    reject(controller.signal.reason);
  };
  const expire = () =>
    end(new RequestError("FEED_TIMED_OUT", msg`no answer within ${timeoutMs / 1000} seconds; refresh later`));
  let endsAtMs: number;
  let cancelTimer = () => {};
  const restart = (leftMs = timeoutMs) => {
    cancelTimer();
    endsAtMs = ports.nowMs() + leftMs;
    if (!controller.signal.aborted) cancelTimer = ports.after(leftMs, expire);
  };
  restart();
  const leave = () => end(caller?.reason);
  if (caller?.aborted) leave();
  caller?.addEventListener("abort", leave);
  return {
    signal: controller.signal,
    remainingMs: () => endsAtMs - ports.nowMs(),
    race: (work) => Promise.race([work, ended]),
    awaitSlot(slot) {
      const leftMs = endsAtMs - ports.nowMs();
      cancelTimer();
      return Promise.race([slot, ended]).finally(() => restart(leftMs));
    },
    restart,
    close: () => {
      cancelTimer();
      caller?.removeEventListener("abort", leave);
    },
  };
}

/** Settles with `work`, or rejects with the signal's reason. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave);
  });
}

/** Waits, but not beyond the deadline, and removes its timer. */
export async function pauseWithin(
  ports: Pick<Ports, "after">,
  deadline: Pick<Deadline, "race">,
  delayMs: number,
): Promise<void> {
  let callOff = () => {};
  try {
    await deadline.race(
      new Promise<void>((resolve) => {
        callOff = ports.after(delayMs, resolve);
      }),
    );
  } finally {
    callOff();
  }
}
