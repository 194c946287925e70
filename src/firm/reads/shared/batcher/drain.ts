/** The weight of the latest chunk in the average. */
const WEIGHT = 0.2;
/** Fewer chunks in a row foretell nothing. */
const FEWEST = 5;

/** How fast a queue that is never empty is served. */
export interface Drain {
  /** Records that a chunk has ended: several are taken at once, but they end as fast as the provider serves. */
  end(isEmptyNow: boolean): void;
  /** The time from one chunk to the next, in milliseconds; undefined while it is unknown. */
  chunkMs(): number | undefined;
}

export function createDrain(nowMs: () => number): Drain {
  let latestMs: number | undefined;
  let averageMs = 0;
  let count = 0;
  return {
    end(isEmptyNow) {
      const now = nowMs();
      if (latestMs !== undefined) {
        const passedMs = now - latestMs;
        averageMs = count === 0 ? passedMs : averageMs + WEIGHT * (passedMs - averageMs);
        count += 1;
      }
      latestMs = isEmptyNow ? undefined : now;
      if (isEmptyNow) count = 0;
    },
    chunkMs: () => (count < FEWEST || averageMs === 0 ? undefined : averageMs),
  };
}
