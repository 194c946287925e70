import type { Pairing } from "../api/pairing";
import { Refusal } from "../refusal";
import type { Stores } from "../stores";

const WINDOW_MS = 60_000;

/** Each person's share in what a firm has the provider asked for: companies and pages. */
interface Quota {
  /** @throws Refusal (FEED_RATE_LIMITED) where that is more than a person may in a minute; nobody else is held up by it. */
  count(who: string, loads: number): Promise<void>;
  /** Counts what has come already, so that its person waits before they ask for more. */
  charge(who: string, loads: number): Promise<void>;
}

/** Creates the count of each person's share, in all instances. */
export function createQuota({ createLimit }: Pick<Stores, "createLimit">, perMinute: number): Quota {
  const limit = createLimit("person", perMinute, WINDOW_MS);
  return {
    async count(who, loads) {
      // What is more at once than may be at all would never go.
      const waitMs = await limit.count(who, Math.min(loads, perMinute));
      if (waitMs === 0) return;
      const seconds = Math.ceil(waitMs / 1000);
      const sentence = `You asked for more than ${perMinute} companies and pages in a minute: try again in ${seconds} s.`;
      throw new Refusal(429, sentence, "FEED_RATE_LIMITED", seconds);
    },
    async charge(who, loads) {
      if (loads > 0) await limit.charge(who, loads);
    },
  };
}

/** Names who asks, so that nobody else has the same name: a person, on whatever machine, or else a pairing. */
export function toWho({ id, person }: Pairing): string {
  return person === undefined ? `pairing ${id}` : `person ${person.id}`;
}

/** The rows of a page, as many as the pane asks for: each page counts once towards what a person may read. */
const LARGEST_PAGE_SIZE = 1000;

/**
 * Refuses a page that is larger than one counts for.
 * @param path Of a query, with its query.
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

/** How many pages so many rows fill: a provider may give more than it was asked for. */
export const countPages = (rows: number): number => Math.max(1, Math.ceil(rows / LARGEST_PAGE_SIZE));
