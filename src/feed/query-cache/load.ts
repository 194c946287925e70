import { type Cache, isPart } from "./cache";
import { QuerySources, toHash } from "./loads";
import type { PersistedAnswers } from "./persistence";
import type { Answer, Query } from "./types";

/** Answers a query: the first time by what is known already, here or from before, else by asking. */
export async function loadAnswer(
  cache: Cache,
  persistedAnswers: PersistedAnswers,
  query: Query<unknown>,
  signal: AbortSignal,
): Promise<Answer<unknown>> {
  const { client, loads, budget } = cache;
  const checking = cache.check();
  if (checking !== null) await checking;
  const isFirst = client.getQueryData(query.key) === undefined;
  const wider = query.within && client.getQueryState<Answer<unknown>>(query.within);
  const whole = wider?.data?.isComplete && !wider.isInvalidated ? wider.data : null;
  // Of what was kept from before, the query's own answer may be the newer one.
  if (isFirst && whole?.persisted === null) return whole;
  if (isFirst && query.persistence !== undefined) {
    const persisted = await persistedAnswers.find(query, signal).finally(budget.announce());
    if (persisted !== null) return persisted;
  }
  if (isFirst && whole !== null) return whole;
  const hash = toHash(query.key);
  const sources = new QuerySources(cache.wanted.get(hash)?.(query), !isFirst);
  loads.begin(query.key, sources);
  const grow = (part: unknown) => {
    const known = client.getQueryData<Answer<unknown>>(query.key);
    if (!signal.aborted && !known?.isComplete) client.setQueryData(query.key, toAnswer(cache, part, false, sources));
  };
  const by = { isPart: () => isPart(cache, query), signal };
  const value = await budget.run(query, by, (expect) => query.load({ signal, sources, grow, expect }));
  const answer = toAnswer(cache, value, true, sources);
  persistedAnswers.store(query, answer);
  cache.wanted.delete(hash);
  return answer;
}

/** What a load has come to, which is as old as the oldest part of it. */
export function toAnswer(
  { ports }: Cache,
  value: unknown,
  isComplete: boolean,
  { requests, asOfMs }: QuerySources,
): Answer<unknown> {
  return { value, isComplete, asOfMs: Math.min(ports.nowMs(), asOfMs), requests: [...requests], persisted: null };
}
