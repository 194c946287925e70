import type { Call, LoadOptions, OperationId, Provider } from "../client/provider";
import { ANY_READING, FRESH_READING } from "../contract/companion-api";
import type { Page } from "./decode";
import type { List, PageLimit, PageLimits, PagesOptions } from "./pages/types";
import { loadScript } from "./script";

export type { List, ListReading, PageLimits, PagesOptions } from "./pages/types";

/** Asked for where nothing is known yet. */
const LARGE_PAGE = 1000;

export const createPageLimit = (): PageLimit => ({ pageSize: LARGE_PAGE });

/** Remembers of a provider how it pages each of its lists. */
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
 * Reads a list to its end or to the wanted row, and proves it whole. What does so is a script of its own: many pages
 * show companies' figures alone.
 *
 * @throws RequestError (FEED_NETWORK_FAILED) where the script does not come; what `loadPages` in `pages/load` throws
 */
export async function loadPages(options: PagesOptions): Promise<List> {
  const script = await loadScript(
    () => import(/* webpackChunkName: "lists", webpackPrefetch: true */ "./pages/load"),
    "reads lists",
  );
  return script.loadPages(options);
}

/**
 * Creates what reads the pages of a list. A companion that caches lists says of which reading each page is, and is asked
 * for further pages of the same one.
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
