import type { Query } from "@tanstack/query-core";
import { type Cache, isLive, type Watched } from "./cache";
import { toHash } from "./loads";
import type { Keep, KeptQuestion } from "./persistence";
import type { Answer, Held, Refreshed, RefreshOptions } from "./types";

/** Asks again, and knows what was answered before. */
export interface Refresher {
  refresh(options?: RefreshOptions): Promise<Refreshed>;
  refuse(options?: Pick<RefreshOptions, "keys">): Refreshed | null;
  undo(): void;
  /** Forgets what was answered before. */
  forget(): void;
}

interface Context {
  cache: Cache;
  keep: Keep;
  /** Hashes of the questions that the last refresh asked again. */
  asked: Set<string>;
  /** Their answers of before. */
  before: Map<string, { question: KeptQuestion; answer: Answer<unknown> }>;
}

export function createRefresher(cache: Cache, keep: Keep): Refresher {
  const context: Context = { cache, keep, asked: new Set(), before: new Map() };
  return {
    refresh: (options = {}) => refresh(context, options),
    refuse: (options = {}) => refuse(cache, options),
    undo: () => undo(context),
    forget: () => context.before.clear(),
  };
}

/** Invalidates first: after a failed load the former answer must not serve later queries. */
async function refresh(context: Context, options: RefreshOptions): Promise<Refreshed> {
  const { keys, signal, isMore, toMaxAgeMs = () => 0, progress } = options;
  const { cache, keep } = context;
  const { client, loads } = cache;
  const wanted = keys?.map(toHash);
  const old = wanted && loads.withParts(wanted);
  const asked = begin(context, wanted, isMore === true);
  for (const part of listActive(cache, [...(old ?? [])])) remember(context, part);
  if (wanted === undefined) keep.passOver();
  const isOld = ({ queryHash }: Query) => old?.has(queryHash) ?? true;
  for (const { queryHash } of client.getQueryCache().findAll({ predicate: isOld }))
    cache.wanted.set(queryHash, toMaxAgeMs);
  await client.invalidateQueries({ refetchType: "none", predicate: isOld });
  if (signal?.aborted) return { asked: 0, failures: [], isCancelled: true };
  const calledOff = new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => void cancel(cache, asked).then(resolve), { once: true });
  });
  const failures: unknown[] = [];
  let done = 0;
  progress?.(asked.length, done);
  let held: Held | undefined;
  const ask = async ({ key, observer }: Watched) => {
    const result = await observer.refetch({ cancelRefetch: false });
    if (signal?.aborted) return;
    if (result.isError) failures.push(result.error);
    else held = joinHeld(held, findHeld(cache, key));
    done++;
    progress?.(asked.length, done);
  };
  // Called off, it does not wait for those that go on.
  await Promise.race([Promise.all(asked.map(ask)), calledOff]);
  return { asked: asked.length, failures, isCancelled: done < asked.length, ...(held && { held }) };
}

/** Whether the companion had an older answer than was wanted, and asks for no newer one yet. */
function findHeld({ loads, ports }: Cache, key: readonly unknown[]): Held | undefined {
  const { asOfMs, newerAtMs } = loads.find(key) ?? { asOfMs: 0, newerAtMs: 0 };
  return newerAtMs > 0 ? { count: 1, asOfMs: Math.min(asOfMs, ports.nowMs()), newerAtMs } : undefined;
}

export const joinHeld = (one: Held | undefined, other: Held | undefined): Held | undefined =>
  one && other
    ? {
        count: one.count + other.count,
        asOfMs: Math.min(one.asOfMs, other.asOfMs),
        newerAtMs: Math.max(one.newerAtMs, other.newerAtMs),
      }
    : (one ?? other);

/** Remembers what is answered now; a refresh that joins another one asks only what that has not asked. */
function begin(context: Context, wanted: readonly string[] | undefined, isMore: boolean): readonly Watched[] {
  const { cache } = context;
  const all = wanted === undefined ? listWanted(cache) : listActive(cache, wanted);
  const asked = isMore ? all.filter(({ key }) => !context.asked.has(toHash(key))) : all;
  if (!isMore && asked.length > 0) {
    context.asked = new Set();
    context.before = new Map();
  }
  for (const watched of asked) {
    context.asked.add(toHash(watched.key));
    remember(context, watched);
  }
  return asked;
}

/** Lists what somebody wants; what nobody does, such as yesterday's range, is let go: a cell that wants it yet asks anew. */
function listWanted({ active }: Cache): Watched[] {
  for (const watched of [...active.values()]) if (watched.subscribers.size === 0) watched.close();
  return [...active.values()];
}

/** Parts come with those that wait for them. */
function refuse({ active, budget }: Cache, { keys }: Pick<RefreshOptions, "keys">): Refreshed | null {
  const asked = (keys === undefined ? [...active.values()] : listActive({ active }, keys.map(toHash))).filter(isLive);
  const refusal = budget.refuse(asked.map(({ question }) => question));
  return refusal && { asked: 0, failures: [refusal], isCancelled: false };
}

const listActive = ({ active }: Pick<Cache, "active">, hashes: readonly string[]): Watched[] =>
  [...new Set(hashes)].flatMap((hash) => active.get(hash) ?? []);

/** A question without a whole answer goes on: called off, its cell would wait for ever, or keep a part of it. */
async function cancel({ client }: Cache, asked: readonly Watched[]): Promise<void> {
  const hashes = new Set(asked.filter(isSettled).map(({ key }) => toHash(key)));
  await client.cancelQueries({ predicate: (query: Query) => hashes.has(query.queryHash) }, { revert: true });
}

const isSettled = ({ state }: Watched): boolean =>
  state.status === "failed" || (state.status === "answered" && state.answer.isComplete);

/** With the wider question whose answer came with this one's: both go back together. */
function remember({ cache, before }: Context, { question }: Watched): void {
  const { within, keeping } = question;
  const questions: KeptQuestion[] = [
    question,
    ...(within === undefined ? [] : [{ key: within, ...(keeping && { keeping }) }]),
  ];
  for (const each of questions) {
    const hash = toHash(each.key);
    const answer = cache.client.getQueryData<Answer<unknown>>(each.key);
    if (answer?.isComplete && !before.has(hash)) before.set(hash, { question: each, answer });
  }
}

function undo({ cache: { client }, keep, before }: Context): void {
  const changed = [...before.values()].filter(({ question, answer }) => client.getQueryData(question.key) !== answer);
  for (const { question, answer } of changed) client.setQueryData(question.key, answer);
  for (const { question, answer } of changed) keep.keep(question, answer, true);
  before.clear();
}
