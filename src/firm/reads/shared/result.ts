import { readWaitMs } from "../../../companion/exchange";
import { Refusal } from "../../../companion/refusal";
import type { ProviderAnswer } from "../../../companion/relay/answer";
import { QueueFull } from "./queue-limits";
import type { CachedText } from "./shared-cache";

/** The result of one load. */
export type LoadResult = Found | Absent | Failed;

export interface Found extends CachedText {
  is: "found";
  /** The media type, where the answer is new. */
  type?: string;
  /** Set for an empty list. */
  isEmpty?: true;
  /** The name by which its reader requests further pages of its reading of a list. */
  reading?: string;
}

/** The result of a company in a chunk. */
export type CompanyResult = Found | Failed | { is: "absent"; atMs: number };

/** The provider does not have it. */
export interface Absent {
  is: "absent";
  atMs: number;
  /** The rights that it was loaded with; readers with other rights do not share it. */
  className: string;
  /** The provider's own words, where it answered. */
  body?: Buffer;
  type?: string;
}

/** The load failed or was refused. */
export interface Failed {
  is: "failed";
  /** Its scope: the chunk, the answer's form, which cannot be split, everybody, or one reader. */
  of: "chunk" | "form" | "everybody" | "reader";
  /** The companies of the chunk; empty for a single load. */
  together: readonly string[];
  /** The reader it concerns. */
  who?: string;
  /** The answer, or the error in its place. */
  said: ProviderAnswer | Error;
  /** The later result of a slow company, for readers who retry beside it. */
  later?: Promise<LoadResult>;
}

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Converts a result to an answer.
 * @throws Refusal where there is none.
 */
export function toAnswer(
  result: LoadResult,
  nowMs: number,
): ProviderAnswer & { asOfMs: number; reading?: string | undefined } {
  if (result.is === "failed") {
    if (result.said instanceof Error) throw result.said;
    return { ...result.said, asOfMs: nowMs };
  }
  const { is, body = Buffer.alloc(0), type = JSON_TYPE, atMs } = result;
  const answer = { headers: { "content-type": type }, body, asOfMs: atMs };
  return is === "found" ? { ...answer, status: 200, reading: result.reading } : { ...answer, status: 404 };
}

/** Converts an answer that is no data, or an error, to a failure. */
export function toFailed(said: ProviderAnswer | Error, together: readonly string[] = []): Failed {
  const isEverybodys =
    said instanceof Error ? together.length < 2 || !isBroken(said) : said.status === 401 || said.status === 429;
  const of = said instanceof QueueFull ? "reader" : isEverybodys ? "everybody" : "chunk";
  return { is: "failed", of, together, said };
}

const BROKEN: readonly string[] = ["FEED_SERVER_FAILED", "FEED_NETWORK_FAILED", "FEED_TIMED_OUT"];

/** Whether an answer broke off, was late or is unusable: one company of a chunk may cause that for all. */
const isBroken = (said: Error): boolean => said instanceof Refusal && BROKEN.includes(said.code);

/** Whether the provider itself seems to fail. */
export const isTrouble = ({ of, said }: Failed): boolean =>
  of === "everybody" || (said instanceof Error ? isBroken(said) : said.status >= 500);

/** Converts a refusal that concerns one reader. */
export const toRefused = (said: Error, who: string): Failed => ({
  is: "failed",
  of: "reader",
  who,
  together: [],
  said,
});

/** Whether a later attempt can succeed. */
export const hasToWait = ({ said }: Failed): boolean =>
  said instanceof Error ? said instanceof Refusal && said.code === "FEED_RATE_LIMITED" : said.status === 429;

/** After how many seconds a failure wants to be tried again; absent where it names no time. */
export function toWaitSeconds({ said }: Failed): number | undefined {
  if (said instanceof Error) return said instanceof Refusal ? said.retryAfterSeconds : undefined;
  const waitMs = readWaitMs(said.headers, Date.now());
  return waitMs && Math.ceil(waitMs / 1000);
}

/** Whether a failure says nothing about the query, and names a time to try again. */
export const isPassing = (failed: Failed): boolean => hasToWait(failed) || toWaitSeconds(failed) !== undefined;

/** Whether the provider is out, so that a stale answer may stand in. */
export function isOut({ of, said }: Failed): boolean {
  if (of === "reader") return false;
  if (said instanceof Error) return isBroken(said) || (said instanceof Refusal && said.code === "FEED_RATE_LIMITED");
  return said.status === 429 || said.status >= 500;
}

/** The reader, as far as answers depend on it. */
export interface Reader {
  /** The person or the pairing, for fair queues. */
  who: string;
  /** Equal for readers with equal rights, who share absences. */
  className: string;
  /** Counts loads before they are made; gives the refusal above the quota. */
  admit(loads: number): Refusal | undefined;
  /** Counts loads already made; never refuses. */
  charge(loads: number): void;
}

/** An answer with its age. */
export interface AgedAnswer extends ProviderAnswer {
  /** When the provider gave it, in milliseconds since 1970; of a joined answer, the oldest part. */
  asOfMs: number;
  /** Companies or pages of the query, without those that its reader leaves for a next one. */
  requested: number;
  /** Those of them that the cache answered. */
  known: number;
  /** Its reading of a list. */
  reading?: string | undefined;
  /**
   * Whether companies are left out that may still come: their reader took what was cached, or they took more than a
   * second.
   */
  isPartial?: boolean | undefined;
  /** When companies that are missing may be requested again; absent where they failed for good. */
  retryAfterSeconds?: number | undefined;
}

/** A shared answer, with the time at which a newer one may come for this reader. */
export interface SharedAnswer extends AgedAnswer {
  /**
   * When a refresh may bring a newer answer, in milliseconds since 1970; set where the firm's policy gave an older one
   * than requested.
   */
  newerAtMs: number | undefined;
}
