/** How long an incomplete chunk waits for more while one reader is active; doubled for each chunk under way. */
export const WINDOW_MS = 25;
/** Extra wait for each further recent reader, who may complete the chunk; and the limit of it. */
const WINDOW_FOR_EACH_MS = 100;
const LONGEST_WINDOW_MS = 1500;
const LATELY_MS = 2000;
/** The latest chunks, of which the average is taken; fewer in a row foretell nothing. */
const MOST_ENDS = 10;
const FEWEST_ENDS = 6;

/** Measures how fast chunks are served, and how soon one may fill. */
export function createPace(nowMs: () => number) {
  /** When each recent reader came, the latest last: the more there are, the sooner a chunk fills. */
  const readers = new Map<string, number>();
  /** When the latest chunks in a row ended, while more waited. */
  let endsMs: readonly number[] = [];
  return {
    notifyReader(who: string): void {
      readers.delete(who);
      readers.set(who, nowMs());
    },
    /** How long an incomplete chunk waits for more. */
    windowMs(chunksUnderWay: number): number {
      for (const [who, atMs] of readers) {
        if (atMs > nowMs() - LATELY_MS) break;
        readers.delete(who);
      }
      const forOthersMs = Math.min(LONGEST_WINDOW_MS, WINDOW_FOR_EACH_MS * (readers.size - 1));
      return Math.max(forOthersMs, WINDOW_MS * 2 ** chunksUnderWay);
    },
    /** Records that a chunk has ended: several are taken at once, but they end as fast as the provider serves. */
    notifyEnd(isEmptyNow: boolean): void {
      endsMs = isEmptyNow ? [] : [...endsMs.slice(1 - MOST_ENDS), nowMs()];
    },
    /** The time from one chunk to the next, in milliseconds; undefined while it is unknown. */
    chunkMs(): number | undefined {
      if (endsMs.length < FEWEST_ENDS) return undefined;
      return (endsMs.at(-1)! - endsMs[0]!) / (endsMs.length - 1) || undefined;
    },
  };
}
