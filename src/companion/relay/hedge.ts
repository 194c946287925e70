/** How long a request is waited for alone: a pane waits for 30 seconds, of which some pass before it goes out. */
export const ALONE_MS = 10_000;

/** A provider that is slow for everybody gets one request in ten more, beyond these, and not twice as many. */
const MOST_HEDGES = 5;
const EARNED_HEDGES = 0.1;

/** How many second requests may go out beside slow ones: answers earn them. */
export interface HedgeBudget {
  earn(): void;
  /** Whether one more may go out, which it then counts. */
  take(): boolean;
}

export function createHedgeBudget(): HedgeBudget {
  let left = MOST_HEDGES;
  return {
    earn() {
      left = Math.min(MOST_HEDGES, left + EARNED_HEDGES);
    },
    take() {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

interface HedgeOptions<T> {
  aloneMs: number;
  /** Sends a request; the signal ends it. */
  send(signal: AbortSignal): Promise<T>;
  /** Whether a second one may go out; one that fails says no. */
  mayHedge(): Promise<boolean>;
  /** Whether this is what came of it, and no failure that may pass. */
  isFinal(answer: T): boolean;
}

/**
 * Sends a request, and a second one beside it where the first is slow: gives what comes first and ends the other. A failure
 * that may pass counts where no request is left that could still be answered.
 */
export function hedge<T>({ aloneMs, send, mayHedge, isFinal }: HedgeOptions<T>): Promise<T> {
  const over = new AbortController();
  let underWay = 0;
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      settle();
      over.abort();
    };
    const run = async () => {
      underWay += 1;
      try {
        const answer = await send(over.signal);
        underWay -= 1;
        if (underWay === 0 || isFinal(answer)) end(() => resolve(answer));
      } catch (error) {
        underWay -= 1;
        if (underWay === 0) end(() => reject(error));
      }
    };
    const runBeside = async () => {
      const isFree = await mayHedge().catch(() => false);
      if (isFree && !over.signal.aborted) await run();
    };
    const timer = setTimeout(() => void runBeside(), aloneMs).unref();
    void run();
  });
}
