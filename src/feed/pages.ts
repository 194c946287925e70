import type { Call, LoadOptions, OperationId, Provider } from "../client/provider";
import { ANY_READING, FRESH_READING } from "../contract/companion-api";
import type { Page } from "./decode";
import type { List, PageLimit, PageLimits, PagesOptions } from "./pages/types";
import { loadScript } from "./script";

export type { List, ListReading, PageLimits, PagesOptions } from "./pages/types";

/** First page size, before the provider has shown another one. */
const LARGE_PAGE = 1000;

export const createPageLimit = (): PageLimit => ({ pageSize: LARGE_PAGE });

/** Makes the page limits of a provider, one for each of its lists. */
export function createPageLimits(): PageLimits {
  const limits = new Map<OperationId, PageLimit>();
  return {
    of(operation) {
      const limit = limits.get(operation) ?? createPageLimit();
      limits.set(operation, limit);
      return limit;
    },
    forget: () => limits.clear(),
  };
}

/**
 * Reads a list to its end or to the wanted row, and proves it whole. Its script is loaded on demand: many pages show
 * only companies' figures.
 *
 * @throws RequestError (FEED_NETWORK_FAILED) where the script does not load; the errors of `loadPages` in `pages/load`
 */
export async function loadPages(options: PagesOptions): Promise<List> {
  const script = await loadScript(() => import(/* webpackChunkName: "lists", webpackPrefetch: true */ "./pages/load"));
  return script.loadPages(options);
}

/**
 * Creates the function that reads a list's pages. A companion that caches lists names the reading of each page, and later
 * pages are requested of the same reading.
 */
export const createLoadPage =
  (provider: Provider, call: Call, options: LoadOptions, decode: (body: unknown) => Page): PagesOptions["loadPage"] =>
  async (page, pageSize, reading) => {
    const requestedReading = page === 1 ? ANY_READING : reading.id;
    const query = { ...call.query, page, page_size: pageSize };
    const reply = await provider.load(
      { ...call, query, reading: reading.isFresh ? FRESH_READING : requestedReading },
      options,
    );
    if (page === 1) reading.id = reply.reading;
    const isOther = reading.id !== undefined && reply.reading !== reading.id;
    return { ...decode(reply.body), asOfMs: reply.asOfMs, ...(isOther && { isOfAnotherReading: true }) };
  };
