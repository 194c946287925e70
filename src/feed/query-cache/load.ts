import { traceOf } from "../../client/trace";
import { type Cache, isPart } from "./cache";
import { toHash } from "./loads";
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
  const trace = traceOf(signal);
  const hash = toHash(query.key);
  trace.isAgain = !isFirst;
  trace.maxAgeMs = cache.wanted.get(hash)?.(query) ?? trace.maxAgeMs;
  loads.begin(query.key, signal);
  const grow = (part: unknown) => {
    const known = client.getQueryData<Answer<unknown>>(query.key);
    if (!signal.aborted && !known?.isComplete) client.setQueryData(query.key, toAnswer(cache, part, false, signal));
  };
  const by = { isPart: () => isPart(cache, query), signal };
  const value = await budget.run(query, by, (expect) => query.load({ signal, grow, expect }));
  const answer = toAnswer(cache, value, true, signal);
  persistedAnswers.store(query, answer);
  cache.wanted.delete(hash);
  return answer;
}

/** What a load has come to, which is as old as the oldest part of it. */
export function toAnswer({ ports }: Cache, value: unknown, isComplete: boolean, signal: AbortSignal): Answer<unknown> {
  const { requests, asOfMs } = traceOf(signal);
  return { value, isComplete, asOfMs: Math.min(ports.nowMs(), asOfMs), requests: [...requests], persisted: null };
}
