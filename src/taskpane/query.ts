import { useEffect, useState } from "react";
import type { Query, State } from "../feed/query-cache";
import { usePane } from "./pane";

/** A query and its state. */
interface Known<T> {
  query: Query<T>;
  state: State<T>;
}

/**
 * Observes a query; the state of the one before stays until this one has a state, so that results do not
 * disappear while a person types. The query must be the same object in each rendering.
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

/** Observes a query, which must be the same object in each rendering. */
export function useQuery<T>(query: Query<T>): State<T> {
  const known = useLastKnown(query);
  return known?.query === query ? known.state : { status: "pending" };
}

/**
 * What a promise gives; null before, and where the first one rejects. The value of the one before stays meanwhile.
 *
 * @param load another function loads anew
 */
export function useLoaded<T>(load: () => Promise<T>): T | null {
  const [loaded, setLoaded] = useState<{ value: T } | null>(null);
  useEffect(() => {
    let isLatest = true;
    const receive = (value: T) => isLatest && setLoaded({ value });
    load().then(receive, () => {});
    return () => {
      isLatest = false;
    };
  }, [load]);
  return loaded === null ? null : loaded.value;
}
