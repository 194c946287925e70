import { traceOf } from "../trace";
import { type Cache, isPart } from "./cache";
import type { Keep } from "./keep";
import type { Answer, Question } from "./types";

/** Answers a question: the first time by what is known already, here or from before, else by asking. */
export async function loadAnswer(
  cache: Cache,
  keep: Keep,
  question: Question<unknown>,
  signal: AbortSignal,
): Promise<Answer<unknown>> {
  const { client, ports, loads, budget } = cache;
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
  traceOf(signal).isAgain = !isFirst;
  const { requests } = loads.begin(question.key, signal);
  const toAnswer = (value: unknown, isComplete: boolean): Answer<unknown> => {
    return { value, isComplete, asOfMs: ports.nowMs(), requests: [...requests], kept: null };
  };
  const grow = (part: unknown) => {
    const known = client.getQueryData<Answer<unknown>>(question.key);
    if (!signal.aborted && !known?.isComplete) client.setQueryData(question.key, toAnswer(part, false));
  };
  const by = { isPart: () => isPart(cache, question), signal };
  const value = await budget.run(question, by, (expect) => question.load({ signal, grow, expect }));
  const answer = toAnswer(value, true);
  keep.keep(question, answer);
  return answer;
}
