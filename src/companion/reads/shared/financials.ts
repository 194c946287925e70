import { toGroups } from "../../../client/batch/planner";
import type { ProviderQuery } from "../../relay/provider-client";
import { type AgeLimit, isNewEnough } from "./age-limit";
import type { Batcher } from "./batcher";
import type { Chunks, Trials } from "./chunks";
import { LONGEST_WAIT_MS, NotYet } from "./fair-queue";
import type { AskAlone } from "./read-through";
import {
  type AgedAnswer,
  type ChunkOutcome,
  type Failed,
  type Found,
  hasToWait,
  isOut,
  isTrouble,
  type Outcome,
  type Reader,
  toAnswer,
  toRefused,
} from "./result";
import { type SharedCache, toAbsentKey, toElementKey, toWholeKey } from "./shared-cache";
import type { Joined, SingleFlight } from "./single-flight";
import { isElementOf, joinFinancials, type Many, toOwnPath } from "./split";

/** What financials of several companies are read with. */
interface ManyOptions {
  cache: SharedCache;
  singleFlight: SingleFlight<Outcome>;
  batcher: Batcher;
  chunks: Chunks;
  trials: Trials;
  askAlone: AskAlone;
  nowMs(): number;
}

/** One reader's query, and how far it has come. */
interface Reading extends ManyOptions, Many {
  scope: string;
  limit: AgeLimit;
  reader: Reader;
  outcomes: Map<string, Outcome>;
  /** What is kept and not fresh. */
  stale: Map<string, Found>;
  /** Whom this reader had the provider asked for. */
  asked: Set<string>;
  /** Until when it waits for turns, those of other instances among them. */
  untilMs: number;
}

/**
 * Reads financials of several companies: what is not kept is gathered with what others want, and where that fails asked for
 * once more beside nobody else's.
 * @param scope Whose companies they are, by {@link toScope}.
 * @param query The same, as it came: for answers that cannot be taken apart.
 * @throws Refusal as of ProviderClient, and of the reader's own count.
 */
export async function readFinancials(
  options: ManyOptions,
  scope: string,
  many: Many,
  query: ProviderQuery,
  reader: Reader,
  limit: AgeLimit,
): Promise<AgedAnswer> {
  const untilMs = options.nowMs() + LONGEST_WAIT_MS;
  const progress = { outcomes: new Map(), stale: new Map(), asked: new Set<string>(), untilMs };
  const reading: Reading = { ...options, ...many, scope, reader, limit, ...progress };
  await loadInTime(reading);
  await loadAgain(reading);
  const { ids, outcomes, asked, nowMs } = reading;
  const odd = ids.map((id) => outcomes.get(id)!).find(isOdd);
  const answer = odd === undefined ? join(reading) : toAnswer(await askAsItCame(reading, odd, query), nowMs());
  return { ...answer, asked: ids.length, known: ids.length - asked.size };
}

const isOdd = (outcome: Outcome): outcome is Failed => outcome.is === "failed" && outcome.of === "form";

/**
 * Whose turn did not come for somebody who had waited for longer is asked for anew while there is time, and so is what
 * somebody else took from the cache that is too old for this reader.
 */
async function loadInTime(reading: Reading): Promise<void> {
  const { asked, outcomes, untilMs, limit, nowMs } = reading;
  const isOthers = (id: string) => {
    const outcome = outcomes.get(id)!;
    if (asked.has(id)) return false;
    return !isNewEnough(outcome, limit) || (outcome.is === "failed" && outcome.said instanceof NotYet);
  };
  for (let { ids } = reading; ids.length > 0; ids = nowMs() < untilMs ? ids.filter(isOthers) : []) {
    await loadTogether(reading, ids);
  }
}

async function loadTogether(reading: Reading, ids: readonly string[]): Promise<void> {
  const { singleFlight, outcomes } = reading;
  const toKeys = (some: readonly string[]) => some.map((id) => toKey(reading, id));
  const idOf = new Map(ids.map((id) => [toKey(reading, id), id]));
  const toIds = (keys: readonly string[]) => keys.map((key) => idOf.get(key)!);
  const cached = await look(reading, ids);
  for (const [nth, id] of ids.entries()) if (cached[nth]) outcomes.set(id, cached[nth]);
  const missing = ids.filter((_id, nth) => !cached[nth]);
  const steps = {
    look: (keys: readonly string[]) => look(reading, toIds(keys)),
    ask: (keys: readonly string[], joined: readonly Joined[]) => ask(reading, toIds(keys), joined),
  };
  const loaded = await singleFlight.load(toKeys(missing), steps, reading.reader.who);
  for (const [nth, id] of missing.entries()) outcomes.set(id, loaded[nth]!);
}

const toKey = ({ scope, year }: Reading, id: string): string => toElementKey(scope, year, id);
const toNoKey = (reading: Reading, id: string): string => toAbsentKey(toKey(reading, id), reading.reader.className);

/** Looks first for elements, and only for those that are not there for what may stand for them. */
async function look(reading: Reading, ids: readonly string[]): Promise<readonly (Outcome | undefined)[]> {
  const { cache, scope, year, reader, stale, limit } = reading;
  const elements = await cache.read(ids.map((id) => toKey(reading, id)));
  const found = new Map<string, Outcome>();
  const take = (id: string, text: Omit<Found, "is">) => {
    if (text.atMs > limit.afterMs) found.set(id, { is: "found", ...text });
    else if (text.atMs > (stale.get(id)?.atMs ?? 0)) stale.set(id, { is: "found", ...text });
  };
  for (const [nth, id] of ids.entries()) if (elements[nth]) take(id, elements[nth]);
  const open = ids.filter((id) => !found.has(id));
  const [others, absent] = await Promise.all([
    cache.read(open.map((id) => toWholeKey(scope, toOwnPath(year, id)))),
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

function ask(reading: Reading, ids: readonly string[], joined: readonly Joined[]): readonly Promise<Outcome>[] {
  const { batcher, reader, year, untilMs, limit, nowMs } = reading;
  const refused = count(reading, ids);
  const waitMs = Math.max(0, untilMs - nowMs());
  return ids.map(async (id, nth) => {
    const asked = (await refused) ?? (await batcher.ask(year, id, reader.who, joined[nth], waitMs, limit.afterMs));
    return toOwn(reading, id, asked);
  });
}

/** Counts whom the reader has not had asked for before, nor has waiting, and gives what refuses that. */
async function count({ reader, asked, batcher, year }: Reading, ids: readonly string[]): Promise<Failed | undefined> {
  const more = ids.filter((id) => !asked.has(id) && !batcher.isWaiting(year, id, reader.who));
  try {
    if (more.length > 0) await reader.count(more.length);
    for (const id of ids) asked.add(id);
    return undefined;
  } catch (error) {
    return toRefused(error as Error, reader.who);
  }
}

/** Keeps for the reader's like that there is nothing. */
async function toOwn(reading: Reading, id: string, outcome: ChunkOutcome): Promise<Outcome> {
  if (outcome.is !== "absent") return outcome;
  const { cache, reader } = reading;
  await cache.storeAbsent(new Map([[toNoKey(reading, id), Buffer.alloc(0)]]), outcome.atMs);
  return { ...outcome, className: reader.className };
}

/**
 * Asks for itself where others' companies, or what others were refused, may be why there is nothing. What is slow goes on
 * beside that, and what comes first counts.
 */
async function loadAgain(reading: Reading): Promise<void> {
  const { ids, outcomes, chunks } = reading;
  const again = ids.filter((id) => !isOwn(reading, outcomes.get(id)!));
  const refused = await count(reading, again);
  const alone = new Map<string, Promise<Outcome>>();
  for (const group of toGroups(again, chunks.largest())) {
    const loaded = refused === undefined ? loadAlone(reading, group) : Promise.resolve(refused);
    const pick = async (id: string) => {
      const all = await loaded;
      return "is" in all ? all : toOwn(reading, id, all.get(id)!);
    };
    for (const id of group) alone.set(id, pick(id));
  }
  const settle = async (id: string) => {
    const before = outcomes.get(id)!;
    const later = before.is === "failed" ? before.later?.then((outcome) => toOwn(reading, id, outcome)) : undefined;
    const asked = [later, alone.get(id)].filter((each) => each !== undefined);
    if (asked.length > 0) outcomes.set(id, await pickFirst(asked));
  };
  await Promise.all(ids.map(settle));
}

/** Gives what comes first, and a failure where nothing else is to come. */
function pickFirst(asked: readonly Promise<Outcome>[]): Promise<Outcome> {
  let left = asked.length;
  return new Promise((resolve, reject) => {
    const receive = (outcome: Outcome) => {
      left -= 1;
      if (outcome.is !== "failed" || left === 0) resolve(outcome);
    };
    for (const each of asked) each.then(receive, reject);
  });
}

async function loadAlone(reading: Reading, group: readonly string[]): ReturnType<Trials["run"]> {
  const { year, outcomes, chunks, trials, askAlone, reader } = reading;
  const load = async () => {
    const cached = await look(reading, group); // it may have come while others tried
    const come = group.flatMap((id, nth) => (cached[nth]?.is === "found" ? [[id, cached[nth]] as const] : []));
    const missing = group.filter((_id, nth) => cached[nth]?.is !== "found");
    const loaded = missing.length === 0 ? [] : await chunks.load(year, missing, (asked) => askAlone(reader, asked));
    return new Map<string, ChunkOutcome>([...come, ...loaded]);
  };
  const before = group.map((id) => outcomes.get(id)!);
  return before.some((outcome) => outcome.is === "failed" && isTrouble(outcome)) ? trials.run(load) : load();
}

function isOwn({ ids, reader }: Reading, outcome: Outcome): boolean {
  if (outcome.is === "found") return true;
  if (outcome.is === "absent") return outcome.className === reader.className;
  if (outcome.of === "reader") return outcome.who === reader.who;
  return outcome.of !== "question" || outcome.together.every((other) => ids.includes(other));
}

/** What cannot be taken apart is passed on as it is; where others' companies are in it, that is another answer. */
async function askAsItCame(reading: Reading, odd: Failed, query: ProviderQuery): Promise<Outcome> {
  const { ids, askAlone, reader } = reading;
  const isOwnAnswer = odd.together.length === ids.length && odd.together.every((id) => ids.includes(id));
  if (isOwnAnswer) return odd;
  const refused = await count(reading, ids);
  return refused ?? { ...odd, said: await askAlone(reader, query) };
}

/**
 * What failed shows as missing in an answer that has others: its total says so, and whoever asks again learns why. What only
 * has to wait is no reason to ask for it alone: all are asked for again when that is over.
 */
function join({ ids, outcomes, stale, limit, nowMs }: Reading): Omit<AgedAnswer, "asked" | "known"> {
  const all = ids.map((id) => {
    const outcome = outcomes.get(id)!;
    return limit.allowsStale && outcome.is === "failed" && isOut(outcome) ? (stale.get(id) ?? outcome) : outcome;
  });
  const found = all.filter((outcome) => outcome.is === "found");
  const failed = all.filter((outcome) => outcome.is === "failed");
  const toldFirst = failed.find(hasToWait) ?? (found.length === 0 ? failed[0] : undefined);
  if (toldFirst !== undefined) return toAnswer(toldFirst, nowMs());
  const elements = found.map(({ body }) => body);
  const atMs = Math.min(nowMs(), ...all.map((outcome) => (outcome.is === "failed" ? nowMs() : outcome.atMs)));
  return toAnswer({ is: "found", body: joinFinancials(elements, found.length + failed.length), atMs }, nowMs());
}
