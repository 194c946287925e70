import { createListeners } from "../feed/listeners";
import type { Ports } from "../feed/ports";
import type { Refreshed, Watch } from "../feed/watch";

/** How far a refresh has come. */
export interface RefreshProgress {
  /** Questions that are asked again. */
  asked: number;
  /** Of those, how many have their answer or failure. */
  done: number;
  /** Requests for data that went out since it began. */
  requests: number;
  /** When it began, milliseconds since the Unix epoch. */
  sinceMs: number;
}

/** How the last refresh ended, and when. */
export interface LastRefresh extends Refreshed {
  atMs: number;
}

export interface RefreshState {
  /** Null while none is under way. */
  running: RefreshProgress | null;
  last: LastRefresh | null;
}

/** Asks live questions again, in one refresh at a time. */
export interface Refreshing {
  state(): RefreshState;
  /**
   * Asks again; one that comes while another is under way joins it, and both end together. One that takes so many
   * requests that a person has to confirm it is not begun.
   *
   * @param keys of the questions; default all that are live
   */
  refresh(keys?: readonly (readonly unknown[])[]): Promise<Refreshed>;
  /** Calls off the one that is under way: what has come stays. */
  cancel(): void;
  /** Is told when one begins, before it asks. */
  onBegin(listener: () => void): () => void;
}

export interface RefreshingOptions {
  ports: Pick<Ports, "nowMs">;
  watch: Pick<Watch, "refresh" | "refuse">;
  /** Requests for data that went out since the page opened. */
  requests: () => number;
  /** Is called after each change of state. */
  tell: () => void;
}

/** Those that joined, and how far each has come. */
interface Running {
  abort: AbortController;
  sinceMs: number;
  requestsBefore: number;
  parts: { asked: number; done: number; end: Promise<Refreshed> }[];
  end: Promise<Refreshed> | null;
}

interface Context extends RefreshingOptions {
  running: Running | null;
  last: LastRefresh | null;
}

export function createRefreshing(options: RefreshingOptions): Refreshing {
  const { ports, requests } = options;
  const { add: onBegin, tell: tellBegin } = createListeners();
  const context: Context = { ...options, running: null, last: null };
  return {
    state: () => ({ running: context.running && toProgress(context.running, requests()), last: context.last }),
    refresh(keys) {
      const refused = options.watch.refuse({ keys });
      if (refused !== null) return Promise.resolve(refused);
      if (context.running === null) tellBegin();
      const abort = new AbortController();
      context.running ??= { abort, sinceMs: ports.nowMs(), requestsBefore: requests(), parts: [], end: null };
      const { running } = context;
      join(context, running, keys);
      running.end ??= settle(context, running);
      return running.end;
    },
    cancel: () => context.running?.abort.abort(),
    onBegin,
  };
}

function join({ watch, tell }: Context, { abort, parts }: Running, keys: readonly (readonly unknown[])[] | undefined) {
  const isMore = parts.length > 0;
  const part = { asked: 0, done: 0 };
  const progress = (asked: number, done: number) => {
    Object.assign(part, { asked, done });
    tell();
  };
  const end = watch.refresh({ keys, signal: abort.signal, isMore, progress });
  parts.push(Object.assign(part, { end }));
}

async function settle(context: Context, { parts }: Running): Promise<Refreshed> {
  const ends: Refreshed[] = [];
  for (const { end } of parts) ends.push(await end); // goes on to those that join meanwhile
  const refreshed = {
    asked: ends.reduce((sum, { asked }) => sum + asked, 0),
    failures: ends.flatMap(({ failures }) => failures),
    isCancelled: ends.some(({ isCancelled }) => isCancelled),
  };
  context.running = null;
  context.last = { ...refreshed, atMs: context.ports.nowMs() };
  context.tell();
  return refreshed;
}

function toProgress({ parts, sinceMs, requestsBefore }: Running, requests: number): RefreshProgress {
  return {
    asked: parts.reduce((sum, { asked }) => sum + asked, 0),
    done: parts.reduce((sum, { done }) => sum + done, 0),
    requests: requests - requestsBefore,
    sinceMs,
  };
}
