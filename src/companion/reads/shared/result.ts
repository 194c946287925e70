import { Refusal } from "../../refusal";
import type { ProviderAnswer } from "../../relay/answer";
import { QueueFull } from "./fair-queue";
import type { CachedText } from "./shared-cache";

/** What became of something that the provider was asked for. */
export type LoadResult = Found | Absent | Failed;

export interface Found extends CachedText {
  is: "found";
  /** The media type, where the provider has just said it. */
  type?: string;
  /** It is a list that has nothing in it. */
  isEmpty?: true;
  /** Of which reading of a list it is a page, and whether that has no other page. */
  reading?: { id: string; isWhole: boolean };
}

/** What became of a company among others, whoever's they were. */
export type CompanyResult = Found | Failed | { is: "absent"; atMs: number };

/** The provider does not have it. */
export interface Absent {
  is: "absent";
  atMs: number;
  /** For whom it was asked: others with other rights do not take it from them. */
  className: string;
  /** What the provider said of it, where that was an answer of its own. */
  body?: Buffer;
  type?: string;
}

/** The provider was asked in vain, or not at all. */
export interface Failed {
  is: "failed";
  /**
   * Whose failure it is: that of what was asked for together, of the answer's form, by which it cannot be taken apart, of
   * everybody, or of the one reader who had it asked for.
   */
  of: "question" | "form" | "everybody" | "reader";
  /** The companies that were asked for together, or nothing where it was one thing. */
  together: readonly string[];
  /** The one reader whose it is. */
  who?: string;
  /** The answer, or why there is none. */
  said: ProviderAnswer | Error;
  /** Settles when it comes all the same, for whoever asks then. */
  ended?: Promise<unknown>;
  /** What becomes of a slow company all the same, for whoever asks beside it. */
  later?: Promise<CompanyResult>;
}

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Converts an result to an answer.
 * @throws Refusal where there was none.
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
  return is === "found" ? { ...answer, status: 200, reading: result.reading?.id } : { ...answer, status: 404 };
}

/** Converts what was said in place of data. */
export function toFailed(said: ProviderAnswer | Error, together: readonly string[] = []): Failed {
  const isEverybodys =
    said instanceof Error ? together.length < 2 || !isBroken(said) : said.status === 401 || said.status === 429;
  const of = said instanceof QueueFull ? "reader" : isEverybodys ? "everybody" : "question";
  return { is: "failed", of, together, said };
}

const BROKEN: readonly string[] = ["FEED_SERVER_FAILED", "FEED_NETWORK_FAILED", "FEED_TIMED_OUT"];

/** Whether an answer broke off, did not come in time or is none: one company among others may do that to all. */
const isBroken = (said: Error): boolean => said instanceof Refusal && BROKEN.includes(said.code);

/** Whether it is the provider that fails, as far as one query tells. */
export const isTrouble = ({ of, said }: Failed): boolean =>
  of === "everybody" || (said instanceof Error ? isBroken(said) : said.status >= 500);

/** Converts what a reader's own count refused. */
export const toRefused = (said: Error, who: string): Failed => ({
  is: "failed",
  of: "reader",
  who,
  together: [],
  said,
});

/** Whether it comes, after a wait. */
export const hasToWait = ({ said }: Failed): boolean =>
  said instanceof Error ? said instanceof Refusal && said.code === "FEED_RATE_LIMITED" : said.status === 429;

/** Whether the provider is out, so that an older answer may stand in. */
export function isOut({ of, said }: Failed): boolean {
  if (of === "reader") return false;
  if (said instanceof Error) return isBroken(said) || (said instanceof Refusal && said.code === "FEED_RATE_LIMITED");
  return said.status === 429 || said.status >= 500;
}

/** Who reads, as far as answers depend on it. */
export interface Reader {
  /** The person or the pairing, by which turns are taken. */
  who: string;
  /** Whoever has the same rights: what one was refused is kept from these alone. */
  className: string;
  /**
   * Counts what this reader has the provider asked for: so many companies or pages.
   * @throws Refusal (FEED_RATE_LIMITED)
   */
  count(loads: number): Promise<void>;
  /** Counts what came beyond that, be there room for it or not. */
  charge(loads: number): Promise<void>;
}

/** An answer, and how old it is. */
export interface AgedAnswer extends ProviderAnswer {
  /** When the provider gave it, in milliseconds since 1970: of several, the oldest. */
  asOfMs: number;
  /** How many companies or pages were asked for, and how many of them the provider was not asked for. */
  requested: number;
  known: number;
  /** Of which reading of its list it is a page. */
  reading?: string | undefined;
}

/** An answer for one reader. */
export interface SharedAnswer extends AgedAnswer {
  /**
   * Where it is older than the reader wants, by the firm's policy: from when on a refresh has the provider asked again, in
   * milliseconds since 1970.
   */
  newerAtMs: number | undefined;
}
