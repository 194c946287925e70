import type { Pairings } from "./api/pairing";

/**
 * All that instances of a companion have in common. Each part is of this process alone, unless FEED_STORE names a server:
 * then several instances share it, and each goes on by what it knows itself while that server does not answer; only nobody
 * new comes in then.
 */
export interface Stores {
  /** Who may use the companion API. */
  pairings: Pairings;
  /** What the provider answered, for whoever asks next (relay mode). */
  answers: AnswerCache;
  /** Who loads what, so that each answer is asked for once. */
  leases: Leases;
  /** What is put down for a while and taken up once: a code, a sign-in under way. */
  oneTimeValues: OneTimeValues;
  /** What one instance tells all. */
  pubSub: PubSub;
  /**
   * Creates a count of what somebody may do in a time.
   * @param name Tells counts apart, in all instances.
   * @param windowMs Whole seconds.
   */
  createLimit(name: string, most: number, windowMs: number): RateLimit;
  standing(): Standing;
  close(): Promise<void>;
}

/** "alone" without a server, "joining" until one has answered for the first time, "shared" with it, "apart" while it does not answer. */
export type Standing = "alone" | "joining" | "shared" | "apart";

/** An answer as it is kept: bytes, which only who put them there reads. */
export interface CachedAnswer {
  body: Buffer;
  /** When the provider gave it, in milliseconds since 1970. */
  atMs: number;
}

export interface AnswerCache {
  /** Gives what is kept under each key, in their order. */
  read(keys: readonly string[]): Promise<readonly (CachedAnswer | undefined)[]>;
  store(entries: readonly CacheEntry[]): Promise<void>;
}

export interface CacheEntry extends CachedAnswer {
  key: string;
  /** Milliseconds after which nothing is kept of it. */
  lifetimeMs: number;
}

export interface Leases {
  /** Claims keys for this instance, and gives those that nobody else holds; some seconds after an instance is gone, so are its claims. */
  acquire(keys: readonly string[]): Promise<readonly string[]>;
  /** Ends claims of this instance, and wakes whoever waits for them. */
  release(keys: readonly string[]): Promise<void>;
  /** Waits until another instance drops one of these keys, for half a second at most: it may be gone. */
  waitUntilReleased(keys: readonly string[]): Promise<void>;
}

export interface OneTimeValues {
  /**
   * Puts something down.
   * @param key Its kind, a space, and what tells it from others of that kind.
   * @throws Refusal (503) as `take` does, while the server does not answer: what others cannot take up would serve by chance.
   */
  put(key: string, value: object, lifetimeMs: number): Promise<void>;
  /** Gives what was put there, to one caller alone. */
  take(key: string): Promise<unknown>;
}

export interface PubSub {
  /** Tells all instances, this one included, as well as it can: one that is cut off hears nothing. */
  publish(topic: string, said: string): void;
  subscribe(topic: string, listener: (said: string) => void): void;
}

export interface RateLimit {
  /**
   * Counts what somebody does.
   * @param points How much of it; default 1.
   * @returns The milliseconds to wait where it is too much, and then it is not counted; else 0.
   */
  count(who: string, points?: number): Promise<number>;
  /** Counts what somebody has done already, even where it is too much. */
  charge(who: string, points: number): Promise<void>;
}
