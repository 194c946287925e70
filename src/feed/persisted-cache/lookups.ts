import type { FoundAnswer } from "./types";

/** Hashes under which an answer is wanted. */
export interface Lookup {
  readonly hashes: readonly string[];
  /** Is told what was found, or null; only the first word counts. */
  notify: (found: FoundAnswer | null) => void;
}

/**
 * Reads for many in one go: a workbook that opens wants thousands of answers at a time. Nobody waits for others to come;
 * what is wanted while some is being read is read after that, together.
 *
 * @param owner whose answers are wanted; nothing is there while nobody knows
 * @param readAll tells what it finds; where it tells nothing, nothing is there
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
      const lookups = waiting; // with those that came while it was found out
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
