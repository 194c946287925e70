import type { Stores } from "../companion/stores";

/** The state that a firm's instances share: each part is in this process alone, unless FEED_STORE names a server. */
export interface FirmStores extends Stores {
  /** The provider's answers, for later readers (relay mode). */
  answers: AnswerCache;
  /** Leases on loads, so that each answer is requested once. */
  leases: Leases;
  /** Values that are stored for a while and taken once: a code, a sign-in under way. */
  oneTimeValues: OneTimeValues;
  /** Messages between instances. */
  pubSub: PubSub;
  /**
   * Creates a throttle.
   * @param name Identifies it, in all instances.
   */
  createThrottle(name: string, perMinute: number): Throttle;
  /** The time that all instances share, in milliseconds since 1970: an instance's own clock may be wrong. */
  nowMs(): number;
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

export interface Leases {
  /**
   * Acquires leases, and gives the keys that no other instance holds. The leases of a dead instance end within seconds.
   */
  acquire(keys: readonly string[]): Promise<readonly string[]>;
  /** Releases leases of this instance, and wakes those who wait for them. */
  release(keys: readonly string[]): Promise<void>;
  /** Waits until another instance releases one of these keys, for half a second at most: it may be dead. */
  waitUntilReleased(keys: readonly string[]): Promise<void>;
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

export interface PubSub {
  /** Publishes to all instances, this one included; an instance without a connection misses it. */
  publish(topic: string, said: string): void;
  subscribe(topic: string, listener: (said: string) => void): void;
}

/** Spaces actions evenly: any second has at most one more than its share. */
export interface Throttle {
  /** Takes the next place, and gives 0; otherwise gives the milliseconds until there may be one. */
  take(): Promise<number>;
}
