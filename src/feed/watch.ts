import { type QueryClient, QueryObserver } from "@tanstack/query-core";
import { type FeedCode, FeedError } from "./errors";
import type { Ports } from "./ports";
import { createQueryClient, drop } from "./query-client";
import { addRequests, traceOf } from "./trace";
import { createLoads, type Loads, toHash } from "./watch/loads";

/** Something to ask the provider. */
export interface Question<T> {
  /** What goes on the wire, never the text of a formula: equal keys are one question. */
  readonly key: readonly unknown[];
  /** Key of a wider question whose answer, where there is one already, answers this one too. */
  readonly within?: readonly unknown[];
  load(context: LoadContext<T>): Promise<T>;
}

export interface LoadContext<T> {
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Shows the part of the answer that has come so far, on a first load; a refresh shows only the whole. */
  grow(part: T): void;
}

export interface Answer<T> {
  readonly value: T;
  /** False while more of it is on the way. */
  readonly isComplete: boolean;
  /** When it came, milliseconds since the Unix epoch. */
  readonly asOfMs: number;
  /** Numbers of the requests that it came by, as the log of requests has them. */
  readonly requests: readonly number[];
}

export type State<T> =
  | { status: "pending" }
  /** `error` is set when a refresh failed and this is the last good answer. */
  | { status: "answered"; answer: Answer<T>; error: unknown }
  | { status: "failed"; error: unknown };

/** A question that a cell shows, and what is known of it. */
export interface Live {
  readonly key: readonly unknown[];
  readonly state: State<unknown>;
  /** Numbers of the requests behind what is shown, and behind the failure beside it. */
  requests(): readonly number[];
}

/** How a refresh ended. */
export interface Refreshed {
  /** How many questions were asked again. */
  asked: number;
  /** Why those that failed did; their last good answers stay. */
  failures: readonly unknown[];
}

export type Listener<T> = (state: State<T>) => void;

/** One cache of questions: whoever asks the same watches the same answer. */
export interface Watch {
  /**
   * Watches a question, asking it if it has no answer yet. `listener` hears what is known at once, then each
   * change. The last to stop ends the request, after a moment of grace for a cell that is only being replaced.
   */
  watch<T>(question: Question<T>, listener: Listener<T>): () => void;
  /** What is known of a question, without asking it. */
  peek<T>(question: Question<T>): State<T>;
  /**
   * Asks on another question's behalf: gives the whole answer there is or comes. One of before a refresh is asked
   * again first, and serves where that fails. `signal` ends it like a watcher that leaves; `grow` hears of the parts
   * that come before the whole.
   */
  wait<T>(question: Question<T>, signal: AbortSignal, grow?: (part: T) => void): Promise<T>;
  /** Puts in an answer that came with another one, of whose load `signal` is. */
  seed<T>(question: Question<T>, value: T, signal?: AbortSignal): void;
  /**
   * Asks watched questions again; resolves when each has its answer or failure.
   *
   * @param keys which; what one of them waits for is asked again with it. Default all
   */
  refresh(keys?: readonly (readonly unknown[])[]): Promise<Refreshed>;
  /** Asks those again whose last request failed with one of these codes. */
  retryFailed(codes: readonly FeedCode[]): void;
  /** Asks those again whose keys begin so, as when what they are answered from has changed. */
  renew(key: readonly unknown[]): void;
  /** Forgets every answer, as when the client changed, and asks the watched questions anew. */
  reset(): void;
  /** Number of questions being watched. */
  size(): number;
  /** What is known of a question that is being watched; null where it is not. */
  find(question: Question<unknown>): Live | null;
  /** The questions watched for their own sake: not those that only another one waits for. */
  live(): Live[];
  /** Ends everything. */
  close(): void;
}

/** The order of an old call's cancel and the new call is not guaranteed, so a question outlives its last cell a little. */
const GRACE_MS = 1_500;

interface Subscriber {
  listener: Listener<unknown>;
  /** Whether it is a cell, not a question that waits for this one. */
  isLive: boolean;
}

interface Watched extends Live {
  observer: QueryObserver<Answer<unknown>>;
  subscribers: Set<Subscriber>;
  state: State<unknown>;
  stayAlive: () => void;
  close: () => void;
}

/** The answers, and who watches which. */
interface Cache {
  ports: Ports;
  client: QueryClient;
  active: Map<string, Watched>;
  loads: Loads;
  /** Is told after each change of what is live or known. */
  tell: () => void;
}

/**
 * Makes an empty cache of questions.
 *
 * @param tell is called whenever what {@link Watch.live} gives has changed
 */
export function createWatch(ports: Ports, tell = () => {}): Watch {
  const client = createQueryClient();
  const cache: Cache = { ports, client, active: new Map(), loads: createLoads(client), tell };
  return {
    watch(question, listener) {
      const watched = open(cache, question as Question<unknown>);
      const stop = subscribe(cache, watched, { listener: listener as Listener<unknown>, isLive: true });
      if (watched.state.status !== "pending") (listener as Listener<unknown>)(watched.state);
      return stop;
    },
    wait: (question, signal, grow) =>
      waitFor(cache, question as Question<unknown>, signal, grow as (part: unknown) => void) as Promise<never>,
    peek: (question) => toState(client.getQueryState<Answer<never>>(question.key)),
    seed: (question, value, signal) => {
      const requests = signal === undefined ? [] : [...traceOf(signal).requests];
      client.setQueryData(question.key, { value, isComplete: true, asOfMs: ports.nowMs(), requests });
    },
    refresh: (keys) => refresh(cache, keys?.map(toHash)),
    retryFailed(codes) {
      for (const { observer, state } of cache.active.values()) {
        const error = state.status === "pending" ? null : state.error;
        if (error instanceof FeedError && codes.includes(error.code)) void observer.refetch({ cancelRefetch: false });
      }
    },
    renew: (key) => void client.invalidateQueries({ queryKey: key }),
    reset() {
      client.removeQueries({ type: "inactive" });
      void client.resetQueries();
    },
    size: () => cache.active.size,
    find: ({ key }) => cache.active.get(toHash(key)) ?? null,
    live: () => [...cache.active.values()].filter(isLive),
    close() {
      for (const watched of [...cache.active.values()]) watched.close();
      for (const query of client.getQueryCache().getAll()) drop(client, query);
    },
  };
}

function open(cache: Cache, question: Question<unknown>): Watched {
  const { active } = cache;
  const hash = toHash(question.key);
  const known = active.get(hash);
  if (known !== undefined) return known;
  const watched = observe(cache, question, () => active.delete(hash));
  active.set(hash, watched);
  return watched;
}

function subscribe({ ports, tell }: Cache, watched: Watched, subscriber: Subscriber): () => void {
  watched.stayAlive();
  watched.subscribers.add(subscriber);
  tell();
  return () => {
    if (!watched.subscribers.delete(subscriber)) return;
    tell();
    if (watched.subscribers.size > 0) return;
    watched.stayAlive = ports.after(GRACE_MS, () => watched.subscribers.size === 0 && watched.close());
  };
}

function isLive({ subscribers }: Watched): boolean {
  for (const subscriber of subscribers) if (subscriber.isLive) return true;
  return false;
}

function waitFor(
  cache: Cache,
  question: Question<unknown>,
  signal: AbortSignal,
  grow: ((part: unknown) => void) | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const watched = open(cache, question);
    traceOf(signal).parts.add(toHash(question.key));
    const query = () => cache.client.getQueryState(question.key);
    const isBeingRenewed = () => query()?.isInvalidated === true && query()?.fetchStatus === "fetching";
    if (watched.state.status === "failed" || query()?.isInvalidated)
      void watched.observer.refetch({ cancelRefetch: false });
    const hear = (state: State<unknown>) => {
      if (state.status === "failed") reject(state.error);
      else if (state.status === "answered" && state.answer.isComplete && !isBeingRenewed()) resolve(state.answer.value);
      else {
        if (state.status === "answered" && !state.answer.isComplete) grow?.(state.answer.value);
        return;
      }
      addRequests(signal, watched.requests());
      stop();
    };
    const stop = subscribe(cache, watched, { listener: hear, isLive: false });
    const leave = () => {
      stop();
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    if (watched.state.status === "answered") hear(watched.state);
  });
}

/** What is asked again is of before: unless its load succeeds, it must not answer later questions. */
async function refresh(cache: Cache, wanted?: readonly string[]): Promise<Refreshed> {
  const { client, active, loads } = cache;
  const old = wanted && loads.withParts(wanted);
  await client.invalidateQueries({ refetchType: "none", predicate: (query) => old?.has(query.queryHash) ?? true });
  const watched = wanted === undefined ? [...active.values()] : [...new Set(wanted)].map((hash) => active.get(hash));
  const asked = watched.flatMap((each) => each?.observer.refetch({ cancelRefetch: false }) ?? []);
  const results = await Promise.all(asked);
  return { asked: results.length, failures: results.filter((result) => result.isError).map(({ error }) => error) };
}

function observe(cache: Cache, question: Question<unknown>, forget: () => void): Watched {
  const { client, tell } = cache;
  const observer = new QueryObserver<Answer<unknown>>(client, {
    queryKey: question.key,
    queryFn: ({ signal }) => loadAnswer(cache, question, signal),
    notifyOnChangeProps: ["data", "error", "status"],
  });
  const watched: Watched = {
    key: question.key,
    observer,
    subscribers: new Set(),
    state: { status: "pending" },
    requests: () => listRequests(cache, watched),
    stayAlive: () => undefined,
    close: () => {
      watched.stayAlive();
      unsubscribe();
      forget();
      // Half an answer is worth nothing without the rest: whoever asks next must ask, not find it.
      const query = client.getQueryCache().get(toHash(question.key));
      if (query !== undefined && (query.state.data as Answer<unknown> | undefined)?.isComplete === false)
        drop(client, query);
    },
  };
  const unsubscribe = observer.subscribe((result) => {
    watched.state = toState(result);
    for (const { listener } of [...watched.subscribers]) listener(watched.state);
    tell();
  });
  watched.state = toState(observer.getCurrentResult());
  return watched;
}

function listRequests({ loads }: Cache, { key, state }: Live): readonly number[] {
  if (state.status === "pending") return [];
  const behind = state.status === "answered" ? state.answer.requests : [];
  return state.error === null ? behind : [...new Set([...behind, ...loads.listRequests(key)])];
}

async function loadAnswer({ client, ports, loads }: Cache, question: Question<unknown>, signal: AbortSignal) {
  const isFirst = client.getQueryData(question.key) === undefined;
  const wider = question.within && client.getQueryState<Answer<unknown>>(question.within);
  if (isFirst && wider?.data?.isComplete && !wider.isInvalidated) return wider.data;
  const { requests } = loads.begin(question.key, signal);
  const toAnswer = (value: unknown, isComplete: boolean): Answer<unknown> => {
    return { value, isComplete, asOfMs: ports.nowMs(), requests: [...requests] };
  };
  const grow = (part: unknown) => {
    const known = client.getQueryData<Answer<unknown>>(question.key);
    if (!signal.aborted && !known?.isComplete) client.setQueryData(question.key, toAnswer(part, false));
  };
  return toAnswer(await question.load({ signal, grow }), true);
}

/** A failed refresh keeps the last whole answer; half of a first answer does not survive a failure. */
function toState<T>(known: { status: string; data?: Answer<T> | undefined; error: unknown } | undefined): State<T> {
  if (known?.data !== undefined && (known.status !== "error" || known.data.isComplete)) {
    return { status: "answered", answer: known.data, error: known.error };
  }
  return known?.status === "error" ? { status: "failed", error: known.error } : { status: "pending" };
}
