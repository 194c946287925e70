import { toGroups } from "../../../client/batch/planner";
import type { ProviderQuery } from "../../relay/provider-client";
import { type AgeLimit, isNewEnough } from "./age-limit";
import type { Batcher } from "./batcher";
import type { Chunks, Probes } from "./chunks";
import { LONGEST_WAIT_MS, NotYet } from "./fair-queue";
import type { LoadQueued } from "./read-through";
import {
  type AgedAnswer,
  type CompanyResult,
  type Failed,
  type Found,
  hasToWait,
  isOut,
  isTrouble,
  type LoadResult,
  type Reader,
  toAnswer,
  toRefused,
} from "./result";
import { type SharedCache, toAbsentKey, toAnswerKey, toElementKey } from "./shared-cache";
import type { SingleFlight, Subscribers } from "./single-flight";
import { type FinancialsQuery, isElementOf, joinFinancials, toOwnPath } from "./split";

/** The parts that reads of several companies' financials use. */
interface FinancialsOptions {
  cache: SharedCache;
  singleFlight: SingleFlight<LoadResult>;
  batcher: Batcher;
  chunks: Chunks;
  probes: Probes;
  loadQueued: LoadQueued;
  nowMs(): number;
}

/** One reader's query and its progress. */
interface Reading extends FinancialsOptions, FinancialsQuery {
  scope: string;
  limit: AgeLimit;
  reader: Reader;
  results: Map<string, LoadResult>;
  /** Cached elements that are not fresh. */
  stale: Map<string, Found>;
  /** Companies that this reader requested from the provider. */
  requested: Set<string>;
  /** When waiting ends, for queues and for other instances' leases. */
  untilMs: number;
}

/**
 * Reads financials of several companies. What is not cached is batched with other readers' companies, and retried
 * without them after a failure.
 * @param scope The provider and client, by {@link toScope}.
 * @param query The original query, for answers that cannot be split.
 * @throws Refusal as of ProviderClient, and of the reader's own count.
 */
export async function readFinancials(
  options: FinancialsOptions,
  scope: string,
  wanted: FinancialsQuery,
  query: ProviderQuery,
  reader: Reader,
  limit: AgeLimit,
): Promise<AgedAnswer> {
  const untilMs = options.nowMs() + LONGEST_WAIT_MS;
  const progress = { results: new Map(), stale: new Map(), requested: new Set<string>(), untilMs };
  const reading: Reading = { ...options, ...wanted, scope, reader, limit, ...progress };
  await loadInTime(reading);
  await loadAgain(reading);
  const { ids, results, requested, nowMs } = reading;
  const odd = ids.map((id) => results.get(id)!).find(isOdd);
  const answer = odd === undefined ? join(reading) : toAnswer(await loadUnsplit(reading, odd, query), nowMs());
  return { ...answer, requested: ids.length, known: ids.length - requested.size };
}

const isOdd = (result: LoadResult): result is Failed => result.is === "failed" && result.of === "form";

/**
 * Repeats loads that another reader's limits ended, while there is time: a result too old for this reader, or a queue
 * wait that had begun earlier.
 */
async function loadInTime(reading: Reading): Promise<void> {
  const { requested, results, untilMs, limit, nowMs } = reading;
  const isOthers = (id: string) => {
    const result = results.get(id)!;
    if (requested.has(id)) return false;
    return !isNewEnough(result, limit) || (result.is === "failed" && result.said instanceof NotYet);
  };
  for (let { ids } = reading; ids.length > 0; ids = nowMs() < untilMs ? ids.filter(isOthers) : []) {
    await loadTogether(reading, ids);
  }
}

async function loadTogether(reading: Reading, ids: readonly string[]): Promise<void> {
  const { singleFlight, results } = reading;
  const toKeys = (some: readonly string[]) => some.map((id) => toKey(reading, id));
  const idOf = new Map(ids.map((id) => [toKey(reading, id), id]));
  const toIds = (keys: readonly string[]) => keys.map((key) => idOf.get(key)!);
  const cached = await findCached(reading, ids);
  for (const [nth, id] of ids.entries()) if (cached[nth]) results.set(id, cached[nth]);
  const missing = ids.filter((_id, nth) => !cached[nth]);
  const steps = {
    readCached: (keys: readonly string[]) => findCached(reading, toIds(keys)),
    load: (keys: readonly string[], subscribers: readonly Subscribers[]) =>
      loadInBatch(reading, toIds(keys), subscribers),
  };
  const loaded = await singleFlight.load(toKeys(missing), steps, reading.reader.who);
  for (const [nth, id] of missing.entries()) results.set(id, loaded[nth]!);
}

const toKey = ({ scope, year }: Reading, id: string): string => toElementKey(scope, year, id);
const toNoKey = (reading: Reading, id: string): string => toAbsentKey(toKey(reading, id), reading.reader.className);

/** Looks up elements first, then own answers and absences for those that are missing. */
async function findCached(reading: Reading, ids: readonly string[]): Promise<readonly (LoadResult | undefined)[]> {
  const { cache, scope, year, reader, stale, limit } = reading;
  const elements = await cache.read(ids.map((id) => toKey(reading, id)));
  const found = new Map<string, LoadResult>();
  const take = (id: string, text: Omit<Found, "is">) => {
    if (text.atMs > limit.afterMs) found.set(id, { is: "found", ...text });
    else if (text.atMs > (stale.get(id)?.atMs ?? 0)) stale.set(id, { is: "found", ...text });
  };
  for (const [nth, id] of ids.entries()) if (elements[nth]) take(id, elements[nth]);
  const open = ids.filter((id) => !found.has(id));
  const [others, absent] = await Promise.all([
    cache.read(open.map((id) => toAnswerKey(scope, toOwnPath(year, id)))),
    cache.read(open.map((id) => toNoKey(reading, id))),
  ]);
  for (const [nth, id] of open.entries()) {
    const own = others[nth];
    if (own !== undefined && isElementOf(id, own.body)) take(id, own);
    else if (absent[nth] && absent[nth].atMs >= limit.absentFromMs)
      found.set(id, { is: "absent", atMs: absent[nth].atMs, className: reader.className });
  }
  return ids.map((id) => found.get(id));
}

function loadInBatch(
  reading: Reading,
  ids: readonly string[],
  subscribers: readonly Subscribers[],
): readonly Promise<LoadResult>[] {
  const { batcher, reader, year, untilMs, limit, nowMs } = reading;
  const refused = count(reading, ids);
  const waitMs = Math.max(0, untilMs - nowMs());
  return ids.map(async (id, nth) => {
    const result =
      (await refused) ?? (await batcher.request(year, id, reader.who, subscribers[nth], waitMs, limit.afterMs));
    return toOwn(reading, id, result);
  });
}

/** Counts companies that this reader has neither requested nor queued; gives the refusal, if any. */
async function count(
  { reader, requested, batcher, year }: Reading,
  ids: readonly string[],
): Promise<Failed | undefined> {
  const more = ids.filter((id) => !requested.has(id) && !batcher.isWaiting(year, id, reader.who));
  try {
    if (more.length > 0) await reader.count(more.length);
    for (const id of ids) requested.add(id);
    return undefined;
  } catch (error) {
    return toRefused(error as Error, reader.who);
  }
}

/** Stores an absence for readers with equal rights. */
async function toOwn(reading: Reading, id: string, result: CompanyResult): Promise<LoadResult> {
  if (result.is !== "absent") return result;
  const { cache, reader } = reading;
  await cache.storeAbsent(new Map([[toNoKey(reading, id), Buffer.alloc(0)]]), result.atMs);
  return { ...result, className: reader.className };
}

/**
 * Retries without other readers' companies, or after a refusal of others, where these may be why a company is missing.
 * A slow load goes on beside the retry; the first result counts.
 */
async function loadAgain(reading: Reading): Promise<void> {
  const { ids, results, chunks } = reading;
  const again = ids.filter((id) => !isOwn(reading, results.get(id)!));
  const refused = await count(reading, again);
  const alone = new Map<string, Promise<LoadResult>>();
  for (const group of toGroups(again, chunks.largest())) {
    const loaded = refused === undefined ? loadAlone(reading, group) : Promise.resolve(refused);
    const pick = async (id: string) => {
      const all = await loaded;
      return "is" in all ? all : toOwn(reading, id, all.get(id)!);
    };
    for (const id of group) alone.set(id, pick(id));
  }
  const settle = async (id: string) => {
    const before = results.get(id)!;
    const later = before.is === "failed" ? before.later?.then((result) => toOwn(reading, id, result)) : undefined;
    const pending = [later, alone.get(id)].filter((each) => each !== undefined);
    if (pending.length > 0) results.set(id, await pickFirst(pending));
  };
  await Promise.all(ids.map(settle));
}

/** Gives the first result that is no failure, or the last failure. */
function pickFirst(pending: readonly Promise<LoadResult>[]): Promise<LoadResult> {
  let left = pending.length;
  return new Promise((resolve, reject) => {
    const receive = (result: LoadResult) => {
      left -= 1;
      if (result.is !== "failed" || left === 0) resolve(result);
    };
    for (const each of pending) each.then(receive, reject);
  });
}

async function loadAlone(reading: Reading, group: readonly string[]): ReturnType<Probes["run"]> {
  const { year, results, chunks, probes, loadQueued, reader } = reading;
  const load = async () => {
    const cached = await findCached(reading, group); // another reader may have loaded it meanwhile
    const come = group.flatMap((id, nth) => (cached[nth]?.is === "found" ? [[id, cached[nth]] as const] : []));
    const missing = group.filter((_id, nth) => cached[nth]?.is !== "found");
    const loaded =
      missing.length === 0 ? [] : await chunks.load(year, missing, (chunkQuery) => loadQueued(reader, chunkQuery));
    return new Map<string, CompanyResult>([...come, ...loaded]);
  };
  const before = group.map((id) => results.get(id)!);
  return before.some((result) => result.is === "failed" && isTrouble(result)) ? probes.run(load) : load();
}

function isOwn({ ids, reader }: Reading, result: LoadResult): boolean {
  if (result.is === "found") return true;
  if (result.is === "absent") return result.className === reader.className;
  if (result.of === "reader") return result.who === reader.who;
  return result.of !== "question" || result.together.every((other) => ids.includes(other));
}

/**
 * Passes an answer that cannot be split on as it is; where it holds other readers' companies, loads the original query.
 */
async function loadUnsplit(reading: Reading, odd: Failed, query: ProviderQuery): Promise<LoadResult> {
  const { ids, loadQueued, reader } = reading;
  const isOwnAnswer = odd.together.length === ids.length && odd.together.every((id) => ids.includes(id));
  if (isOwnAnswer) return odd;
  const refused = await count(reading, ids);
  return refused ?? { ...odd, said: await loadQueued(reader, query) };
}

/**
 * Joins the results. A failed company is missing beside others, which the total shows; a repeated read learns why. A
 * refusal that passes with time fails the whole answer, so that all are retried together.
 */
function join({ ids, results, stale, limit, nowMs }: Reading): Omit<AgedAnswer, "requested" | "known"> {
  const all = ids.map((id) => {
    const result = results.get(id)!;
    return limit.allowsStale && result.is === "failed" && isOut(result) ? (stale.get(id) ?? result) : result;
  });
  const found = all.filter((result) => result.is === "found");
  const failed = all.filter((result) => result.is === "failed");
  const decisive = failed.find(hasToWait) ?? (found.length === 0 ? failed[0] : undefined);
  if (decisive !== undefined) return toAnswer(decisive, nowMs());
  const elements = found.map(({ body }) => body);
  const atMs = Math.min(nowMs(), ...all.map((result) => (result.is === "failed" ? nowMs() : result.atMs)));
  return toAnswer({ is: "found", body: joinFinancials(elements, found.length + failed.length), atMs }, nowMs());
}
