import { toCompanyKey } from "../../../client/ids";
import type { ProviderQuery } from "../../../companion/feature";
import { parseJson } from "../../../companion/json";
import type { ProviderAnswer } from "../../../companion/relay/answer";
import { countPages } from "../quota";
import { type AgeLimit, isNewEnough } from "./age-limit";
import type { QueryQueue, Send } from "./query-queue";
import { NotYet, QUEUE_WAIT_MS, QueueFull } from "./queue-limits";
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

/** One reader's query. */
export interface Read {
  query: ProviderQuery;
  reader: Reader;
  /** The cached answers that serve it. */
  limit: AgeLimit;
}

/** The parts that a read of one answer uses. */
export interface ReadThroughOptions {
  cache: SharedCache;
  queries: QueryQueue;
  nowMs(): number;
}

/** The place of one answer in the shared cache. */
export interface CachePlace {
  /** The key of its load and of its absence. */
  key: string;
  /** Gives the cached answer, fresh or stale. */
  read(): Promise<Found | undefined>;
  /** Stores a new answer where it serves others too, and gives it in its stored form. */
  store(found: Found, content: Content): Promise<Found>;
}

/** @param key The key of an answer that is not split: a company, the tree. */
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
 * Reads one answer that is not split: a company, a page of a list, the tree.
 * @throws Refusal as of ProviderClient, and of the reader's own quota.
 */
export async function readThrough(options: ReadThroughOptions, place: CachePlace, read: Read): Promise<AgedAnswer> {
  const { queries, nowMs } = options;
  const { reader, limit } = read;
  const { key } = place;
  const untilMs = nowMs() + QUEUE_WAIT_MS;
  let stale: Found | undefined;
  let requested = 0;
  const findCached = async (): Promise<LoadResult | undefined> => {
    const found = await place.read();
    if (found !== undefined && isNewEnough(found, limit)) return found;
    stale = limit.allowsStale ? found : undefined;
    return findNothing(options.cache, key, reader, limit);
  };
  const loadOwn = async (send: Send): Promise<LoadResult> => {
    requested = 1;
    const { result, content } = await loadFromProvider(read, nowMs, (own) => send(own, Math.max(0, untilMs - nowMs())));
    return store(options.cache, place, reader, result, content);
  };
  const load = async (): Promise<LoadResult> => {
    // Something may have been stored since the lookup.
    const result = await queries.join(key, reader.who, async (send) => (await findCached()) ?? loadOwn(send));
    if (requested === 1 || (isEverybodys(result, reader) && isNewEnough(result, limit))) return result;
    // Another reader's failure or refusal is not this reader's answer.
    return loadOwn((own, waitMs) => queries.send(reader, own, waitMs));
  };
  const result = (await findCached()) ?? (await load());
  const isStale = result.is === "failed" && stale !== undefined && isOut(result);
  return { ...toAnswer(isStale ? stale! : result, nowMs()), requested: 1, known: 1 - requested };
}

/** Reads past the cache, and does not store the answer. */
export async function readUncached({ queries, nowMs }: ReadThroughOptions, read: Read): Promise<AgedAnswer> {
  const { result } = await loadFromProvider(read, nowMs, (query) => queries.send(read.reader, query));
  return { ...toAnswer(result, nowMs()), requested: 1, known: 0 };
}

/** Gives a cached absence: an empty list for everybody, a 404 for equal rights. */
async function findNothing(cache: SharedCache, key: string, { className }: Reader, limit: AgeLimit) {
  const [empty, absent] = await cache.read([toEmptyKey(key), toAbsentKey(key, className)]);
  const results: (LoadResult | undefined)[] = [
    empty && { is: "found", ...empty, isEmpty: true },
    absent && { is: "absent", className, ...absent },
  ];
  return results.find((result) => result !== undefined && isNewEnough(result, limit));
}

/** Counts the load towards the reader's quota, and loads. */
async function loadFromProvider(
  { query, reader }: Read,
  nowMs: () => number,
  send: Send,
): Promise<{ result: LoadResult; content: Content }> {
  const refusal = reader.admit(1);
  if (refusal !== undefined) return { result: toRefused(refusal, reader.who), content: NO_CONTENT };
  const said = await send(query).catch((error: Error) => error);
  if (said instanceof QueueFull) return { result: toRefused(said, reader.who), content: NO_CONTENT };
  const result = toResult(said, reader.className, nowMs());
  const content = result.is === "found" ? readContent(query.path, result.body) : NO_CONTENT;
  reader.charge(countPages(content.rows) - 1);
  return { result, content };
}

/** Stores a result that serves others too. */
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
  // That reader had already waited longer.
  if (result.is === "failed" && result.said instanceof NotYet) return false;
  if (result.is === "failed") return result.of === "everybody" || result.who === who;
  return result.is === "found" || result.className === className;
}

/** Larger answers are not stored. */
const LARGEST_SHARED_BYTES = 4 * 1024 * 1024;
const OF_ONE = /\/companies\/([^/?]+)/;

/** An answer's form: data, an empty list, or neither for certain, which serves no other reader. */
type Form = "data" | "nothing" | "unsure";

/** The content of an answer. */
export interface Content {
  form: Form;
  /** Number of rows of a list. */
  rows: number;
  /** The total that it gives for all pages; null where it gives none. */
  total: number | null;
}

/** Stands for no answer. */
const NO_CONTENT: Content = { form: "unsure", rows: 0, total: null };

/**
 * Reads an answer's content: a company with the requested id, or a list or a page of one.
 * @param path Of the request, with its query string.
 */
function readContent(path: string, body: Buffer): Content {
  const value = parseJson(body.toString());
  const { data, total } = Object(value) as Record<string, unknown>;
  const list = Array.isArray(value) ? value : data;
  const rows = Array.isArray(list) ? list.length : undefined;
  const form = body.length > LARGEST_SHARED_BYTES ? "unsure" : toForm(path, value, rows);
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
