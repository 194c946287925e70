import type { QueryClient } from "@tanstack/query-core";
import type { Source } from "../../client/http/request-log";
import type { PersistedCache } from "../persisted-cache/types";
import { toHash } from "./loads";
import type { Answer, Query } from "./types";

/** What is kept beyond the page, and who hears of it. */
export interface PersistenceOptions {
  answers: PersistedCache;
  /** Is told of queries that were answered by what was kept. */
  foundPersisted: (query: Query<unknown>, asOfMs: number) => void;
  /** What is known of requests by their numbers. */
  listSources: (requests: readonly number[]) => readonly Source[];
}

/** What tells where an answer is kept. */
export type PersistedQuery = Pick<Query<unknown>, "key" | "within" | "persistence">;

export interface PersistedAnswers {
  /** The answer that was kept of a query; null where there is none. */
  find(query: Query<unknown>, signal: AbortSignal): Promise<Answer<unknown> | null>;
  /** @param isOfBefore whether it takes the place of one that came later */
  store(query: PersistedQuery, answer: Answer<unknown>, isOfBefore?: boolean): void;
  /** From now on nothing of before answers: everything is being asked again. */
  ignoreOlder(): void;
}

/** Joins the answers of this page with those that are kept. */
export function createPersistedAnswers(
  client: QueryClient,
  nowMs: () => number,
  { answers, foundPersisted, listSources }: PersistenceOptions,
): PersistedAnswers {
  let usedFromMs = Number.NEGATIVE_INFINITY;
  /** Of what a clock that was ahead has dated, nobody knows when it came. */
  const isPassedOver = (asOfMs: number) => asOfMs < usedFromMs || (Number.isFinite(usedFromMs) && asOfMs > nowMs());
  return {
    async find(query, signal) {
      const { key, within, persistence } = query;
      const hashes = [key, ...(within === undefined ? [] : [within])].map(toHash);
      const found = await answers.load(hashes);
      if (found === null || (persistence?.isValid !== undefined && !(await persistence.isValid(found.value))))
        return null;
      if (signal.aborted || isPassedOver(found.asOfMs)) return null;
      const { value, asOfMs, sources } = found;
      const answer: Answer<unknown> = { value, isComplete: true, asOfMs, requests: [], persisted: sources };
      const isOfWider = within !== undefined && found.hash === toHash(within);
      if (isOfWider && client.getQueryData(within) === undefined) client.setQueryData(within, answer);
      foundPersisted(query, asOfMs);
      return answer;
    },
    store({ key, within, persistence }, { value, asOfMs, requests, persisted }, isOfBefore = false) {
      if (persistence === undefined) return;
      const wider = within && client.getQueryData<Answer<unknown>>(within);
      const isFoundThere = wider?.value === value && toHash(within ?? key) !== toHash(key);
      if (isFoundThere && !isOfBefore) return;
      const toPersisted = persistence.toPersisted ?? ((all: unknown) => all);
      answers.store(
        toHash(key),
        { value: toPersisted(value), asOfMs, sources: persisted ?? listSources(requests) },
        isOfBefore,
      );
    },
    ignoreOlder() {
      usedFromMs = nowMs();
    },
  };
}
