import { LRUCache } from "lru-cache";
import { BusyRefusal, Refusal } from "../../companion/refusal";

const MINUTE_MS = 60_000;
/** As many as may read within a minute, whatever a firm's size. */
const MOST_PEOPLE = 100_000;

/**
 * Creates the limit of companies and pages that one person requests from the provider, by minutes from their first.
 * @param clock Default a clock that nobody sets.
 */
export function createQuota(perMinute: number, clock: { now(): number } = performance) {
  const loaded = new LRUCache<string, number>({
    max: MOST_PEOPLE,
    ttl: MINUTE_MS,
    noUpdateTTL: true,
    ttlResolution: 0,
    perf: clock,
  });
  const charge = (who: string, loads: number) => void loaded.set(who, (loaded.get(who) ?? 0) + loads);
  return {
    /** Counts loads before they are made; gives the refusal beyond the person's limit per minute. */
    admit(who: string, loads: number): Refusal | undefined {
      // A single request above the whole quota could never pass.
      const counted = Math.min(loads, perMinute);
      if (counted > 0 && (loaded.get(who) ?? 0) + counted > perMinute) {
        return new BusyRefusal(
          (s) => `You asked for more than ${perMinute} companies and pages in a minute: try again in ${s} s.`,
          Math.max(1, loaded.getRemainingTTL(who)),
        );
      }
      charge(who, counted);
      return undefined;
    },
    /** Counts loads after the fact, so that the person's next ones wait. */
    charge,
  };
}

/** The page size of the pane's requests; a page counts once towards the quota. */
const LARGEST_PAGE_SIZE = 1000;

/**
 * Refuses a page that is larger than one load counts for.
 * @param path A query's path with its parameters.
 * @throws Refusal (400) unless its page_size is absent, or a whole number from 1 to 1000.
 */
export function checkPageSize(path: string): void {
  const pageSize = new URL(path, "http://provider").searchParams.get("page_size");
  const isGood = pageSize === null || (/^\d{1,4}$/.test(pageSize) && isPageSize(Number(pageSize)));
  if (isGood) return;
  const sentence = `page_size takes 1 to ${LARGEST_PAGE_SIZE} rows. Ask for the others page by page.`;
  throw new Refusal(400, sentence, "FEED_REQUEST_INVALID");
}

const isPageSize = (count: number): boolean => count >= 1 && count <= LARGEST_PAGE_SIZE;

/** Pages that these rows fill: a provider may send more than one page's rows. */
export const countPages = (rows: number): number => Math.max(1, Math.ceil(rows / LARGEST_PAGE_SIZE));
