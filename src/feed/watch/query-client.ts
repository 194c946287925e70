import { environmentManager, focusManager, type Query, QueryClient } from "@tanstack/query-core";

/** Answers nobody watches are kept this long: a formula that is typed again is answered at once. */
const KEPT_MS = 30 * 60_000;

/** Makes the library's cache of answers, in which nothing is asked again by itself: not on focus, not after a failure, not because time has passed. */
export function createQueryClient(): QueryClient {
  // The library takes a page without a document for a server, and a closed pane for one that may pause.
  environmentManager.setIsServer(() => false);
  focusManager.setFocused(true);
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: "always",
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: KEPT_MS,
        structuralSharing: false,
      },
    },
  });
}

/** Removes an answer for good: the library would set a timer of half an hour when a load of it ends after that. */
export function drop(client: QueryClient, query: Query): void {
  query.setOptions({ ...query.options, gcTime: Number.POSITIVE_INFINITY });
  client.getQueryCache().remove(query);
}
