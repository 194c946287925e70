import type { Ports } from "../ports";
import type { EndRequest } from "./families";
import { mayPass } from "./retry";

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
  const { first, aloneForMs, prepareHedge, life, end } = options;
  const own = new AbortController();
  const abort = () => own.abort(life.reason);
  let underWay = 0;
  let isOver = false;
  return new Promise((resolve, reject) => {
    const finish = (error?: unknown) => {
      isOver = true;
      callOff();
      life.removeEventListener("abort", abort);
      end(error);
      own.abort(NEEDLESS);
    };
    const run = async ({ send, leave }: Ready<T>) => {
      underWay++;
      try {
        resolve(await send(own.signal));
        if (!isOver) finish();
      } catch (error) {
        underWay--;
        if (!isOver && (underWay === 0 || !mayPass(error))) finish(error);
        if (isOver) reject(error);
      } finally {
        leave();
      }
    };
    life.addEventListener("abort", abort);
    const callOff = after(aloneForMs, () => {
      // Where none may go out the first goes on alone.
      prepareHedge(own.signal).then(
        (second) => (isOver ? second.leave() : run(second)),
        () => {},
      );
    });
    void run(first);
  });
}
