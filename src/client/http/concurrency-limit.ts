/** Limits how many requests run at once; the others wait in order. */
export interface ConcurrencyLimit {
  /** Resolves when a slot is free, with the function that frees it again. Rejects when `signal` aborts first. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** @param width how many may run at once, 1 or more */
export function createConcurrencyLimit(width: number): ConcurrencyLimit {
  let free = width;
  const waiting = new Set<() => void>();

  const leave = () => {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  };

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) free--;
      else {
        await new Promise<void>((resolve, reject) => {
          const giveUp = () => {
            waiting.delete(proceed);
            reject(signal.reason);
          };
          const proceed = () => {
            waiting.delete(proceed);
            signal.removeEventListener("abort", giveUp);
            resolve();
          };
          waiting.add(proceed);
          signal.addEventListener("abort", giveUp, { once: true });
        });
      }
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
  };
}
