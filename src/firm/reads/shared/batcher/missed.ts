import { LRUCache } from "lru-cache";
import type { CompanyResult } from "../result";
import type { Year } from "../split";

const MOST = 20_000;
/** Longer than a refused reader stays away, and than the rest of a query waits. */
const LONGEST_MS = 120_000;

/** A company in the queue of a reader. */
interface Place {
  who: string;
  year: Year;
  companyId: string;
}

/**
 * Results other than data that came while their reader was not there. Data are cached; without these, the reader would
 * queue such a company again for ever.
 */
export interface Missed {
  /** Remembers a result unless it is data. */
  add(places: readonly Place[], result: Promise<CompanyResult>): void;
  /** @param afterMs The result serves where it came after this. */
  find(place: Place, afterMs: number): Promise<CompanyResult> | undefined;
  forget(place: Place): void;
}

/** @param nowMs The clock of the age limits, in milliseconds since 1970. */
export function createMissed(nowMs: () => number): Missed {
  const missed = new LRUCache<string, { result: Promise<CompanyResult>; atMs: number }>({ max: MOST, ttl: LONGEST_MS });
  const put = (places: readonly Place[], result: Promise<CompanyResult>) => {
    for (const place of places) missed.set(toKey(place), { result, atMs: nowMs() });
  };
  return {
    add(places, result) {
      result.then(
        (settled) => settled.is !== "found" && put(places, Promise.resolve(withoutBody(settled))),
        () => put(places, result),
      );
    },
    find(place, afterMs) {
      const found = missed.get(toKey(place));
      return found !== undefined && found.atMs > afterMs ? found.result : undefined;
    },
    forget: (place) => void missed.delete(toKey(place)),
  };
}

const toKey = ({ who, year, companyId }: Place): string => `${year} ${companyId} ${who}`;

/** An answer that cannot be split belongs to no reader of it: each of them loads their own. */
function withoutBody(result: CompanyResult): CompanyResult {
  if (result.is !== "failed" || result.of !== "form" || result.said instanceof Error) return result;
  return { ...result, together: [], said: { ...result.said, body: Buffer.alloc(0) } };
}
