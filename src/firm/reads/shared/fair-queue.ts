import type { Traced } from "../../reporting/trace";

/** What waits in the queue of each reader who wants it. */
export interface Queued {
  /** Its readers, with the spans of their reads; absent where nothing is traced. */
  readers: Map<string, Traced | undefined>;
}

/** By {@link createFairQueue}. */
export type FairQueue<T extends Queued> = ReturnType<typeof createFairQueue<T>>;

/**
 * Creates the order in which readers are served: one entry of each in rotation, so that a reader of thousands delays no
 * reader of one. An entry that several want comes in the first of their turns.
 */
export function createFairQueue<T extends Queued>() {
  /** The oldest first. */
  const all = new Set<T>();
  /** By reader, who is next first. */
  const lines = new Map<string, Set<T>>();
  const leave = (who: string, entry: T) => {
    const own = lines.get(who);
    own?.delete(entry);
    if (own?.size === 0) lines.delete(who);
  };
  const remove = (entry: T) => {
    all.delete(entry);
    for (const who of entry.readers.keys()) leave(who, entry);
  };
  return {
    size: () => all.size,
    /** The number of entries in a reader's queue. */
    sizeOf: (who: string) => lines.get(who)?.size ?? 0,
    has: (entry: T) => all.has(entry),
    oldest: (): T | undefined => all.values().next().value,
    add(who: string, entry: T): void {
      all.add(entry);
      lines.set(who, (lines.get(who) ?? new Set()).add(entry));
    },
    /** Takes an entry out of all queues. */
    remove,
    /** Takes the next reader's first entry, and moves that reader to the end. */
    takeNext(): T | undefined {
      const [next] = lines;
      if (next === undefined) return undefined;
      const [who, own] = next;
      const [entry] = own as Iterable<T> as [T];
      lines.delete(who);
      lines.set(who, own);
      remove(entry);
      return entry;
    },
    /**
     * Counts the entries that are served until all of these are, at most. Those that the reader has not queued count as
     * at the end of the reader's queue.
     * @param entries Undefined for one that nobody has queued.
     */
    countUntil(who: string, entries: readonly (T | undefined)[]): number {
      const place = toLastPlace(entries, lines.get(who) ?? new Set());
      let count = place;
      for (const [other, theirs] of lines) if (other !== who) count += Math.min(place, theirs.size);
      // Readers may queue the same entries.
      return Math.min(count, all.size + entries.filter((entry) => entry === undefined).length);
    },
  };
}

/** The place of the last of some entries in a reader's queue, from 1, with those that are not in it at its end. */
function toLastPlace<T>(entries: readonly (T | undefined)[], own: ReadonlySet<T>): number {
  const queued = new Set(entries.filter((entry) => entry !== undefined && own.has(entry)));
  if (queued.size < entries.length) return own.size + entries.length - queued.size;
  let place = 0;
  for (const entry of own) {
    if (queued.size === 0) break;
    place += 1;
    queued.delete(entry);
  }
  return place;
}
