import type { ProviderQuery } from "../../../companion/feature";
import { Refusal } from "../../../companion/refusal";
import { type AgeLimit, isNewEnough } from "./age-limit";
import { NotYet } from "./fair-queue";
import { loadAgain, loadUnsplit } from "./financials/again";
import {
  count,
  countAll,
  type FinancialsOptions,
  findCached,
  type Reading,
  startReading,
  toKey,
  toOwn,
} from "./financials/reading";
import { type AgedAnswer, type Failed, hasToWait, isOut, type LoadResult, type Reader, toAnswer } from "./result";
import type { Subscribers } from "./single-flight";
import { type FinancialsQuery, joinFinancials } from "./split";

/** How long cached companies wait for the others of their query: as long as a provider usually takes. */
const LONGEST_WITHHELD_MS = 1000;

/**
 * Reads financials of several companies. What is not cached is batched with other readers' companies, and retried
 * without them after a failure.
 * @param scope The provider and client, by {@link toScope}.
 * @param query The original query, for answers that cannot be split.
 * @param takesPartial Whether the cached companies are enough, at once; otherwise they wait a second for the others.
 * @throws Refusal as of ProviderClient, and of the reader's own count.
 */
export async function readFinancials(
  options: FinancialsOptions,
  scope: string,
  wanted: FinancialsQuery,
  query: ProviderQuery,
  reader: Reader,
  limit: AgeLimit,
  takesPartial = false,
): Promise<AgedAnswer> {
  const reading = startReading(options, scope, wanted, reader, limit);
  const missing = await takeCached(reading, reading.ids);
  const knowsSome = [...reading.results.values()].some(({ is }) => is === "found");
  if (missing.length === 0 || (takesPartial && knowsSome)) return answerKnown(reading);
  if (!knowsSome) return loadMissing(reading, missing, query);
  return raceKnown(reading, () => loadMissing(reading, missing, query));
}

/** Gives the cached companies alone. */
function answerKnown(reading: Reading): AgedAnswer {
  const { ids, results } = reading;
  const isPartial = results.size < ids.length;
  return { ...join(reading), requested: results.size, known: results.size, isPartial };
}

/** A slow company withholds no cached ones: after a second it is left out, and loaded for whoever requests it again. */
async function raceKnown(reading: Reading, load: () => Promise<AgedAnswer>): Promise<AgedAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const known = { ...reading, results: new Map(reading.results) };
  const late = new Promise<AgedAnswer>((resolve) => {
    timer = setTimeout(() => resolve(answerKnown(known)), LONGEST_WITHHELD_MS);
  });
  const whole = load();
  whole.catch(() => {}); // where it is late, its reader requests the others again
  return Promise.race([whole, late]).finally(() => clearTimeout(timer));
}

/**
 * Loads one company in a batch with other readers' companies.
 * @returns Its result, also a failure; and whether the reader's quota counts it.
 */
export async function loadInBatchOnly(
  options: FinancialsOptions,
  scope: string,
  wanted: FinancialsQuery,
  reader: Reader,
  limit: AgeLimit,
): Promise<{ result: LoadResult; isCounted: boolean }> {
  const reading = startReading(options, scope, wanted, reader, limit);
  const [id] = wanted.ids as [string];
  await loadInTime(reading, wanted.ids);
  return { result: reading.results.get(id)!, isCounted: reading.requested.has(id) };
}

async function loadMissing(reading: Reading, missing: readonly string[], query: ProviderQuery): Promise<AgedAnswer> {
  const isLate = await loadInTime(reading, missing);
  if (!isLate) await loadAgain(reading);
  const { ids, results, requested, nowMs } = reading;
  const odd = ids.map((id) => results.get(id)!).find(isOdd);
  const answer = odd === undefined ? join(reading) : toAnswer(await loadUnsplit(reading, odd, query), nowMs());
  return { ...answer, requested: ids.length, known: ids.length - requested.size };
}

const isOdd = (result: LoadResult): result is Failed => result.is === "failed" && result.of === "form";

/**
 * Repeats loads that another reader's limits ended, while there is time: a result too old for this reader, or a queue
 * wait that had begun earlier. One company that does not come in time ends it, since the whole answer is refused then.
 * @returns Whether one is late.
 */
async function loadInTime(reading: Reading, missing: readonly string[]): Promise<boolean> {
  const { requested, results, untilMs, limit, nowMs } = reading;
  const isOthers = (id: string) => {
    const result = results.get(id)!;
    if (requested.has(id)) return false;
    return !isNewEnough(result, limit) || (result.is === "failed" && result.said instanceof NotYet);
  };
  for (let left = missing; left.length > 0; ) {
    if (await loadTogether(reading, left)) return true;
    left = nowMs() < untilMs ? await takeCached(reading, left.filter(isOthers)) : [];
  }
  return false;
}

/** Takes what is cached, and gives the other companies. */
async function takeCached(reading: Reading, ids: readonly string[]): Promise<readonly string[]> {
  const cached = ids.length === 0 ? [] : await findCached(reading, ids);
  for (const [nth, id] of ids.entries()) if (cached[nth]) reading.results.set(id, cached[nth]);
  return ids.filter((_id, nth) => !cached[nth]);
}

/** @returns Whether one is late. */
async function loadTogether(reading: Reading, missing: readonly string[]): Promise<boolean> {
  const { singleFlight, results, reader, batcher, year } = reading;
  const refused = await queueLate(reading, missing);
  if (refused !== undefined) {
    for (const id of missing) results.set(id, refused);
    return true;
  }
  const late = createLate(results);
  const toKeys = (some: readonly string[]) => some.map((id) => toKey(reading, id));
  const idOf = new Map(missing.map((id) => [toKey(reading, id), id]));
  const toIds = (keys: readonly string[]) => keys.map((key) => idOf.get(key)!);
  const steps = {
    readCached: (keys: readonly string[]) => findCached(reading, toIds(keys)),
    load(keys: readonly string[], subscribers: readonly Subscribers[]) {
      const ids = toIds(keys);
      return loadInBatch(reading, ids, subscribers).map((loading, nth) => late.watch(ids[nth]!, loading));
    },
  };
  const whole = singleFlight.load(toKeys(missing), steps, reader.who);
  whole.catch(() => {}); // where one is late
  const first = await Promise.race([whole, late.result]);
  if ("is" in first) {
    for (const id of missing) if (!results.has(id)) results.set(id, first);
    return true;
  }
  for (const [nth, id] of missing.entries()) results.set(id, first[nth]!);
  batcher.forget(year, missing, reader.who);
  return false;
}

/** Queues companies that are foreseen to come too late, and gives their refusal. */
async function queueLate(reading: Reading, missing: readonly string[]): Promise<Failed | undefined> {
  const { batcher, reader, year, untilMs, limit, nowMs } = reading;
  const { who } = reader;
  const late = batcher.foresee(year, missing, who, Math.max(0, untilMs - nowMs()), limit.afterMs);
  if (late === undefined) return undefined;
  // Queued first, so that an equal query at the same time counts nothing again.
  const { fresh, full } = batcher.queueUp(year, missing, who, limit.afterMs);
  const refused = await countAll(reader, fresh);
  if (refused !== undefined) batcher.withdraw(year, fresh, who);
  return refused ?? full ?? late;
}

/** Gives the first result that is late, once there is one, and records what comes before it. */
function createLate(results: Map<string, LoadResult>) {
  let resolve: (failed: Failed) => void = () => {};
  const result = new Promise<Failed>((toResolve) => {
    resolve = toResolve;
  });
  const watch = async (id: string, loading: Promise<LoadResult>) => {
    const loaded = await loading;
    results.set(id, loaded);
    if (loaded.is === "failed" && loaded.said instanceof NotYet) resolve(loaded);
    return loaded;
  };
  return { result, watch };
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

/**
 * Joins the results. A company that failed or is under way is missing beside others, which the total shows; a repeated
 * read learns why. A refusal that passes with time fails the whole answer, so that all are retried together.
 */
function join({ ids, results, stale, limit, nowMs }: Reading): Omit<AgedAnswer, "requested" | "known"> {
  const all = ids.flatMap((id) => {
    const result = results.get(id) ?? [];
    const mayBeStale = limit.allowsStale && "is" in result && result.is === "failed" && isOut(result);
    return mayBeStale ? (stale.get(id) ?? result) : result;
  });
  const found = all.filter((result) => result.is === "found");
  const failed = all.filter((result) => result.is === "failed");
  const decisive = findLongestWait(failed) ?? (found.length === 0 ? failed[0] : undefined);
  if (decisive !== undefined) return toAnswer(decisive, nowMs());
  const elements = found.map(({ body }) => body);
  const atMs = Math.min(nowMs(), ...all.map((result) => (result.is === "failed" ? nowMs() : result.atMs)));
  const missing = failed.length + ids.length - all.length;
  return toAnswer({ is: "found", body: joinFinancials(elements, found.length + missing), atMs }, nowMs());
}

/** Gives the refusal that passes last: a retry then finds everything. */
function findLongestWait(failed: readonly Failed[]): Failed | undefined {
  const waitOf = ({ said }: Failed) => (said instanceof Refusal ? (said.retryAfterSeconds ?? 0) : 0);
  let longest: Failed | undefined;
  for (const each of failed) {
    if (hasToWait(each) && (longest === undefined || waitOf(each) > waitOf(longest))) longest = each;
  }
  return longest;
}
