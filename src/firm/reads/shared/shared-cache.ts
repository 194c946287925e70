import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import type { Provider } from "../../../companion/provider";
import type { Family } from "../../../contract/constants";
import { traceStep } from "../../reporting/trace";
import type { AnswerCache, CachedAnswer } from "../../stores";
import type { Year } from "./split";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The freshness policy of a family. */
interface Freshness {
  /** How long an answer is fresh. */
  freshMs: number;
  /** How long a stale answer may stand in during an outage. */
  cachedMs: number;
  /** Whether answers hold contact data, and so stay in this process's memory. */
  isPersonal: boolean;
}

/**
 * Shorter than the pane's own policy (`session/freshness`), so that a pane gets no answer that it considers old.
 * Rankings change during the day, statements when one is filed, classifications seldom.
 */
export const FRESHNESS: Readonly<Record<Family, Freshness>> = {
  financials: { freshMs: HOUR_MS, cachedMs: 7 * DAY_MS, isPersonal: false },
  companies: { freshMs: HOUR_MS, cachedMs: DAY_MS, isPersonal: true },
  taxonomies: { freshMs: DAY_MS, cachedMs: 30 * DAY_MS, isPersonal: false },
  rankings: { freshMs: 10 * MINUTE_MS, cachedMs: DAY_MS, isPersonal: false },
};

/** How long an absence is cached: the record may exist a moment later. */
export const ABSENT_MS = 5_000;

const FAST = { level: constants.Z_BEST_SPEED };
/** Raised when the stored form changes. */
const VERSION = 1;

const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** Small texts are packed synchronously, in a fifth of a thread's time. */
const SMALL_BYTES = 32 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Packs a body. zlib's result lies in a 16 KB buffer, so a copy is stored, whose size is what it counts. */
const pack = async (body: Buffer): Promise<Buffer> =>
  Buffer.from(body.length < SMALL_BYTES ? deflateRawSync(body, FAST) : await deflate(body, FAST));
const unpack = async (body: Buffer): Promise<Buffer> =>
  body.length < SMALL_BYTES ? inflateRawSync(body) : inflate(body);

/** The provider's answer, and when it came, in milliseconds since 1970. */
export interface CachedText {
  body: Buffer;
  atMs: number;
}

/** By {@link createSharedCache}. */
export type SharedCache = ReturnType<typeof createSharedCache>;

/**
 * Creates the cache of one family's answers, packed.
 *
 * | entry        | for                               | serves                                        |
 * |--------------|-----------------------------------|-----------------------------------------------|
 * | fresh        | `freshMs` from the answer on      | everybody                                     |
 * | stale        | then, `cachedMs` in all           | during an outage                              |
 * | absence      | five seconds                      | everybody, or readers with equal rights       |
 */
export function createSharedCache(answers: AnswerCache, { cachedMs }: Freshness) {
  const storeFor = async (texts: ReadonlyMap<string, Buffer>, atMs: number, lifetimeMs: number) => {
    const entries = [...texts].map(async ([key, body]) => ({ key, body: await pack(body), atMs, lifetimeMs }));
    await answers.store(await Promise.all(entries));
  };
  return {
    /** Gives the entry of each key, in order, fresh or stale. */
    async read(keys: readonly string[]): Promise<readonly (CachedText | undefined)[]> {
      if (keys.length === 0) return [];
      return traceStep("cache", async (note) => {
        const packed = await answers.read(keys);
        const hits = packed.filter((each) => each !== undefined).length;
        note({ "feed.cache.hits": hits, "feed.cache.misses": keys.length - hits });
        return Promise.all(packed.map((each) => each && readPacked(each)));
      });
    },
    store: (texts: ReadonlyMap<string, Buffer>, atMs: number) => storeFor(texts, atMs, cachedMs),
    /** Stores an absence, perhaps with the provider's words. */
    storeAbsent: (texts: ReadonlyMap<string, Buffer>, atMs: number) => storeFor(texts, atMs, ABSENT_MS),
  };
}

/** Reads an entry; an unreadable one counts as absent. */
async function readPacked(packed: CachedAnswer): Promise<CachedText | undefined> {
  try {
    return { atMs: packed.atMs, body: await unpack(packed.body) };
  } catch {
    return undefined;
  }
}

/** Gives the part of keys that separates providers and clients; it shows neither. */
export const toScope = ({ baseUrl, client }: Provider): string =>
  `${VERSION} ${hash(`${baseUrl()} ${client.clientId}`)}`;

/** The key of a company's element in an answer for several. */
export const toElementKey = (scope: string, year: Year, id: string): string => `${scope} element ${year} ${id}`;

/** The key of an answer that is not split. */
export function toAnswerKey(scope: string, path: string): string {
  const [place = "", query = ""] = path.split("?");
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return `${scope} answer ${toPathKey(place)}?${parameters}`;
}

/** Lower-cases UUIDs, whose case does not matter. */
export const toPathKey = (place: string): string => place.replaceAll(UUID, (id) => id.toLowerCase());

/** The key of an absence for readers with these rights. */
export const toAbsentKey = (key: string, className: string): string => `${key} absent ${hash(className)}`;

/** The key of an empty list, for everybody. */
export const toEmptyKey = (key: string): string => `${key} empty`;

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 16);
