import type { FoundAnswer } from "./types";

export interface Lookup {
  /** Hashes of the entries that may answer. */
  readonly hashes: readonly string[];
  /** Called with the answer or null; only the first call counts. */
  notify: (found: FoundAnswer | null) => void;
}

/**
 * Gives a lookup that reads in batches: an opening workbook needs thousands of answers. The first lookup reads at once;
 * lookups that come meanwhile form the next batch.
 *
 * @param owner of the answers; while it is unknown, nothing is found
 * @param readAll calls `notify` of each lookup with an answer
 */
export function createLookups(
  owner: () => Promise<string>,
  readAll: (owner: string, lookups: readonly Lookup[]) => Promise<void>,
): (hashes: readonly string[]) => Promise<FoundAnswer | null> {
  let waiting: Lookup[] = [];
  let isReading = false;
  const goOn = async () => {
    isReading = true;
    while (waiting.length > 0) {
      const own = await owner().catch(() => null);
      const lookups = waiting; // includes those that came meanwhile
      waiting = [];
      if (own !== null) await readAll(own, lookups).catch(() => {});
      for (const { notify } of lookups) notify(null);
    }
    isReading = false;
  };
  return (hashes) =>
    new Promise((notify) => {
      waiting.push({ hashes, notify });
      if (!isReading) void goOn();
    });
}
