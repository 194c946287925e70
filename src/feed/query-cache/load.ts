import type { QueryClient } from "@tanstack/query-core";
import type { Source } from "../../client/http/request-log";
import type { PersistedCache } from "../persisted-cache/types";
import { type Cache, isPart, open, reportProgress, subscribe } from "./cache";
import { QuerySources, toHash } from "./sources";
import type { Answer, Loading, Progress, Query, State } from "./types";

/** Answers a query: on its first load from the caches if possible, else by a request. */
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
  const whole = wider?.data !== undefined && !wider.isInvalidated ? wider.data : null;
  // A persisted answer of the wider query comes second: the query's own one may be newer.
  if (isFirst && whole?.persisted === null) return whole;
  if (isFirst && query.persistence !== undefined) {
    const persisted = await persistedAnswers.find(query, signal).finally(budget.announce());
    if (persisted !== null) return persisted;
  }
  if (isFirst && whole !== null) return whole;
  const hash = toHash(query.key);
  const sources = new QuerySources(cache.wanted.get(hash)?.(query), !isFirst);
  loads.begin(query.key, sources);
  const advance = (progress: Progress) => {
    if (!signal.aborted) reportProgress(cache, query, progress);
  };
  const by = { isPart: () => isPart(cache, query), signal };
  const value = await budget.run(query, by, (expect) => query.load({ signal, sources, advance, expect }));
  const answer = toAnswer(cache, value, sources);
  persistedAnswers.store(query, answer);
  cache.wanted.delete(hash);
  return answer;
}

/** Makes the answer of a load, which is as old as its oldest part. */
export function toAnswer({ ports }: Cache, value: unknown, { requests, asOfMs }: QuerySources): Answer<unknown> {
  return { value, asOfMs: Math.min(ports.nowMs(), asOfMs), requests: [...requests], persisted: null };
}

/** Waits for another query's answer; no persisted answer serves a refetch. */
export function waitFor(cache: Cache, query: Query<unknown>, { signal, sources, advance }: Loading): Promise<unknown> {
  return new Promise((resolve, reject) => {
    addPart(cache, toHash(query.key), sources);
    const observed = open(cache, query);
    let mustRefetch = sources.isRefetch;
    const cached = () => cache.client.getQueryState(query.key);
    const isBeingRenewed = () => cached()?.isInvalidated === true && cached()?.fetchStatus === "fetching";
    const refetch = () => void observed.observer.refetch({ cancelRefetch: false });
    if (observed.state.status === "failed" || cached()?.isInvalidated) refetch();
    const receive = (state: State<unknown>) => {
      if (state.status === "pending") {
        if (state.progress !== undefined) advance?.(state.progress);
        return;
      }
      if (state.status === "answered" && state.answer.persisted !== null && mustRefetch) {
        mustRefetch = false;
        return refetch();
      }
      if (state.status === "answered" && isBeingRenewed()) return;
      if (state.status === "failed") reject(state.error);
      else resolve(state.answer.value);
      const persisted = state.status === "answered" && state.answer.persisted !== null ? state.answer : undefined;
      for (const request of observed.requests()) sources.addRequest(request);
      sources.addAge(persisted ?? cache.loads.find(query.key) ?? {});
      stop();
    };
    const stop = subscribe(cache, observed, { listener: receive, isLive: false });
    const leave = () => {
      stop();
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    if (observed.state.status === "answered") receive(observed.state);
  });
}

/** Gives the parts of a refresh its maximum age. */
function addPart({ wanted }: Cache, hash: string, sources: QuerySources): void {
  const { maxAgeMs } = sources;
  sources.addPart(hash);
  if (maxAgeMs < Number.POSITIVE_INFINITY && !wanted.has(hash)) wanted.set(hash, () => maxAgeMs);
}

export interface PersistenceOptions {
  answers: PersistedCache;
  /** Called with each query that a persisted answer served. */
  foundPersisted: (query: Query<unknown>, asOfMs: number) => void;
  /** Gives the facts of requests by their numbers. */
  listSources: (requests: readonly number[]) => readonly Source[];
}

export type PersistedQuery = Pick<Query<unknown>, "key" | "within" | "persistence">;

export type PersistedAnswers = ReturnType<typeof createPersistedAnswers>;

/** Makes the link between the page's answers and the persisted ones. */
export function createPersistedAnswers(
  client: QueryClient,
  nowMs: () => number,
  { answers, foundPersisted, listSources }: PersistenceOptions,
) {
  let usedFromMs = Number.NEGATIVE_INFINITY;
  /** An answer of the future has an unknown age: its clock was ahead. */
  const isPassedOver = (asOfMs: number) => asOfMs < usedFromMs || (Number.isFinite(usedFromMs) && asOfMs > nowMs());
  return {
    /** Finds the persisted answer of a query; null where there is none. */
    async find(query: Query<unknown>, signal: AbortSignal): Promise<Answer<unknown> | null> {
      const { key, within, persistence } = query;
      const hashes = [key, ...(within === undefined ? [] : [within])].map(toHash);
      const found = await answers.load(hashes, persistence);
      if (found === null || (persistence?.isValid !== undefined && !(await persistence.isValid(found.value))))
        return null;
      if (signal.aborted || isPassedOver(found.asOfMs)) return null;
      const { value, asOfMs, sources } = found;
      const answer: Answer<unknown> = { value, asOfMs, requests: [], persisted: sources };
      const isOfWider = within !== undefined && found.hash === toHash(within);
      if (isOfWider && client.getQueryData(within) === undefined) client.setQueryData(within, answer);
      foundPersisted(query, asOfMs);
      return answer;
    },
    /** @param isOfBefore whether it replaces one that came later */
    store({ key, within, persistence }: PersistedQuery, answer: Answer<unknown>, isOfBefore = false): void {
      if (persistence === undefined) return;
      const { value, asOfMs, requests, persisted } = answer;
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
    /** Ignores answers older than now: a refresh of everything has begun. */
    ignoreOlder(): void {
      usedFromMs = nowMs();
    },
  };
}
