import type { FeedError } from "../../client/errors";
import type { Source } from "../../client/http/request-log";
import type { PersistencePolicy } from "../persistence-policy";
import type { QuerySources } from "./sources";

/** A request to the provider, by its content. */
export interface Query<T> {
  /** The content of the request, never the text of a formula: equal keys are one query. */
  readonly key: readonly unknown[];
  /** Key of a wider query, whose answer also answers this one. */
  readonly within?: readonly unknown[];
  /** How its answer is persisted; default not at all. */
  readonly persistence?: PersistencePolicy;
  load(context: LoadContext): Promise<T>;
}

/** A load that is under way. */
export interface Loading {
  /** Aborted when the last subscriber has left. */
  signal: AbortSignal;
  /** The maximum age of the answer; records the load's requests and parts. */
  sources: QuerySources;
  /** Reports how far a list of several requests is. */
  advance?: ((progress: Progress) => void) | undefined;
}

/** How far a list is read; its rows are no answer before all have come. */
export interface Progress {
  readonly rows: readonly unknown[];
  /** Rows that there will be, by the provider's word so far. */
  readonly expected: number;
}

export interface LoadContext extends Loading {
  /**
   * Announces how many requests the load takes in all, before it sends the additional ones.
   *
   * @throws NoValueError (FEED_CONFIRM_NEEDED)
   */
  expect(requests: number): void;
}

export interface Answer<T> {
  readonly value: T;
  /** When the provider gave it, of several parts the oldest, milliseconds since the Unix epoch. */
  readonly asOfMs: number;
  /** Numbers of its requests in the request log; none for a persisted answer. */
  readonly requests: readonly number[];
  /** Its requests in an earlier page; null where it came in this one. */
  readonly persisted: readonly Source[] | null;
}

export type State<T> =
  /** `progress` is set once the first rows of a list have come. */
  | { status: "pending"; progress?: Progress }
  /** `error` is set when a refresh failed and this is the last good answer. */
  | { status: "answered"; answer: Answer<T>; error: unknown }
  | { status: "failed"; error: unknown };

/** A query with subscribers. */
export interface Live {
  readonly key: readonly unknown[];
  readonly state: State<unknown>;
  /** Numbers of the requests behind the answer, and behind the failure beside it. */
  requests(): readonly number[];
}

/** A query with subscribers whose last load failed. */
export interface Failed {
  readonly error: FeedError;
  readonly hash: string;
}

/** How a refresh ended. */
export interface Refreshed {
  /** How many queries were refetched. */
  refetched: number;
  /** Errors of the failed ones; their last good answers stay. */
  failures: readonly unknown[];
  /** Whether it was cancelled before all had their answers; the others retain their former ones. */
  isCancelled: boolean;
  /** Answers from the companion's cache, because the firm's policy allows no newer ones yet; absent for none. */
  held?: Held;
}

/** Answers that a refresh could not renew. */
export interface Held {
  count: number;
  /** When the provider gave the oldest of them, milliseconds since the Unix epoch. */
  asOfMs: number;
  /** From when on newer ones can come. */
  newerAtMs: number;
}

/** Gives the maximum age of the companion's answer to a query, in milliseconds; 0 for a fresh one. */
export type ToMaxAge = (query: Pick<Query<unknown>, "persistence">) => number;

export interface RefreshOptions {
  /** Keys of the queries, which are refetched with their parts; default all with subscribers. */
  keys?: readonly (readonly unknown[])[] | undefined;
  /** Cancels the refresh; answers that have come stay. */
  signal?: AbortSignal | undefined;
  /** Whether it joins one that is under way, so that both are undone together; default false. */
  isMore?: boolean | undefined;
  /** Default fresh answers. */
  toMaxAgeMs?: ToMaxAge | undefined;
  /** Called with the number of refetched queries, and of those that have an answer or a failure. */
  progress?: ((total: number, done: number) => void) | undefined;
}

export type Listener<T> = (state: State<T>) => void;

/** A cache of queries: equal queries share one answer. */
export interface QueryCache {
  /**
   * Subscribes to a query, and loads it if it has no answer. `listener` gets the present state at once, then each
   * change. The last unsubscribe ends the request, after a moment of grace for a cell that is only being replaced.
   */
  observe<T>(query: Query<T>, listener: Listener<T>): () => void;
  /** Gives the state of a query, without loading it. */
  peek<T>(query: Query<T>): State<T>;
  /**
   * Loads a query as a part of another one, and gives its whole answer. An answer older than a refresh is refetched, and
   * serves only if that fails. Aborting `loading` unsubscribes; its `advance` gets the progress.
   */
  wait<T>(query: Query<T>, loading: Loading): Promise<T>;
  /** Sets an answer that came with another one, from the same sources. */
  seed<T>(query: Query<T>, value: T, sources: QuerySources): void;
  /** Refetches queries; resolves when each has its answer or failure, or when it is cancelled. */
  refresh(options?: RefreshOptions): Promise<Refreshed>;
  /** Gives the result of a refresh that a person must confirm first, because of its requests; null where it may begin. */
  checkRefresh(options?: Pick<RefreshOptions, "keys">): Refreshed | null;
  /** Restores the answers before the last refresh. */
  undo(): void;
  /** Iterates over the failed queries. */
  failed(): Iterable<Failed>;
  /** Retries the matching failed queries; gives their new errors when each has its answer or failure. */
  retryFailed(isMeant: (error: FeedError, hash: string) => boolean): Promise<readonly unknown[]>;
  /** Refetches the queries whose keys begin so, after a change of local data. */
  renew(key: readonly unknown[]): void;
  /** Forgets the answers of queries, and reloads those with subscribers: their keys mean something else by now. */
  restart(isMeant: (key: readonly unknown[]) => boolean): void;
  /** Forgets all answers of this page, and reloads the queries with subscribers: the client has changed. */
  reset(): void;
  /** Number of queries with subscribers. */
  size(): number;
  /** Finds a query with subscribers; null where there is none. */
  find(query: Query<unknown>): Live | null;
  /** Lists the queries that cells subscribe to, without those that are only parts of others. */
  live(): Live[];
  /** Ends all queries. */
  close(): void;
}
