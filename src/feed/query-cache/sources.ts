import { hashKey, type Query, type QueryClient } from "@tanstack/query-core";
import type { Age, Sources } from "../../client/provider";

/** The maximum age of a load, and the sources of its answer. */
export class QuerySources implements Sources {
  /** Numbers of its requests, its parts' included. */
  readonly requests = new Set<number>();
  /** Hashes of its parts. */
  readonly parts = new Set<string>();
  /** When the provider gave the oldest answer from the companion's cache; infinite without one. */
  asOfMs = Number.POSITIVE_INFINITY;
  /** When newer answers than the companion's cached ones can come; 0 where all were new enough. */
  newerAtMs = 0;

  /** @param isRefetch whether the query was answered before; default no */
  constructor(
    readonly maxAgeMs: number = Number.POSITIVE_INFINITY,
    readonly isRefetch: boolean = false,
  ) {}

  readonly addRequest = (request: number): void => void this.requests.add(request);

  addAge({ asOfMs = Number.POSITIVE_INFINITY, newerAtMs = 0 }: Age): void {
    this.asOfMs = Math.min(this.asOfMs, asOfMs);
    this.newerAtMs = Math.max(this.newerAtMs, newerAtMs);
  }

  addPart(hash: string): void {
    this.parts.add(hash);
  }
}

export type Loads = ReturnType<typeof createLoads>;

/** Makes a record of the sources of each query's last load, which lasts as long as the cache holds the queries. */
export function createLoads(client: QueryClient) {
  const known = new WeakMap<Query, QuerySources>();
  const find = (hash: string) => {
    const query = client.getQueryCache().get(hash);
    return query && known.get(query);
  };
  return {
    /** Records the beginning of a load. */
    begin(key: readonly unknown[], sources: QuerySources): void {
      const query = client.getQueryCache().get(toHash(key));
      if (query !== undefined) known.set(query, sources);
    },
    /** Gives the sources of a query's last load so far; undefined where it was answered without one. */
    find: (key: readonly unknown[]): QuerySources | undefined => find(toHash(key)),
    /** Adds the parts of the queries' last loads; all by their hashes. */
    withParts(hashes: readonly string[]): ReadonlySet<string> {
      const all = new Set(hashes);
      for (const hash of all) for (const part of find(hash)?.parts ?? []) all.add(part); // goes on to those it adds
      return all;
    },
  };
}

/** Hashes by key, since the pane looks up many thousand queries at a time. */
const hashes = new WeakMap<readonly unknown[], string>();

/** Gives the hash by which the cache identifies a query. */
export function toHash(key: readonly unknown[]): string {
  const known = hashes.get(key);
  if (known !== undefined) return known;
  const hash = hashKey(key);
  hashes.set(key, hash);
  return hash;
}
