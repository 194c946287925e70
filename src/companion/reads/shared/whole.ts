import type { ProviderAnswer } from "../../relay/answer";
import type { ProviderQuery } from "../../relay/provider-client";
import { countPages } from "../row-limit";
import { type AgeLimit, isNewEnough } from "./age-limit";
import type { AskAlone } from "./alone";
import { LONGEST_WAIT_MS } from "./fair-queue";
import { type Content, NO_CONTENT, readContent } from "./form";
import type { Joined } from "./joined";
import { type Absent, type Found, isOut, type Outcome, toAnswer, toFailed, toRefused } from "./outcome";
import { NotYet, QueueFull } from "./queue-refusals";
import type { AgedAnswer, Reader } from "./reader";
import { type SharedCache, toAbsentKey, toEmptyKey } from "./shared-cache";
import type { SingleFlight } from "./single-flight";

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
