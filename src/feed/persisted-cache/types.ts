import type { Source } from "../../client/http/request-log";
import type { Ports } from "../../client/ports";

/** An answer as it is kept beyond the page. */
export interface PersistedAnswer {
  readonly value: unknown;
  /** When it came, milliseconds since the Unix epoch. */
  readonly asOfMs: number;
  /** The requests that it came by. */
  readonly sources: readonly Source[];
}

/** An answer with the hash under which it was kept. */
export type FoundAnswer = PersistedAnswer & { readonly hash: string };

/**
 * Why a page keeps nothing: no storage, none that it may use, no room in it, no answer from it, a newer page's, one that
 * cannot be read, or what no browser's error tells.
 */
export type Hindrance = "absent" | "blocked" | "full" | "silent" | "newer" | "damaged" | "unknown";

/** Answers that outlive the page, by the hashes of their queries: never tokens, never persons' contact data. */
export interface PersistedCache {
  /** The newest of what is kept under any of these hashes; null where nothing is. */
  load(hashes: readonly string[]): Promise<FoundAnswer | null>;
  /** Keeps an answer in the place of an older one, or of any if `isOfBefore`; it is written a moment later. */
  store(hash: string, answer: PersistedAnswer, isOfBefore?: boolean): void;
  /** Forgets what is not written yet, and drops what is kept of other owners: the client has changed. */
  evictOthers(): void;
  /** How much is kept, of all owners, in characters. */
  size(): Promise<number>;
  /** Drops all that is kept, of all owners; whether it is gone. */
  forget(): Promise<boolean>;
  /** Why this page keeps nothing; null while it does, or has not tried. */
  hindrance(): Hindrance | null;
}

export interface PersistedCacheOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** Who the client is, and of which provider: what is kept serves nobody else. */
  owner: () => Promise<string>;
  /** Is called when it is found out that nothing can be kept, or can be again; default nobody. */
  notify?: () => void;
  /** What is kept at most, in characters; default 64 million. */
  mostCharacters?: number;
}
