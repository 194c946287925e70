import { traceOf } from "../trace";
import { type Cache, isPart } from "./cache";
import { toHash } from "./loads";
import type { Keep } from "./persistence";
import type { Answer, Question } from "./types";

/** Answers a question: the first time by what is known already, here or from before, else by asking. */
export async function loadAnswer(
  cache: Cache,
  keep: Keep,
  question: Question<unknown>,
  signal: AbortSignal,
): Promise<Answer<unknown>> {
  const { client, loads, budget } = cache;
  const checking = cache.check();
  if (checking !== null) await checking;
  const isFirst = client.getQueryData(question.key) === undefined;
  const wider = question.within && client.getQueryState<Answer<unknown>>(question.within);
  const whole = wider?.data?.isComplete && !wider.isInvalidated ? wider.data : null;
  // Of what was kept from before, the question's own answer may be the newer one.
  if (isFirst && whole?.kept === null) return whole;
  if (isFirst && question.keeping !== undefined) {
    const kept = await keep.find(question, signal).finally(budget.announce());
    if (kept !== null) return kept;
  }
  if (isFirst && whole !== null) return whole;
  const trace = traceOf(signal);
  const hash = toHash(question.key);
  trace.isAgain = !isFirst;
  trace.maxAgeMs = cache.wanted.get(hash)?.(question) ?? trace.maxAgeMs;
  loads.begin(question.key, signal);
  const grow = (part: unknown) => {
    const known = client.getQueryData<Answer<unknown>>(question.key);
    if (!signal.aborted && !known?.isComplete) client.setQueryData(question.key, toAnswer(cache, part, false, signal));
  };
  const by = { isPart: () => isPart(cache, question), signal };
  const value = await budget.run(question, by, (expect) => question.load({ signal, grow, expect }));
  const answer = toAnswer(cache, value, true, signal);
  keep.keep(question, answer);
  cache.wanted.delete(hash);
  return answer;
}

/** What a load has come to, which is as old as the oldest part of it. */
export function toAnswer({ ports }: Cache, value: unknown, isComplete: boolean, signal: AbortSignal): Answer<unknown> {
  const { requests, asOfMs } = traceOf(signal);
  return { value, isComplete, asOfMs: Math.min(ports.nowMs(), asOfMs), requests: [...requests], kept: null };
}
