import type { OperationId } from "../client/provider";
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
