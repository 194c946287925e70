import type { Ports } from "../client/ports";
import { createSubscribers } from "../client/subscribers";
import type { Held, QueryCache, Refreshed, RefreshOptions, ToMaxAge } from "../feed/query-cache";
import { joinHeld } from "../feed/query-cache/refresh";

export interface RefreshProgress {
  /** Number of refetched queries. */
  total: number;
  /** Of those, the ones with an answer or a failure. */
  done: number;
  /** Requests for data since it began. */
  requests: number;
}

export interface LastRefresh extends Refreshed {
  atMs: number;
}

interface RefreshState {
  /** Null while none is under way. */
  running: RefreshProgress | null;
  last: LastRefresh | null;
}

/** The refresh of live queries, one at a time. */
export interface Refreshing {
  state(): RefreshState;
  /**
   * Refetches queries. A refresh joins the one under way, and both end together; it waits for the other's end where only
   * the other accepts cached answers. One that needs a confirmation is not begun.
   *
   * @param keys of the queries; default all live ones
   * @param toMaxAgeMs maximum age of the companion's answers; default fresh ones, as for a person
   */
  refresh(keys?: readonly (readonly unknown[])[], toMaxAgeMs?: ToMaxAge): Promise<Refreshed>;
  /** Cancels the one under way; answers that have come stay. */
  cancel(): void;
  /** Calls `listener` before a refresh begins. */
  onBegin(listener: () => void): () => void;
}

interface RefreshingOptions {
  ports: Pick<Ports, "nowMs">;
  queryCache: Pick<QueryCache, "refresh" | "checkRefresh">;
  /** Requests for data since the page opened. */
  requests: () => number;
  /** Called after each change of state. */
  notify: () => void;
}

/** The refresh under way with all that have joined it. */
interface Running {
  abort: AbortController;
  /** Whether it accepts cached answers. */
  isLenient: boolean;
  requestsBefore: number;
  parts: { total: number; done: number; end: Promise<Refreshed> }[];
  end: Promise<Refreshed> | null;
}

type Wanted = Pick<RefreshOptions, "keys" | "toMaxAgeMs">;

interface RefreshesState extends RefreshingOptions {
  running: Running | null;
  last: LastRefresh | null;
}

export function createRefreshing(options: RefreshingOptions): Refreshing {
  const { requests } = options;
  const { subscribe: onBegin, notify: notifyBegin } = createSubscribers();
  const context: RefreshesState = { ...options, running: null, last: null };
  return {
    state: () => ({ running: context.running && toProgress(context.running, requests()), last: context.last }),
    refresh: (keys, toMaxAgeMs) => refresh(context, notifyBegin, { keys, toMaxAgeMs }),
    cancel: () => context.running?.abort.abort(),
    onBegin,
  };
}

async function refresh(context: RefreshesState, notifyBegin: () => void, wanted: Wanted): Promise<Refreshed> {
  const { keys, toMaxAgeMs } = wanted;
  const isLenient = toMaxAgeMs !== undefined;
  // A cancelled refresh ends first: joining it would join its cancelled loads.
  const mayJoin = (running: Running) => !running.abort.signal.aborted && (isLenient || !running.isLenient);
  while (context.running && !mayJoin(context.running)) await context.running.end;
  const unconfirmed = context.queryCache.checkRefresh({ keys });
  if (unconfirmed !== null) return unconfirmed;
  if (keys?.length === 0) return { refetched: 0, failures: [], isCancelled: false };
  if (context.running === null) notifyBegin();
  context.running ??= begin(context, isLenient);
  const { running } = context;
  join(context, running, wanted);
  running.end ??= settle(context, running);
  return running.end;
}

const begin = ({ requests }: RefreshesState, isLenient: boolean): Running => ({
  abort: new AbortController(),
  isLenient,
  requestsBefore: requests(),
  parts: [],
  end: null,
});

function join({ queryCache, notify }: RefreshesState, { abort, parts }: Running, wanted: Wanted) {
  const isMore = parts.length > 0;
  const part = { total: 0, done: 0 };
  const progress = (total: number, done: number) => {
    Object.assign(part, { total, done });
    notify();
  };
  const end = queryCache.refresh({ ...wanted, signal: abort.signal, isMore, progress });
  parts.push(Object.assign(part, { end }));
}

async function settle(context: RefreshesState, { parts }: Running): Promise<Refreshed> {
  const ends: Refreshed[] = [];
  for (const { end } of parts) ends.push(await end); // includes parts that join meanwhile
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
