import { hashKey, type Query, type QueryClient } from "@tanstack/query-core";
import type { Age, Sources } from "../../client/provider";

/** What a load of a query goes by, and what its answer comes from. */
export class QuerySources implements Sources {
  /** Numbers of the requests that went out for it, and of those behind the answers that it waited for. */
  readonly requests = new Set<number>();
  /** Hashes of the queries that it waited for. */
  readonly parts = new Set<string>();
  /** When the provider gave the oldest answer of those that the companion had already; else infinite. */
  asOfMs = Number.POSITIVE_INFINITY;
  /** From when on the companion asks for newer ones than it had; 0 where they were as new as was wanted. */
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

/** What the last load of each query comes from. */
export interface Loads {
  /** Takes note that a load of a query begins. */
  begin(key: readonly unknown[], sources: QuerySources): void;
  /** The sources of a query's last load so far; undefined where it was answered without one. */
  find(key: readonly unknown[]): QuerySources | undefined;
  /** Queries, by their hashes, with those that their last loads waited for. */
  withParts(hashes: readonly string[]): ReadonlySet<string>;
}

/** Keeps them for as long as the cache keeps the queries. */
export function createLoads(client: QueryClient): Loads {
  const known = new WeakMap<Query, QuerySources>();
  const find = (hash: string) => {
    const query = client.getQueryCache().get(hash);
    return query && known.get(query);
  };
  return {
    begin(key, sources) {
      const query = client.getQueryCache().get(toHash(key));
      if (query !== undefined) known.set(query, sources);
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
