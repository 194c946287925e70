import { BusyRefusal, Refusal } from "../../companion/refusal";
import type { FirmStores } from "../stores";

const WINDOW_MS = 60_000;

/** Creates the limit of companies and pages that one person requests from the provider. */
export function createQuota({ createLimit }: Pick<FirmStores, "createLimit">, perMinute: number) {
  const limit = createLimit("person", perMinute, WINDOW_MS);
  return {
    /** @throws Refusal (FEED_RATE_LIMITED) beyond the person's limit per minute. */
    async admit(who: string, loads: number): Promise<void> {
      // A single request above the whole quota could never pass.
      const waitMs = await limit.count(who, Math.min(loads, perMinute));
      if (waitMs === 0) return;
      throw new BusyRefusal(
        (s) => `You asked for more than ${perMinute} companies and pages in a minute: try again in ${s} s.`,
        waitMs,
      );
    },
    /** Counts loads after the fact, so that the person's next ones wait. */
    async charge(who: string, loads: number): Promise<void> {
      if (loads > 0) await limit.charge(who, loads);
    },
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
