import type { Pending } from "./batcher/company-queue";
import { loadAgain, loadUnsplit } from "./financials/again";
import { type FinancialsOptions, type FinancialsRead, findCached, startRead, storeOwnAbsence } from "./financials/read";
import { NotYet } from "./queue-limits";
import type { Read } from "./read-through";
import { type AgedAnswer, type Failed, hasToWait, isOut, type LoadResult, toAnswer, toWaitSeconds } from "./result";
import { type FinancialsQuery, joinFinancials } from "./split";

/** How long cached companies wait for the others of their query: as long as a provider usually takes. */
const LONGEST_WITHHELD_MS = 1000;

/**
 * Reads financials of several companies. What is not cached is batched with other readers' companies, and retried
 * without them after a failure.
 * @param takesPartial Whether the cached companies are enough, at once; otherwise they wait a second for the others.
 * @throws Refusal as of ProviderClient, and of the reader's own quota.
 */
export async function readFinancials(
  options: FinancialsOptions,
  wanted: FinancialsQuery,
  read: Read,
  takesPartial = false,
): Promise<AgedAnswer> {
  const started = startRead(options, wanted, read);
  const missing = await takeCached(started, started.ids);
  const knowsSome = [...started.results.values()].some(({ is }) => is === "found");
  if (missing.length === 0 || (takesPartial && knowsSome)) return answerKnown(started);
  if (!knowsSome) return loadMissing(started, missing);
  return raceKnown(started, () => loadMissing(started, missing));
}

/** Gives the cached companies alone. */
function answerKnown(read: FinancialsRead): AgedAnswer {
  const { ids, results } = read;
  const isPartial = results.size < ids.length;
  return { ...join(read), requested: results.size, known: results.size, isPartial };
}

/** A slow company withholds no cached ones: after a second it is left out, and loaded for whoever requests it again. */
async function raceKnown(read: FinancialsRead, load: () => Promise<AgedAnswer>): Promise<AgedAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const known = { ...read, results: new Map(read.results) };
  const late = new Promise<AgedAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ ...answerKnown(known), requested: read.ids.length }), LONGEST_WITHHELD_MS);
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
  wanted: FinancialsQuery,
  read: Read,
): Promise<{ result: LoadResult; isCounted: boolean }> {
  const started = startRead(options, wanted, read);
  const [id] = wanted.ids as [string];
  const missing = await takeCached(started, wanted.ids);
  if (missing.length > 0) await loadTogether(started, missing);
  return { result: started.results.get(id)!, isCounted: started.requested.has(id) };
}

async function loadMissing(read: FinancialsRead, missing: readonly string[]): Promise<AgedAnswer> {
  const isLate = await loadTogether(read, missing);
  if (!isLate) await loadAgain(read);
  const { ids, results, requested, nowMs } = read;
  const odd = ids.map((id) => results.get(id)!).find(isOdd);
  const answer = odd === undefined ? join(read) : toAnswer(await loadUnsplit(read, odd), nowMs());
  return { ...answer, requested: ids.length, known: ids.length - requested.size };
}

const isOdd = (result: LoadResult): result is Failed => result.is === "failed" && result.of === "form";

/** Takes what is cached, and gives the other companies. */
async function takeCached(read: FinancialsRead, ids: readonly string[]): Promise<readonly string[]> {
  const cached = await findCached(read, ids);
  for (const [id, result] of cached) read.results.set(id, result);
  return ids.filter((id) => !cached.has(id));
}

/**
 * Loads companies in batches with other readers' companies. One that does not come in time ends it, since the whole
 * answer is refused then.
 * @returns Whether one is late.
 */
async function loadTogether(read: FinancialsRead, missing: readonly string[]): Promise<boolean> {
  const { results, requested, reader, batcher, year, limit, untilMs, nowMs } = read;
  const { who } = reader;
  const left: string[] = [];
  for (const id of missing) {
    const missed = batcher.findMissed(year, id, who, limit.afterMs);
    if (missed === undefined) left.push(id);
    else results.set(id, await storeOwnAbsence(read, id, missed));
  }
  const waitMs = Math.max(0, untilMs - nowMs());
  const late = batcher.foresee(year, left, who, waitMs);
  const { entries, fresh, refused } = batcher.queueUp(year, left, reader);
  for (const id of fresh) requested.add(id);
  const failure = refused ?? late ?? (await receiveAll(read, entries, waitMs));
  if (failure === undefined) batcher.forget(year, missing, who);
  else for (const id of left) if (!results.has(id)) results.set(id, failure);
  return failure !== undefined;
}

/** Records the result of each company, and gives the first refusal of one that is late. */
async function receiveAll(
  read: FinancialsRead,
  entries: readonly Pending[],
  waitMs: number,
): Promise<Failed | undefined> {
  const { results, reader, batcher, year } = read;
  return new Promise((resolve, reject) => {
    const receive = async (entry: Pending) => {
      const { companyId } = entry;
      const result = await storeOwnAbsence(read, companyId, await batcher.receive(year, entry, reader.who, waitMs));
      results.set(companyId, result);
      if (result.is === "failed" && result.said instanceof NotYet) resolve(result);
    };
    Promise.all(entries.map(receive)).then(() => resolve(undefined), reject);
  });
}

/**
 * Joins the results. A company that failed or is under way is missing beside others, which the total shows; a repeated
 * read learns why. A refusal that passes with time fails the whole answer, so that all are retried together.
 */
function join(read: FinancialsRead): Omit<AgedAnswer, "requested" | "known"> {
  const { ids, results, stale, limit, nowMs } = read;
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
  const answer = toAnswer({ is: "found", body: joinFinancials(elements, found.length + missing), atMs }, nowMs());
  return missing === 0 ? answer : { ...answer, retryAfterSeconds: toRetrySeconds(read, failed) };
}

/**
 * Foretells when all companies are there that have no result yet, or failed for now; absent where the missing ones
 * failed for good.
 */
function toRetrySeconds({ ids, results, batcher, year, reader }: FinancialsRead, failed: readonly Failed[]) {
  const left = ids.filter((id) => !results.has(id));
  const waits = failed.flatMap((each) => toWaitSeconds(each) ?? []);
  if (left.length > 0) waits.push(Math.ceil(batcher.toExpectedMs(year, left, reader.who) / 1000));
  return waits.length === 0 ? undefined : Math.max(1, ...waits);
}

/** Gives the refusal that passes last: a retry then finds everything. */
const findLongestWait = (failed: readonly Failed[]): Failed | undefined =>
  failed.filter(hasToWait).toSorted((one, other) => (toWaitSeconds(other) ?? 0) - (toWaitSeconds(one) ?? 0))[0];
