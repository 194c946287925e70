import type { FeedError } from "../../client/errors";
import type { Source } from "../../client/http/request-log";
import type { PersistencePolicy } from "../persistence-policy";
import type { QuerySources } from "./sources";

/** Something to ask the provider. */
export interface Query<T> {
  /** What goes on the wire, never the text of a formula: equal keys are one query. */
  readonly key: readonly unknown[];
  /** Key of a wider query whose answer, where there is one already, answers this one too. */
  readonly within?: readonly unknown[];
  /** How its answer is kept beyond the page; default not at all. */
  readonly persistence?: PersistencePolicy;
  load(context: LoadContext<T>): Promise<T>;
}

/** A load that is under way. */
export interface Loading {
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** How current the answer has to be; whatever the load reads or waits for is noted there. */
  sources: QuerySources;
}

export interface LoadContext<T> extends Loading {
  /** Shows the part of the answer that has come so far, on a first load; a refresh shows only the whole. */
  grow(part: T): void;
  /**
   * Says how many requests the load takes in all, before it sends those that show only now.
   *
   * @throws NoValueError (FEED_CONFIRM_NEEDED)
   */
  expect(requests: number): void;
}

export interface Answer<T> {
  readonly value: T;
  /** False while more of it is on the way. */
  readonly isComplete: boolean;
  /** When the provider gave it, of several parts the oldest, milliseconds since the Unix epoch. */
  readonly asOfMs: number;
  /** Numbers of the requests that it came by, as the log of requests has them; none of an answer that was kept. */
  readonly requests: readonly number[];
  /** The requests of an earlier page that it came by; null where it came in this one. */
  readonly persisted: readonly Source[] | null;
}

export type State<T> =
  | { status: "pending" }
  /** `error` is set when a refresh failed and this is the last good answer. */
  | { status: "answered"; answer: Answer<T>; error: unknown }
  | { status: "failed"; error: unknown };

/** A query that a cell shows, and what is known of it. */
export interface Live {
  readonly key: readonly unknown[];
  readonly state: State<unknown>;
  /** Numbers of the requests behind what is shown, and behind the failure beside it. */
  requests(): readonly number[];
}

/** A watched query that failed, or whose refresh did. */
export interface Failed {
  readonly error: FeedError;
  /** By which it is known, also when it has failed again. */
  readonly hash: string;
}

/** How a refresh ended. */
export interface Refreshed {
  /** How many queries were refetched. */
  refetched: number;
  /** Why those that failed did; their last good answers stay. */
  failures: readonly unknown[];
  /** Whether it was called off before all had their answers; the others keep theirs of before. */
  isCancelled: boolean;
  /** Those that the companion answered by what it had, since the firm's policy asks for nothing newer yet; absent for none. */
  held?: Held;
}

/** Answers of before the refresh. */
export interface Held {
  count: number;
  /** When the provider gave the oldest of them, milliseconds since the Unix epoch. */
  asOfMs: number;
  /** From when on newer ones can come. */
  newerAtMs: number;
}

/** How old the answer to a query may be that the companion has already, in milliseconds; 0 for a fresh one. */
export type ToMaxAge = (query: Pick<Query<unknown>, "persistence">) => number;

export interface RefreshOptions {
  /** Which queries, by their keys; what one of them waits for is asked again with it. Default all that are watched. */
  keys?: readonly (readonly unknown[])[] | undefined;
  /** Calls it off: what has come stays, and what has not is as before. */
  signal?: AbortSignal | undefined;
  /** Whether it joins one that is under way, so that both are undone together; default false. */
  isMore?: boolean | undefined;
  /** How old answers may be; default fresh ones. */
  toMaxAgeMs?: ToMaxAge | undefined;
  /** Is called with how many queries are refetched, and how many of them have an answer or a failure. */
  progress?: ((total: number, done: number) => void) | undefined;
}

export type Listener<T> = (state: State<T>) => void;

/** One cache of queries: whoever asks the same watches the same answer. */
export interface QueryCache {
  /**
   * Watches a query, asking it if it has no answer yet. `listener` hears what is known at once, then each
   * change. The last to stop ends the request, after a moment of grace for a cell that is only being replaced.
   */
  observe<T>(query: Query<T>, listener: Listener<T>): () => void;
  /** What is known of a query, without asking it. */
  peek<T>(query: Query<T>): State<T>;
  /**
   * Asks on another query's behalf: gives the whole answer there is or comes. One of before a refresh is asked
   * again first, and serves where that fails. `loading` ends it like a watcher that leaves; `grow` gets the parts
   * that come before the whole.
   */
  wait<T>(query: Query<T>, loading: Loading, grow?: (part: T) => void): Promise<T>;
  /** Puts in an answer that came with another one, whose sources are its own too. */
  seed<T>(query: Query<T>, value: T, sources: QuerySources): void;
  /** Asks watched queries again; resolves when each has its answer or failure, or when it is called off. */
  refresh(options?: RefreshOptions): Promise<Refreshed>;
  /** How a refresh ends that is not begun, since it takes so many requests that a person has to confirm it; null where it may. */
  refuse(options?: Pick<RefreshOptions, "keys">): Refreshed | null;
  /** Puts the answers back that the last refresh took the place of. */
  undo(): void;
  /** What failed last of what is watched, found one by one. */
  failed(): Iterable<Failed>;
  /** Asks those again that failed so; gives what they failed with again, when each has its answer or failure. */
  retryFailed(isMeant: (error: FeedError, hash: string) => boolean): Promise<readonly unknown[]>;
  /** Asks those again whose keys begin so, as when what they are answered from has changed. */
  renew(key: readonly unknown[]): void;
  /** Forgets every answer of this page, as when the client changed, and asks the watched queries anew. */
  reset(): void;
  /** Number of queries being watched. */
  size(): number;
  /** What is known of a query that is being watched; null where it is not. */
  find(query: Query<unknown>): Live | null;
  /** The queries watched for their own sake: not those that only another one waits for. */
  live(): Live[];
  /** Ends everything. */
  close(): void;
}
