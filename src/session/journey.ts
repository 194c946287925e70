/** The steps to a token: the companion's configuration, its signed assertion, and the provider's token. */
export const STEPS = ["companion", "assertion", "token"] as const;

export type StepName = (typeof STEPS)[number];

export interface Step {
  status: "waiting" | "running" | "done" | "failed";
  /** Duration in milliseconds; null before its end. */
  tookMs: number | null;
  error: unknown;
}

export type Journey = Readonly<Record<StepName, Step>>;

export interface JourneyLog {
  current(): Journey;
  /** Begins a step: the former one is done, and later ones wait, as when a refused assertion is signed anew. */
  enter(name: StepName): void;
  /** Marks the running step as done. */
  leave(): void;
  /** Marks the running step, if any, as failed. */
  fail(error: unknown): void;
  reset(): void;
}

const WAITING: Step = { status: "waiting", tookMs: null, error: null };
const START: Journey = { companion: WAITING, assertion: WAITING, token: WAITING };

/** @param notify called after each change */
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
