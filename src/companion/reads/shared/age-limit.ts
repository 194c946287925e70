import type { IncomingHttpHeaders } from "node:http";
import { ANY_READING, READING_HEADER } from "../../../contract/companion-api";
import type { LoadResult } from "./result";

/** Which answer somebody wants. */
export interface Wanted {
  /** How old it may be: 0 asks for a fresh one. Default as old as those of its family serve. */
  maxAgeMs?: number;
  /** Of which reading of its list a page is to be, by `READING_HEADER`. */
  reading?: string;
}

/** Which cached answers serve one read: of the times they came at, in milliseconds since 1970. */
export interface AgeLimit {
  /** One serves that came after this. */
  afterMs: number;
  /** That there is nothing serves where it was said from then on. */
  absentFromMs: number;
  /** Whether an older answer stands in while the provider is out. */
  allowsStale: boolean;
}

/** A page of a reading serves as long as that lies in the cache. */
export const ANY_AGE: AgeLimit = {
  afterMs: Number.NEGATIVE_INFINITY,
  absentFromMs: Number.NEGATIVE_INFINITY,
  allowsStale: true,
};

/**
 * Judges what somebody wants by what the firm allows.
 * @param freshMs How long answers of the family serve.
 * @param refreshMs How old an answer has to be before anybody has it asked for again.
 */
export function toAgeLimit({ maxAgeMs }: Wanted, freshMs: number, refreshMs: number, nowMs: number): AgeLimit {
  if (maxAgeMs === undefined) {
    return { afterMs: nowMs - freshMs, absentFromMs: Number.NEGATIVE_INFINITY, allowsStale: true };
  }
  const oldestMs = Math.min(freshMs, Math.max(maxAgeMs, refreshMs));
  return { afterMs: nowMs - oldestMs, absentFromMs: nowMs, allowsStale: false };
}

/** Whether an result is new enough, be it another reader's; of a failure the age tells nothing. */
export function isNewEnough(result: LoadResult, { afterMs, absentFromMs }: AgeLimit): boolean {
  if (result.is === "failed") return true;
  const isNothing = result.is === "absent" || result.isEmpty === true;
  return isNothing ? result.atMs >= absentFromMs : result.atMs > afterMs;
}

/** Reads which answer a request wants: how old a reading's page may be was said with its first one. */
export function readWanted(headers: IncomingHttpHeaders): Wanted {
  const reading = headers[READING_HEADER];
  if (typeof reading !== "string") return readMaxAge(headers["cache-control"]);
  return reading === ANY_READING ? { reading, ...readMaxAge(headers["cache-control"]) } : { reading };
}

/**
 * Reads how old an answer may be (RFC 9111 §5.2.1). Browsers write `max-age=0` on whatever they revalidate: that alone asks
 * for nothing.
 */
export function readMaxAge(cacheControl = ""): Wanted {
  const directives = cacheControl.toLowerCase().split(/[\s,]+/);
  if (directives.includes("no-cache")) return { maxAgeMs: 0 };
  const [seconds = 0] = directives.flatMap((each) => /^max-age=(\d{1,9})$/.exec(each)?.slice(1).map(Number) ?? []);
  return seconds > 0 ? { maxAgeMs: seconds * 1000 } : {};
}
