import type { Query } from "@tanstack/query-core";
import { type Cache, isLive, type Watched } from "./cache";
import type { Keep, KeptQuestion } from "./keep";
import { toHash } from "./loads";
import type { Answer, Refreshed, RefreshOptions } from "./types";

/** Asks again, and knows what was answered before. */
export interface Refresher {
  refresh(options?: RefreshOptions): Promise<Refreshed>;
  refuse(options?: Pick<RefreshOptions, "keys">): Refreshed | null;
  undo(): number;
  /** Forgets what was answered before. */
  forget(): void;
}

interface Context {
  cache: Cache;
  keep: Keep;
  /** Questions that the last refresh asked again, with their answers of before. */
  before: Map<string, { question: KeptQuestion; answer: Answer<unknown> }>;
}

export function createRefresher(cache: Cache, keep: Keep): Refresher {
  const context: Context = { cache, keep, before: new Map() };
  return {
    refresh: (options = {}) => refresh(context, options),
    refuse: (options = {}) => refuse(cache, options),
    undo: () => undo(context),
    forget: () => context.before.clear(),
  };
}

/** What is asked again is of before: unless its load succeeds, it must not answer later questions. */
async function refresh(context: Context, { keys, signal, isMore, progress }: RefreshOptions): Promise<Refreshed> {
  const { cache, keep } = context;
  const { client, active, loads, ports } = cache;
  const wanted = keys?.map(toHash);
  const old = wanted && loads.withParts(wanted);
  const asked = wanted === undefined ? [...active.values()] : listActive(cache, wanted);
  if (wanted === undefined) keep.passOver(ports.nowMs());
  if (!isMore) context.before = new Map();
  for (const watched of asked) remember(context, watched);
  await client.invalidateQueries({ refetchType: "none", predicate: (query) => old?.has(query.queryHash) ?? true });
  const callOff = () => void cancel(cache, asked);
  if (signal?.aborted) return { asked: 0, failures: [], isCancelled: true };
  signal?.addEventListener("abort", callOff, { once: true });
  let done = 0;
  progress?.(asked.length, done);
  const results = await Promise.all(
    asked.map(async ({ observer }) => {
      const result = await observer.refetch({ cancelRefetch: false });
      if (!signal?.aborted) done++;
      progress?.(asked.length, done);
      return result;
    }),
  );
  signal?.removeEventListener("abort", callOff);
  const failures = results.filter((result) => result.isError).map(({ error }) => error);
  return { asked: asked.length, failures, isCancelled: done < asked.length };
}

/** Parts come with those that wait for them. */
function refuse({ active, budget }: Cache, { keys }: Pick<RefreshOptions, "keys">): Refreshed | null {
  const asked = (keys === undefined ? [...active.values()] : listActive({ active }, keys.map(toHash))).filter(isLive);
  const refusal = budget.refuse(asked.map(({ question }) => question));
  return refusal && { asked: asked.length, failures: asked.map(() => refusal), isCancelled: false };
}

const listActive = ({ active }: Pick<Cache, "active">, hashes: readonly string[]): Watched[] =>
  [...new Set(hashes)].flatMap((hash) => active.get(hash) ?? []);

/** A question that has no answer yet goes on: called off, its cell would wait for ever. */
async function cancel({ client }: Cache, asked: readonly Watched[]): Promise<void> {
  const hashes = new Set(asked.filter(({ state }) => state.status !== "pending").map(({ key }) => toHash(key)));
  await client.cancelQueries({ predicate: (query: Query) => hashes.has(query.queryHash) }, { revert: true });
}

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

function undo({ cache, keep, before }: Context): number {
  const { client, active } = cache;
  const changed = [...before].filter(([, { question, answer }]) => client.getQueryData(question.key) !== answer);
  for (const [, { question, answer }] of changed) client.setQueryData(question.key, answer);
  for (const [, { question, answer }] of changed) keep.keep(question, answer, true);
  before.clear();
  return changed.filter(([hash]) => active.has(hash)).length;
}
