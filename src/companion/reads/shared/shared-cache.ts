import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import type { Family } from "../../../contract/constants";
import type { Provider } from "../../provider";
import type { AnswerCache, CachedAnswer } from "../../stores";
import type { Year } from "./split";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How answers of a family are kept. */
interface Freshness {
  /** How long an answer serves without the provider being asked. */
  freshMs: number;
  /** How long it stands in where the provider is out. */
  cachedMs: number;
  /** Whether it holds contact data of persons, and so stays in this process's memory. */
  isPersonal: boolean;
}

/**
 * The companion asks more often than a pane does by itself, so that nobody gets an answer there that is old for a pane:
 * rankings change through the day, statements when one is filed, classifications seldom.
 */
export const FRESHNESS: Readonly<Record<Family, Freshness>> = {
  financials: { freshMs: HOUR_MS, cachedMs: 7 * DAY_MS, isPersonal: false },
  companies: { freshMs: HOUR_MS, cachedMs: DAY_MS, isPersonal: true },
  taxonomies: { freshMs: DAY_MS, cachedMs: 30 * DAY_MS, isPersonal: false },
  rankings: { freshMs: 10 * MINUTE_MS, cachedMs: DAY_MS, isPersonal: false },
};

/** How long it is cached that the provider does not have something: it may be there a moment later. */
export const ABSENT_MS = 5_000;

const FAST = { level: constants.Z_BEST_SPEED };
/** Changes when what is kept is written in another way. */
const VERSION = 1;

const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
/** A small text is packed at once in a fifth of the time that a thread takes for it. */
const SMALL_BYTES = 32 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** What zlib gives lies in 16 KB of its own, however short it is: a copy is kept, which takes no more than it counts. */
const pack = async (body: Buffer): Promise<Buffer> =>
  Buffer.from(body.length < SMALL_BYTES ? deflateRawSync(body, FAST) : await deflate(body, FAST));
const unpack = async (body: Buffer): Promise<Buffer> =>
  body.length < SMALL_BYTES ? inflateRawSync(body) : inflate(body);

/** What the provider said, and when, in milliseconds since 1970. */
export interface CachedText {
  body: Buffer;
  atMs: number;
}

/**
 * What is kept of one family, packed.
 *
 * | an entry is  | for                               | serves                                        |
 * |--------------|-----------------------------------|-----------------------------------------------|
 * | fresh        | `freshMs` from the answer on      | everybody                                     |
 * | stale        | then, `cachedMs` in all           | where the provider is out                     |
 * | that nothing is there | five seconds             | everybody, or readers with the same rights    |
 */
export interface SharedCache {
  /** Gives what is kept under each key, in their order, be it fresh or not. */
  read(keys: readonly string[]): Promise<readonly (CachedText | undefined)[]>;
  store(texts: ReadonlyMap<string, Buffer>, atMs: number): Promise<void>;
  /** Keeps for a while that the provider has nothing there, or what it said of that. */
  storeAbsent(texts: ReadonlyMap<string, Buffer>, atMs: number): Promise<void>;
}

/** Creates what keeps one family's answers. */
export function createSharedCache(answers: AnswerCache, { cachedMs }: Freshness): SharedCache {
  const storeFor = async (texts: ReadonlyMap<string, Buffer>, atMs: number, lifetimeMs: number) => {
    const entries = [...texts].map(async ([key, body]) => ({ key, body: await pack(body), atMs, lifetimeMs }));
    await answers.store(await Promise.all(entries));
  };
  return {
    async read(keys) {
      const packed = await answers.read(keys);
      return Promise.all(packed.map((each) => each && readPacked(each)));
    },
    store: (texts, atMs) => storeFor(texts, atMs, cachedMs),
    storeAbsent: (texts, atMs) => storeFor(texts, atMs, ABSENT_MS),
  };
}

/** What cannot be read is as good as not there. */
async function readPacked(packed: CachedAnswer): Promise<CachedText | undefined> {
  try {
    return { atMs: packed.atMs, body: await unpack(packed.body) };
  } catch {
    return undefined;
  }
}

/** Tells providers and clients apart in keys, which show neither. */
export const toScope = ({ baseUrl, client }: Provider): string =>
  `${VERSION} ${hash(`${baseUrl()} ${client.clientId}`)}`;

/** The key of a company's element in an answer for several. */
export const toElementKey = (scope: string, year: Year, id: string): string => `${scope} element ${year} ${id}`;

/** The key of an answer that is one as it is. */
export function toAnswerKey(scope: string, path: string): string {
  const [place = "", query = ""] = path.split("?");
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return `${scope} answer ${toPathKey(place)}?${parameters}`;
}

/** UUIDs are the same in either case of their letters. */
export const toPathKey = (place: string): string => place.replaceAll(UUID, (id) => id.toLowerCase());

/** @param className Whose it is that there is nothing, by {@link Reader}. */
export const toAbsentKey = (key: string, className: string): string => `${key} absent ${hash(className)}`;

/** The key of a list that has nothing in it, for everybody. */
export const toEmptyKey = (key: string): string => `${key} empty`;

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 16);
