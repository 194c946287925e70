import { toCompanyKey } from "../../../client/ids";
import type { ProviderAnswer } from "../../relay/answer";
import type { ProviderClient, ProviderQuery } from "../../relay/provider-client";
import { countPages } from "../quota";
import { type AgeLimit, isNewEnough } from "./age-limit";
import { createFairQueue, LONGEST_WAIT_MS, NotYet, QueueFull } from "./fair-queue";
import {
  type Absent,
  type AgedAnswer,
  type Found,
  isOut,
  type LoadResult,
  type Reader,
  toAnswer,
  toFailed,
  toRefused,
} from "./result";
import { type SharedCache, toAbsentKey, toEmptyKey } from "./shared-cache";
import { createSubscribers, NO_SUBSCRIBERS, type SingleFlight, type Subscribers } from "./single-flight";

/** What one answer is read with. */
export interface ReadThroughOptions {
  cache: SharedCache;
  singleFlight: SingleFlight<LoadResult>;
  loadQueued: LoadQueued;
  nowMs(): number;
}

/** Where one answer lies in the shared cache. */
export interface CachePlace {
  /** What its lease goes by, and that there is nothing. */
  key: string;
  /** Gives what is cached, be it fresh or not. */
  read(): Promise<Found | undefined>;
  /** Caches what the provider has just given, where it serves others too, and gives it as it serves from then on. */
  store(found: Found, content: Content): Promise<Found>;
}

/** @param key Of an answer that is one as it is: a company, the tree. */
export function toAnswerPlace(cache: SharedCache, key: string): CachePlace {
  return {
    key,
    async read() {
      const [text] = await cache.read([key]);
      return text && { is: "found", ...text };
    },
    async store(found, { form }) {
      if (form === "data") await cache.store(new Map([[key, found.body]]), found.atMs);
      return found;
    },
  };
}

/**
 * Reads what is one answer as it is: a company, a page of a list, the tree.
 * @throws Refusal as of ProviderClient, and of the reader's own count.
 */
export async function readThrough(
  options: ReadThroughOptions,
  place: CachePlace,
  query: ProviderQuery,
  reader: Reader,
  limit: AgeLimit,
): Promise<AgedAnswer> {
  const { singleFlight, nowMs } = options;
  const { key } = place;
  const untilMs = nowMs() + LONGEST_WAIT_MS;
  let stale: Found | undefined;
  let requested = 0;
  const look = async (): Promise<LoadResult | undefined> => {
    const found = await place.read();
    if (found !== undefined && isNewEnough(found, limit)) return found;
    stale = limit.allowsStale ? found : undefined;
    return findNothing(options.cache, key, reader, limit);
  };
  const loadOwn = async (subscribers?: Subscribers): Promise<LoadResult> => {
    requested = 1;
    const { result, content } = await loadFromProvider(
      options,
      query,
      reader,
      Math.max(0, untilMs - nowMs()),
      subscribers,
    );
    return store(options.cache, place, reader, result, content);
  };
  const load = async (): Promise<LoadResult> => {
    const steps = {
      readCached: async () => [await look()],
      load: (_: unknown, [subscribers]: readonly Subscribers[]) => [loadOwn(subscribers)],
    };
    const [result] = await singleFlight.load([key], steps, reader.who);
    // What became of another's query, or was refused to others, is no answer to this one.
    return requested === 0 && !(isEverybodys(result!, reader) && isNewEnough(result!, limit)) ? loadOwn() : result!;
  };
  const result = (await look()) ?? (await load());
  const isStale = result.is === "failed" && stale !== undefined && isOut(result);
  return { ...toAnswer(isStale ? stale! : result, nowMs()), requested: 1, known: 1 - requested };
}

/** Reads what the provider has at this moment, past the cache, which learns nothing of it. */
export async function readUncached(
  options: ReadThroughOptions,
  query: ProviderQuery,
  reader: Reader,
): Promise<AgedAnswer> {
  const { result } = await loadFromProvider(options, query, reader, LONGEST_WAIT_MS);
  return { ...toAnswer(result, options.nowMs()), requested: 1, known: 0 };
}

/** Gives that there is nothing, for everybody or for whoever has these rights. */
async function findNothing(cache: SharedCache, key: string, { className }: Reader, limit: AgeLimit) {
  const [empty, absent] = await cache.read([toEmptyKey(key), toAbsentKey(key, className)]);
  const results: (LoadResult | undefined)[] = [
    empty && { is: "found", ...empty, isEmpty: true },
    absent && { is: "absent", className, ...absent },
  ];
  return results.find((result) => result !== undefined && isNewEnough(result, limit));
}

interface Loaded {
  result: LoadResult;
  content: Content;
}

/** Counts what the reader has the provider asked for, and asks. */
async function loadFromProvider(
  { loadQueued, nowMs }: ReadThroughOptions,
  query: ProviderQuery,
  reader: Reader,
  waitMs: number,
  subscribers?: Subscribers,
): Promise<Loaded> {
  const refused = await reader.count(1).catch((error: Error) => toRefused(error, reader.who));
  if (refused !== undefined) return { result: refused, content: NO_CONTENT };
  const said = await loadQueued(reader, query, subscribers, waitMs).catch((error: Error) => error);
  if (said instanceof QueueFull) return { result: toRefused(said, reader.who), content: NO_CONTENT };
  const result = toResult(said, reader.className, nowMs());
  const content = result.is === "found" ? readContent(query.path, result.body) : NO_CONTENT;
  await reader.charge(countPages(content.rows) - 1);
  return { result, content };
}

/** Caches what serves others too. */
async function store(
  cache: SharedCache,
  place: CachePlace,
  { className }: Reader,
  result: LoadResult,
  content: Content,
) {
  const storeNothing = (key: string, { body = Buffer.alloc(0), atMs }: Absent | Found) =>
    cache.storeAbsent(new Map([[key, body]]), atMs);
  if (result.is === "absent") await storeNothing(toAbsentKey(place.key, className), result);
  if (result.is !== "found") return result;
  if (content.form !== "nothing") return place.store(result, content);
  await storeNothing(toEmptyKey(place.key), result);
  return place.store({ ...result, isEmpty: true }, content);
}

function toResult(said: ProviderAnswer | Error, className: string, atMs: number): LoadResult {
  if (said instanceof Error || (said.status !== 200 && said.status !== 404)) return toFailed(said);
  const answer = { atMs, body: said.body, type: said.headers["content-type"] };
  return said.status === 200 ? { is: "found", ...answer } : { is: "absent", className, ...answer };
}

function isEverybodys(result: LoadResult, { who, className }: Reader): boolean {
  // Whose turn did not come had waited for longer.
  if (result.is === "failed" && result.said instanceof NotYet) return false;
  if (result.is === "failed") return result.of === "everybody" || result.who === who;
  return result.is === "found" || result.className === className;
}

/** An answer that is larger is kept for nobody. */
const LARGEST_KEPT_BYTES = 4 * 1024 * 1024;
const OF_ONE = /\/companies\/([^/?]+)/;

/** What an answer is by its form: data, a list with nothing in it, or what is not surely either and serves nobody else. */
type Form = "data" | "nothing" | "unsure";

/** What an answer holds. */
export interface Content {
  form: Form;
  /** How many rows, of a list. */
  rows: number;
  /** How many it says that there are on all pages; null where it says none. */
  total: number | null;
}

/** Of what is no answer. */
const NO_CONTENT: Content = { form: "unsure", rows: 0, total: null };

/**
 * Reads what an answer holds: that of a company has the id asked for, all else is a list or a page of one.
 * @param path Of the request, with its query string.
 */
function readContent(path: string, body: Buffer): Content {
  const value = readJson(body);
  const { data, total } = Object(value) as Record<string, unknown>;
  const list = Array.isArray(value) ? value : data;
  const rows = Array.isArray(list) ? list.length : undefined;
  const form = body.length > LARGEST_KEPT_BYTES ? "unsure" : toForm(path, value, rows);
  return { form, rows: rows ?? 0, total: typeof total === "number" ? total : null };
}

function toForm(path: string, value: unknown, rows: number | undefined): Form {
  const { error, id, companyId = id } = Object(value) as Record<string, unknown>;
  if ((error ?? null) !== null) return "unsure";
  const [, requestedId] = OF_ONE.exec(path) ?? [];
  if (requestedId !== undefined) {
    return typeof companyId === "string" && toCompanyKey(encodeURIComponent(companyId)) === toCompanyKey(requestedId)
      ? "data"
      : "unsure";
  }
  if (rows === undefined) return "unsure";
  return rows > 0 ? "data" : "nothing";
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Asks the provider in a reader's turn; readers with the same rights who ask the same at one time are asked for once. */
export type LoadQueued = (
  reader: Reader,
  query: ProviderQuery,
  subscribers?: Subscribers,
  waitMs?: number,
) => Promise<ProviderAnswer>;

/** A query that is queued or under way. */
interface QueuedQuery {
  answer: Promise<ProviderAnswer>;
  add(who: string): void;
}

export function createQueuedLoad({ load }: ProviderClient): LoadQueued {
  const fairQueue = createFairQueue();
  const queued = new Map<string, QueuedQuery>();
  return ({ who, className }, query, subscribers = NO_SUBSCRIBERS, waitMs) => {
    const { method, path, body = "" } = query;
    const key = JSON.stringify([className, method, path, body.toString()]);
    const same = queued.get(key);
    if (same !== undefined) {
      same.add(who);
      subscribers.each(same.add);
      return same.answer;
    }
    const all = createSubscribers();
    subscribers.each(all.add);
    const answer = fairQueue.run(who, () => load(query), all, waitMs).finally(() => queued.delete(key));
    queued.set(key, { answer, add: all.add });
    return answer;
  };
}
