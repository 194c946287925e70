import { LRUCache } from "lru-cache";
import type { LoadResult } from "../result";
import type { Year } from "../split";
import type { Pending } from "./company-queue";

const MOST_MISSED = 20_000;
/** Longer than a refused reader stays away, and than the rest of a query waits. */
const LONGEST_MISSED_MS = 120_000;

/**
 * Keeps results other than data that came while their reader was not there. Data are cached; without these, the reader
 * would queue such a company again for ever.
 * @param nowMs The clock of age limits, in milliseconds since 1970.
 */
export function createMissed(nowMs: () => number) {
  const missed = new LRUCache<string, { result: Promise<LoadResult>; atMs: number }>({
    max: MOST_MISSED,
    ttl: LONGEST_MISSED_MS,
  });
  const toKey = (year: Year, companyId: string, who: string) => `${year} ${companyId} ${who}`;
  return {
    add(year: Year, { companyId, readers }: Pending, result: Promise<LoadResult>): void {
      const put = (kept: Promise<LoadResult>) => {
        for (const who of readers.keys()) missed.set(toKey(year, companyId, who), { result: kept, atMs: nowMs() });
      };
      result.then(
        (settled) => settled.is !== "found" && put(Promise.resolve(toOwn(settled))),
        () => put(result),
      );
    },
    /** @param afterMs A result serves where it came after this. */
    find(year: Year, companyId: string, who: string, afterMs: number): Promise<LoadResult> | undefined {
      const found = missed.get(toKey(year, companyId, who));
      return found !== undefined && found.atMs > afterMs ? found.result : undefined;
    },
    /** Forgets what is kept of companies whose results have reached this reader. */
    forget(year: Year, companyIds: readonly string[], who: string): void {
      for (const companyId of companyIds) missed.delete(toKey(year, companyId, who));
    },
  };
}

/**
 * Gives a result of its own, whose reader retries though two others have. An answer that cannot be split belongs to no
 * reader of it: each of them loads their own.
 */
function toOwn(result: LoadResult): LoadResult {
  if (result.is !== "failed") return result;
  if (result.of !== "form" || result.said instanceof Error) return { ...result, together: [...result.together] };
  return { ...result, together: [], said: { ...result.said, body: Buffer.alloc(0) } };
}
