/** The credentials' way, in its order: the companion tells who the client is, signs for it, and the provider gives a token. */
export const STEPS = ["companion", "assertion", "token"] as const;

export type StepName = (typeof STEPS)[number];

export interface Step {
  status: "waiting" | "running" | "done" | "failed";
  /** How long it took, in milliseconds; null until it ended. */
  tookMs: number | null;
  /** Why it failed. */
  error: unknown;
}

/** How far the credentials came on the way to a token. */
export type Journey = Readonly<Record<StepName, Step>>;

export interface JourneyLog {
  current(): Journey;
  /** Begins a step: the one before has ended well, and those after it wait, as when a refused assertion is signed anew. */
  enter(name: StepName): void;
  /** The step under way ended well. */
  leave(): void;
  /** The step under way, if any, failed. */
  fail(error: unknown): void;
  /** Back to the start. */
  reset(): void;
}

const WAITING: Step = { status: "waiting", tookMs: null, error: null };
const START: Journey = { companion: WAITING, assertion: WAITING, token: WAITING };

/** Keeps the times and ends of one journey's steps; `notify` is called after each change. */
export function createJourney(nowMs: () => number, notify: () => void): JourneyLog {
  let journey = START;
  let running: { name: StepName; sinceMs: number } | null = null;

  const end = (status: "done" | "failed", error: unknown) => {
    if (running === null) return;
    journey = { ...journey, [running.name]: { status, tookMs: nowMs() - running.sinceMs, error } };
    running = null;
  };
  return {
    current: () => journey,
    enter(name) {
      end("done", null);
      const later = STEPS.slice(STEPS.indexOf(name) + 1).map((step) => [step, WAITING]);
      journey = { ...journey, ...Object.fromEntries(later), [name]: { ...WAITING, status: "running" } };
      running = { name, sinceMs: nowMs() };
      notify();
    },
    leave() {
      end("done", null);
      notify();
    },
    fail(error) {
      end("failed", error);
      notify();
    },
    reset() {
      journey = START;
      running = null;
      notify();
    },
  };
}
