import { hashKey, type Query, type QueryClient } from "@tanstack/query-core";
import { type Trace, traceOf } from "../../client/trace";

/** What came of the last load of each query. */
export interface Loads {
  /** Takes note that a load of a query begins. */
  begin(key: readonly unknown[], signal: AbortSignal): void;
  /** What the last load of a query has led to so far; undefined where it was answered without one. */
  find(key: readonly unknown[]): Trace | undefined;
  /** Queries, by their hashes, with those that their last loads waited for. */
  withParts(hashes: readonly string[]): ReadonlySet<string>;
}

/** Keeps them for as long as the cache keeps the queries. */
export function createLoads(client: QueryClient): Loads {
  const traces = new WeakMap<Query, Trace>();
  const find = (hash: string) => {
    const query = client.getQueryCache().get(hash);
    return query && traces.get(query);
  };
  return {
    begin(key, signal) {
      const query = client.getQueryCache().get(toHash(key));
      if (query !== undefined) traces.set(query, traceOf(signal));
    },
    find: (key) => find(toHash(key)),
    withParts(hashes) {
      const all = new Set(hashes);
      for (const hash of all) for (const part of find(hash)?.parts ?? []) all.add(part); // goes on to those it adds
      return all;
    },
  };
}

/** The pane looks up many thousand queries at a time. */
const hashes = new WeakMap<readonly unknown[], string>();

/** What the cache knows a query by. */
export function toHash(key: readonly unknown[]): string {
  const known = hashes.get(key);
  if (known !== undefined) return known;
  const hash = hashKey(key);
  hashes.set(key, hash);
  return hash;
}
