import { useEffect, useState } from "react";
import type { Query, State } from "../feed/query-cache";
import { usePane } from "./pane";

/** What is known of a query, and which query that is. */
interface Known<T> {
  query: Query<T>;
  state: State<T>;
}

/**
 * Watches a query and keeps what is known of the one before until there is more of this one, so that what a person
 * reads does not go away while she types. The query must be the same object from one rendering to the next.
 */
export function useLastKnown<T>(query: Query<T> | null): Known<T> | null {
  const { queryCache } = usePane().session.feed;
  const [known, setKnown] = useState<Known<T> | null>(null);
  useEffect(() => {
    if (query === null) return setKnown(null);
    return queryCache.observe(query, (state) => setKnown({ query, state }));
  }, [queryCache, query]);
  return query === null ? null : known;
}

/** Watches a query, which must be the same object from one rendering to the next. */
export function useQuery<T>(query: Query<T>): State<T> {
  const known = useLastKnown(query);
  return known?.query === query ? known.state : { status: "pending" };
}
