import type { Ports } from "../client/ports";
import { createSubscribers } from "../client/subscribers";
import type { Held, QueryCache, Refreshed, RefreshOptions, ToMaxAge } from "../feed/query-cache";
import { joinHeld } from "../feed/query-cache/refresh";

/** How far a refresh has come. */
export interface RefreshProgress {
  /** Queries that are refetched. */
  total: number;
  /** Of those, how many have their answer or failure. */
  done: number;
  /** Requests for data that went out since it began. */
  requests: number;
}

/** How the last refresh ended, and when. */
export interface LastRefresh extends Refreshed {
  atMs: number;
}

interface RefreshState {
  /** Null while none is under way. */
  running: RefreshProgress | null;
  last: LastRefresh | null;
}

/** Asks live queries again, in one refresh at a time. */
export interface Refreshing {
  state(): RefreshState;
  /**
   * Asks again; one that comes while another is under way joins it, and both end together, unless older answers serve
   * the other alone: then it comes after. One that takes so many requests that a person has to confirm it is not begun.
   *
   * @param keys of the queries; default all that are live
   * @param toMaxAgeMs how old answers may be that the companion has already; default fresh ones, as for a person
   */
  refresh(keys?: readonly (readonly unknown[])[], toMaxAgeMs?: ToMaxAge): Promise<Refreshed>;
  /** Calls off the one that is under way: what has come stays. */
  cancel(): void;
  /** Is told when one begins, before it asks. */
  onBegin(listener: () => void): () => void;
}

interface RefreshingOptions {
  ports: Pick<Ports, "nowMs">;
  queryCache: Pick<QueryCache, "refresh" | "refuse">;
  /** Requests for data that went out since the page opened. */
  requests: () => number;
  /** Is called after each change of state. */
  notify: () => void;
}

/** Those that joined, and how far each has come. */
interface Running {
  abort: AbortController;
  /** Whether older answers serve it. */
  isLenient: boolean;
  requestsBefore: number;
  parts: { total: number; done: number; end: Promise<Refreshed> }[];
  end: Promise<Refreshed> | null;
}

type Wanted = Pick<RefreshOptions, "keys" | "toMaxAgeMs">;

interface Context extends RefreshingOptions {
  running: Running | null;
  last: LastRefresh | null;
}

export function createRefreshing(options: RefreshingOptions): Refreshing {
  const { requests } = options;
  const { subscribe: onBegin, notify: notifyBegin } = createSubscribers();
  const context: Context = { ...options, running: null, last: null };
  return {
    state: () => ({ running: context.running && toProgress(context.running, requests()), last: context.last }),
    refresh: (keys, toMaxAgeMs) => refresh(context, notifyBegin, { keys, toMaxAgeMs }),
    cancel: () => context.running?.abort.abort(),
    onBegin,
  };
}

async function refresh(context: Context, notifyBegin: () => void, wanted: Wanted): Promise<Refreshed> {
  const { keys, toMaxAgeMs } = wanted;
  const isLenient = toMaxAgeMs !== undefined;
  // One that was called off ends first: what it lets go would be joined.
  const mayJoin = (running: Running) => !running.abort.signal.aborted && (isLenient || !running.isLenient);
  while (context.running && !mayJoin(context.running)) await context.running.end;
  const refused = context.queryCache.refuse({ keys });
  if (refused !== null) return refused;
  if (keys?.length === 0) return { refetched: 0, failures: [], isCancelled: false };
  if (context.running === null) notifyBegin();
  context.running ??= begin(context, isLenient);
  const { running } = context;
  join(context, running, wanted);
  running.end ??= settle(context, running);
  return running.end;
}

const begin = ({ requests }: Context, isLenient: boolean): Running => ({
  abort: new AbortController(),
  isLenient,
  requestsBefore: requests(),
  parts: [],
  end: null,
});

function join({ queryCache, notify }: Context, { abort, parts }: Running, wanted: Wanted) {
  const isMore = parts.length > 0;
  const part = { total: 0, done: 0 };
  const progress = (total: number, done: number) => {
    Object.assign(part, { total, done });
    notify();
  };
  const end = queryCache.refresh({ ...wanted, signal: abort.signal, isMore, progress });
  parts.push(Object.assign(part, { end }));
}

async function settle(context: Context, { parts }: Running): Promise<Refreshed> {
  const ends: Refreshed[] = [];
  for (const { end } of parts) ends.push(await end); // goes on to those that join meanwhile
  const held = ends.reduce<Held | undefined>((all, end) => joinHeld(all, end.held), undefined);
  const refreshed = {
    refetched: ends.reduce((sum, { refetched }) => sum + refetched, 0),
    failures: ends.flatMap(({ failures }) => failures),
    isCancelled: ends.some(({ isCancelled }) => isCancelled),
    ...(held && { held }),
  };
  context.running = null;
  context.last = { ...refreshed, atMs: context.ports.nowMs() };
  context.notify();
  return refreshed;
}

function toProgress({ parts, requestsBefore }: Running, requests: number): RefreshProgress {
  return {
    total: parts.reduce((sum, part) => sum + part.total, 0),
    done: parts.reduce((sum, { done }) => sum + done, 0),
    requests: requests - requestsBefore,
  };
}
