const ACTIVE_MS = 5 * 60_000;

/** Who has been here lately. */
interface Activity {
  note(who: string): void;
  /** Counts whoever was here in the last five minutes. */
  count(): number;
}

/** Creates the memory of who was here, which holds nobody for longer than it counts them. */
export function createActivity(nowMs: () => number): Activity {
  const seen = new Map<string, number>();
  const dropOld = () => {
    for (const [who, atMs] of seen) {
      if (nowMs() - atMs < ACTIVE_MS) break; // in the order of their last visits
      seen.delete(who);
    }
  };
  return {
    note(who) {
      seen.delete(who);
      seen.set(who, nowMs());
      dropOld();
    },
    count() {
      dropOld();
      return seen.size;
    },
  };
}
