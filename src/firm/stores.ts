import type { RateLimit, Stores } from "../companion/stores";

/**
 * The state of a firm: in this process alone, unless FEED_STORE names a server. There an instance that takes over finds
 * answers, one-time values and pairings.
 */
export interface FirmStores extends Stores {
  /** The provider's answers, for later readers (relay mode). */
  answers: AnswerCache;
  /** Lists, and answers with contact data: in this process's memory alone. */
  ownAnswers: AnswerCache;
  /** Values that are stored for a while and taken once: a code, a sign-in under way. */
  oneTimeValues: OneTimeValues;
  /** Creates a limit that instances count together while the server answers; as of `createLimit`. */
  createSharedLimit(name: string, most: number, windowMs: number): RateLimit;
}

/** A stored answer: bytes whose form only the writer knows. */
export interface CachedAnswer {
  body: Buffer;
  /** When the provider gave it, in milliseconds since 1970. */
  atMs: number;
}

export interface AnswerCache {
  /** Gives the entry of each key, in order. */
  read(keys: readonly string[]): Promise<readonly (CachedAnswer | undefined)[]>;
  store(entries: readonly CacheEntry[]): Promise<void>;
  /** Gives the size of the answers in this process's memory, in bytes. */
  bytes(): number;
}

export interface CacheEntry extends CachedAnswer {
  key: string;
  /** Lifetime in milliseconds. */
  lifetimeMs: number;
}

export interface OneTimeValues {
  /**
   * Stores a value.
   * @param key Its kind, a space, and its own name.
   * @throws Refusal (503) as `take` does, while the server does not answer: other instances could not take it.
   */
  put(key: string, value: object, lifetimeMs: number): Promise<void>;
  /** Removes and gives a value, to one caller only. */
  take(key: string): Promise<unknown>;
}
