import { type QueryClient, QueryObserver } from "@tanstack/query-core";
import type { Budget } from "../budget";
import { hasCode } from "../errors";
import type { Ports } from "../ports";
import { type Loads, toHash } from "./loads";
import { drop } from "./query-client";
import type { Answer, Listener, Live, Question, State, ToMaxAge } from "./types";

/** The answers, and who watches which. */
export interface Cache {
  ports: Ports;
  client: QueryClient;
  active: Map<string, Watched>;
  /** Those of them whose last load failed. */
  failed: Set<Watched>;
  loads: Loads;
  budget: Budget;
  /** How old the answers may be that the companion has already, by the questions that a refresh asks again. */
  wanted: Map<string, ToMaxAge>;
  /** Rejects with why no question may be answered, not even by what is kept; null where nothing is to be waited for. */
  check: () => Promise<void> | null;
  /** Answers a question, by a request or without. */
  load: (question: Question<unknown>, signal: AbortSignal) => Promise<Answer<unknown>>;
  /** Is told after each change of what is live or known. */
  tell: () => void;
}

/** The order of an old call's cancel and the new call is not guaranteed, so a question outlives its last cell a little. */
const GRACE_MS = 1_500;

export interface Subscriber {
  listener: Listener<unknown>;
  /** Whether it is a cell, not a question that waits for this one. */
  isLive: boolean;
}

export interface Watched extends Live {
  question: Question<unknown>;
  observer: QueryObserver<Answer<unknown>>;
  subscribers: Set<Subscriber>;
  state: State<unknown>;
  stayAlive: () => void;
  close: () => void;
}

/** Finds a question that is watched, or begins to watch it, which asks it. */
export function open(cache: Cache, question: Question<unknown>): Watched {
  const { active } = cache;
  const hash = toHash(question.key);
  const known = active.get(hash);
  if (known !== undefined) return known;
  const watched = observe(cache, question, () => active.delete(hash));
  active.set(hash, watched);
  return watched;
}

export function subscribe({ ports, tell }: Cache, watched: Watched, subscriber: Subscriber): () => void {
  watched.stayAlive();
  const wasLive = isLive(watched);
  watched.subscribers.add(subscriber);
  if (isLive(watched) !== wasLive) tell(); // thousands of cells may share it
  return () => {
    if (!watched.subscribers.delete(subscriber)) return;
    if (!isLive(watched)) tell();
    if (watched.subscribers.size > 0) return;
    watched.stayAlive = ports.after(GRACE_MS, () => watched.subscribers.size === 0 && watched.close());
  };
}

export function isLive({ subscribers }: Watched): boolean {
  for (const subscriber of subscribers) if (subscriber.isLive) return true;
  return false;
}

/** Whether another question waits for this one. */
export function isPart({ active }: Cache, { key }: Question<unknown>): boolean {
  for (const { isLive } of active.get(toHash(key))?.subscribers ?? []) if (!isLive) return true;
  return false;
}

function observe(cache: Cache, question: Question<unknown>, forget: () => void): Watched {
  const { client, tell } = cache;
  const observer = new QueryObserver<Answer<unknown>>(client, {
    queryKey: question.key,
    queryFn: ({ signal }) => cache.load(question, signal),
    notifyOnChangeProps: ["data", "error", "status"],
  });
  const watched: Watched = {
    key: question.key,
    question,
    observer,
    subscribers: new Set(),
    state: { status: "pending" },
    requests: () => listRequests(cache, watched),
    stayAlive: () => undefined,
    close: () => {
      cache.failed.delete(watched);
      watched.stayAlive();
      unsubscribe();
      forget();
      // Half an answer is worth nothing without the rest: whoever asks next must ask, not find it.
      const query = client.getQueryCache().get(toHash(question.key));
      if (query !== undefined && (query.state.data as Answer<unknown> | undefined)?.isComplete === false)
        drop(client, query);
      tell();
    },
  };
  const unsubscribe = observer.subscribe((result) => {
    setState(cache, watched, toState(result));
    for (const { listener } of [...watched.subscribers]) listener(watched.state);
    tell();
  });
  setState(cache, watched, toState(observer.getCurrentResult()));
  return watched;
}

function setState({ failed }: Cache, watched: Watched, state: State<unknown>): void {
  watched.state = state;
  if (state.status !== "pending" && state.error !== null) failed.add(watched);
  else failed.delete(watched);
}

function listRequests({ loads }: Cache, { key, state }: Live): readonly number[] {
  if (state.status === "pending") return [];
  const behind = state.status === "answered" ? state.answer.requests : [];
  return state.error === null ? behind : [...new Set([...behind, ...(loads.find(key)?.requests ?? [])])];
}

/**
 * A failed refresh keeps the last whole answer, unless that turns out to be one of several; half of a first answer does
 * not survive a failure.
 */
export function toState<T>(
  known: { status: string; data?: Answer<T> | undefined; error: unknown } | undefined,
): State<T> {
  if (known?.data !== undefined && (known.status !== "error" || known.data.isComplete) && !isAmbiguous(known.error)) {
    return { status: "answered", answer: known.data, error: known.error };
  }
  return known?.status === "error" ? { status: "failed", error: known.error } : { status: "pending" };
}

const isAmbiguous = hasCode("FEED_AMBIGUOUS");
