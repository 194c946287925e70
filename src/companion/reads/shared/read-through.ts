import { toCompanyKey } from "../../../client/batch/planner";
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
  type Outcome,
  type Reader,
  toAnswer,
  toFailed,
  toRefused,
} from "./result";
import { type SharedCache, toAbsentKey, toEmptyKey } from "./shared-cache";
import { createJoined, type Joined, NOBODY, type SingleFlight } from "./single-flight";

/** What one answer is read with. */
export interface WholeOptions {
  cache: SharedCache;
  singleFlight: SingleFlight<Outcome>;
  askAlone: AskAlone;
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
export function toWholePlace(cache: SharedCache, key: string): CachePlace {
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
export async function readWhole(
  options: WholeOptions,
  place: CachePlace,
  query: ProviderQuery,
  reader: Reader,
  limit: AgeLimit,
): Promise<AgedAnswer> {
  const { singleFlight, nowMs } = options;
  const { key } = place;
  const untilMs = nowMs() + LONGEST_WAIT_MS;
  let stale: Found | undefined;
  let asked = 0;
  const look = async (): Promise<Outcome | undefined> => {
    const found = await place.read();
    if (found !== undefined && isNewEnough(found, limit)) return found;
    stale = limit.allowsStale ? found : undefined;
    return findNothing(options.cache, key, reader, limit);
  };
  const ask = async (joined?: Joined): Promise<Outcome> => {
    asked = 1;
    const { outcome, content } = await askProvider(options, query, reader, Math.max(0, untilMs - nowMs()), joined);
    return store(options.cache, place, reader, outcome, content);
  };
  const load = async (): Promise<Outcome> => {
    const steps = { look: async () => [await look()], ask: (_: unknown, [joined]: readonly Joined[]) => [ask(joined)] };
    const [outcome] = await singleFlight.load([key], steps, reader.who);
    // What became of another's query, or was refused to others, is no answer to this one.
    return asked === 0 && !(isEverybodys(outcome!, reader) && isNewEnough(outcome!, limit)) ? ask() : outcome!;
  };
  const outcome = (await look()) ?? (await load());
  const isStale = outcome.is === "failed" && stale !== undefined && isOut(outcome);
  return { ...toAnswer(isStale ? stale! : outcome, nowMs()), asked: 1, known: 1 - asked };
}

/** Reads what the provider has at this moment, past the cache, which learns nothing of it. */
export async function readPast(options: WholeOptions, query: ProviderQuery, reader: Reader): Promise<AgedAnswer> {
  const { outcome } = await askProvider(options, query, reader, LONGEST_WAIT_MS);
  return { ...toAnswer(outcome, options.nowMs()), asked: 1, known: 0 };
}

/** Gives that there is nothing, for everybody or for whoever has these rights. */
async function findNothing(cache: SharedCache, key: string, { className }: Reader, limit: AgeLimit) {
  const [empty, absent] = await cache.read([toEmptyKey(key), toAbsentKey(key, className)]);
  const outcomes: (Outcome | undefined)[] = [
    empty && { is: "found", ...empty, isEmpty: true },
    absent && { is: "absent", className, ...absent },
  ];
  return outcomes.find((outcome) => outcome !== undefined && isNewEnough(outcome, limit));
}

interface Asked {
  outcome: Outcome;
  content: Content;
}

/** Counts what the reader has the provider asked for, and asks. */
async function askProvider(
  { askAlone, nowMs }: WholeOptions,
  query: ProviderQuery,
  reader: Reader,
  waitMs: number,
  joined?: Joined,
): Promise<Asked> {
  const refused = await reader.count(1).catch((error: Error) => toRefused(error, reader.who));
  if (refused !== undefined) return { outcome: refused, content: NO_CONTENT };
  const said = await askAlone(reader, query, joined, waitMs).catch((error: Error) => error);
  if (said instanceof QueueFull) return { outcome: toRefused(said, reader.who), content: NO_CONTENT };
  const outcome = toOutcome(said, reader.className, nowMs());
  const content = outcome.is === "found" ? readContent(query.path, outcome.body) : NO_CONTENT;
  await reader.charge(countPages(content.rows) - 1);
  return { outcome, content };
}

/** Caches what serves others too. */
async function store(cache: SharedCache, place: CachePlace, { className }: Reader, outcome: Outcome, content: Content) {
  const storeNothing = (key: string, { body = Buffer.alloc(0), atMs }: Absent | Found) =>
    cache.storeAbsent(new Map([[key, body]]), atMs);
  if (outcome.is === "absent") await storeNothing(toAbsentKey(place.key, className), outcome);
  if (outcome.is !== "found") return outcome;
  if (content.form !== "nothing") return place.store(outcome, content);
  await storeNothing(toEmptyKey(place.key), outcome);
  return place.store({ ...outcome, isEmpty: true }, content);
}

function toOutcome(said: ProviderAnswer | Error, className: string, atMs: number): Outcome {
  if (said instanceof Error || (said.status !== 200 && said.status !== 404)) return toFailed(said);
  const answer = { atMs, body: said.body, type: said.headers["content-type"] };
  return said.status === 200 ? { is: "found", ...answer } : { is: "absent", className, ...answer };
}

function isEverybodys(outcome: Outcome, { who, className }: Reader): boolean {
  // Whose turn did not come had waited for longer.
  if (outcome.is === "failed" && outcome.said instanceof NotYet) return false;
  if (outcome.is === "failed") return outcome.of === "everybody" || outcome.who === who;
  return outcome.is === "found" || outcome.className === className;
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
export const NO_CONTENT: Content = { form: "unsure", rows: 0, total: null };

/**
 * Reads what an answer holds: that of a company has the id asked for, all else is a list or a page of one.
 * @param path Of the request, with its query string.
 */
export function readContent(path: string, body: Buffer): Content {
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
  const [, asked] = OF_ONE.exec(path) ?? [];
  if (asked !== undefined) {
    return typeof companyId === "string" && toCompanyKey(encodeURIComponent(companyId)) === toCompanyKey(asked)
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
export type AskAlone = (
  reader: Reader,
  query: ProviderQuery,
  joined?: Joined,
  waitMs?: number,
) => Promise<ProviderAnswer>;

interface Flight {
  answer: Promise<ProviderAnswer>;
  add(who: string): void;
}

export function createAskAlone({ load }: ProviderClient): AskAlone {
  const fairQueue = createFairQueue();
  const flights = new Map<string, Flight>();
  return ({ who, className }, query, joined = NOBODY, waitMs) => {
    const { method, path, body = "" } = query;
    const key = JSON.stringify([className, method, path, body.toString()]);
    const flight = flights.get(key);
    flight?.add(who);
    if (flight !== undefined) joined.each(flight.add);
    if (flight !== undefined) return flight.answer;
    const all = createJoined();
    joined.each(all.add);
    const answer = fairQueue.run(who, () => load(query), all, waitMs).finally(() => flights.delete(key));
    flights.set(key, { answer, add: all.add });
    return answer;
  };
}
