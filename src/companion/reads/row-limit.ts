import { Refusal } from "../refusal";

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
