import type { QueryClient } from "@tanstack/query-core";
import type { Answers } from "../persisted-cache/types";
import { toHash } from "./loads";
import type { Answer, Question, Source } from "./types";

/** What is kept beyond the page, and who hears of it. */
export interface KeepOptions {
  answers: Answers;
  /** Is told of questions that were answered by what was kept. */
  foundKept: (question: Question<unknown>, asOfMs: number) => void;
  /** What is known of requests by their numbers. */
  listSources: (requests: readonly number[]) => readonly Source[];
}

/** What tells where an answer is kept. */
export type KeptQuestion = Pick<Question<unknown>, "key" | "within" | "keeping">;

export interface Keep {
  /** The answer that was kept of a question; null where there is none. */
  find(question: Question<unknown>, signal: AbortSignal): Promise<Answer<unknown> | null>;
  /** @param isOfBefore whether it takes the place of one that came later */
  keep(question: KeptQuestion, answer: Answer<unknown>, isOfBefore?: boolean): void;
  /** From now on nothing of before answers: everything is being asked again. */
  passOver(): void;
}

/** Joins the answers of this page with those that are kept. */
export function createKeep(
  client: QueryClient,
  nowMs: () => number,
  { answers, foundKept, listSources }: KeepOptions,
): Keep {
  let usedFromMs = Number.NEGATIVE_INFINITY;
  /** Of what a clock that was ahead has dated, nobody knows when it came. */
  const isPassedOver = (asOfMs: number) => asOfMs < usedFromMs || (Number.isFinite(usedFromMs) && asOfMs > nowMs());
  return {
    async find(question, signal) {
      const { key, within, keeping } = question;
      const hashes = [key, ...(within === undefined ? [] : [within])].map(toHash);
      const found = await answers.load(hashes);
      if (found === null || (keeping?.isValid !== undefined && !(await keeping.isValid(found.value)))) return null;
      if (signal.aborted || isPassedOver(found.asOfMs)) return null;
      const { value, asOfMs, sources } = found;
      const answer: Answer<unknown> = { value, isComplete: true, asOfMs, requests: [], kept: sources };
      const isOfWider = within !== undefined && found.hash === toHash(within);
      if (isOfWider && client.getQueryData(within) === undefined) client.setQueryData(within, answer);
      foundKept(question, asOfMs);
      return answer;
    },
    keep({ key, within, keeping }, { value, asOfMs, requests, kept }, isOfBefore = false) {
      if (keeping === undefined) return;
      const wider = within && client.getQueryData<Answer<unknown>>(within);
      const isFoundThere = wider?.value === value && toHash(within ?? key) !== toHash(key);
      if (isFoundThere && !isOfBefore) return;
      const toKept = keeping.toKept ?? ((all: unknown) => all);
      answers.keep(toHash(key), { value: toKept(value), asOfMs, sources: kept ?? listSources(requests) }, isOfBefore);
    },
    passOver() {
      usedFromMs = nowMs();
    },
  };
}
