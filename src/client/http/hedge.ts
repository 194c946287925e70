import type { Ports } from "../ports";
import type { EndRequest } from "./families";

/** Beyond the first few, a slow provider gets 10 % more requests, not twice as many. */
const MOST_HEDGES = 5;
const EARNED_HEDGES = 0.1;

/** Limits hedges; answers earn them. */
export interface HedgeBudget {
  earn(): void;
  /** Whether another hedge may go out; counts it. */
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

/** A request that is ready to go. */
export interface Ready<T> {
  /** Sends it; `life` ends it. */
  send(life: AbortSignal): Promise<T>;
  /** Frees its slot; called once it has ended. */
  leave(): void;
}

interface HedgeOptions<T> {
  first: Ready<T>;
  /** When the hedge goes out, in milliseconds. */
  aloneForMs: number;
  /** Gives the hedge once a slot is free; rejects where none may go out. */
  prepareHedge(life: AbortSignal): Promise<Ready<T>>;
  /** Whether an answer or error ends both. Any other counts only once neither can bring a better one. */
  isFinal(answer: T | undefined, error?: unknown): boolean;
  /** Ends both. */
  life: AbortSignal;
  /** Called once, with how both together ended. */
  end: EndRequest;
}

/** Abort reason of the slower request. */
const NEEDLESS = new DOMException("answered by another request", "AbortError");

/**
 * Sends a request, and a hedge where it is slow. Gives the first answer and aborts the other request. A failure that
 * may pass counts only when no other request is under way.
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
      // Without a hedge the first goes on alone.
      prepareHedge(own.signal).then(
        (second) => (isOver ? second.leave() : run(second)),
        () => {},
      );
    });
    run(first);
  });
}
