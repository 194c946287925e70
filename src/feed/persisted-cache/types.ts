import type { Source } from "../../client/http/request-log";
import type { Ports } from "../../client/ports";
import type { PersistencePolicy } from "../persistence-policy";

export interface PersistedAnswer {
  readonly value: unknown;
  /** When it came, milliseconds since the Unix epoch. */
  readonly asOfMs: number;
  /** The requests that it came by. */
  readonly sources: readonly Source[];
}

/** An answer with the hash of its entry. */
export type FoundAnswer = PersistedAnswer & { readonly hash: string };

/**
 * Why a page persists nothing: there is no storage; the browser blocks it; it is full; it does not answer; a newer page
 * made it; it is damaged; or an unknown error.
 */
export type Hindrance = "absent" | "blocked" | "full" | "silent" | "newer" | "damaged" | "unknown";

/** Answers that outlive the page, by the hashes of their queries: never tokens, never persons' contact data. */
export interface PersistedCache {
  /** Gives the last written answer under any of these hashes, which the query may use; null where there is none. */
  load(hashes: readonly string[], policy?: PersistencePolicy): Promise<FoundAnswer | null>;
  /** Writes an answer a little later, in place of an older one, or of any if `isOfBefore`. */
  store(hash: string, answer: PersistedAnswer, isOfBefore?: boolean): void;
  /** Forgets unwritten answers, and drops those of other owners: the client has changed. */
  evictOthers(): void;
  /** Size of all owners' answers in characters. */
  size(): Promise<number>;
  /** Drops all owners' answers; gives whether that succeeded. */
  forget(): Promise<boolean>;
  /** Why this page persists nothing; null while it does, or has not tried. */
  hindrance(): Hindrance | null;
}

export interface PersistedCacheOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** The client and its provider: answers serve no other. */
  owner: () => Promise<string>;
  /** Called when `hindrance` changes. */
  notify?: () => void;
  /** Maximum size in characters; default 128 million. */
  mostCharacters?: number;
}
