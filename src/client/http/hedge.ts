import type { Ports } from "../ports";
import type { EndRequest } from "./families";

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
      left--;
      return true;
    },
  };
}

/** A request that may go out. */
export interface Ready<T> {
  /** Sends it; `life` ends it. */
  send(life: AbortSignal): Promise<T>;
  /** Makes room for another; called once it has ended. */
  leave(): void;
}

interface HedgeOptions<T> {
  first: Ready<T>;
  /** How long the first is waited for alone, in milliseconds. */
  aloneForMs: number;
  /** Gives the second as soon as there is room for it; rejects where none may go out. */
  prepareHedge(life: AbortSignal): Promise<Ready<T>>;
  /** Whether an answer or an error ends both: any other counts only where no request is left that could be answered. */
  isFinal(answer: T | undefined, error?: unknown): boolean;
  /** Ends both. */
  life: AbortSignal;
  /** Is told, once, how both together have ended. */
  end: EndRequest;
}

/** Why a request ends whose twin was answered. */
const NEEDLESS = new DOMException("answered by another request", "AbortError");

/**
 * Sends a request, and a second one beside it where the first is slow; gives the answer that comes first and ends the
 * other. Slow is not dead: a failure that may pass counts only where no request is left to be answered.
 */
export function hedge<T>({ after }: Pick<Ports, "after">, options: HedgeOptions<T>): Promise<T> {
  const { first, aloneForMs, prepareHedge, isFinal, life, end } = options;
  const own = new AbortController();
  const abort = () => own.abort(life.reason);
  let underWay = 0;
  let isOver = false;
  return new Promise((resolve) => {
    const run = ({ send, leave }: Ready<T>) => {
      underWay++;
      const sent = send(own.signal);
      const settle = (isLast: boolean, error?: unknown) => {
        underWay--;
        if (!isOver && (underWay === 0 || isLast)) {
          isOver = true;
          resolve(sent);
          callOff();
          life.removeEventListener("abort", abort);
          end(error);
          own.abort(NEEDLESS);
        }
        leave();
      };
      sent.then(
        (answer) => settle(isFinal(answer)),
        (error) => settle(isFinal(undefined, error), error),
      );
    };
    life.addEventListener("abort", abort);
    const callOff = after(aloneForMs, () => {
      // Where none may go out the first goes on alone.
      prepareHedge(own.signal).then(
        (second) => (isOver ? second.leave() : run(second)),
        () => {},
      );
    });
    run(first);
  });
}
