import type { IncomingHttpHeaders } from "node:http";
import { ANY_READING, PARTIAL_HEADER, READING_HEADER } from "../../../contract/companion-api";
import type { LoadResult } from "./result";

/** The answer that a reader accepts. */
export interface Wanted {
  /** Largest age: 0 requires a fresh answer. Default the freshness policy of its family. */
  maxAgeMs?: number;
  /** The reading of a list that a page must be of, by `READING_HEADER`. */
  reading?: string;
  /** Whether the caller takes what is cached at once, and requests the others again. */
  takesPartial?: boolean;
}

/** The cached answers that serve one read, by when they came, in milliseconds since 1970. */
export interface AgeLimit {
  /** Data serve where they came after this. */
  afterMs: number;
  /** An absence serves where it was stored at this time or later. */
  absentFromMs: number;
  /** Whether a stale answer may stand in during an outage. */
  allowsStale: boolean;
}

/** A page of a reading serves as long as it is cached. */
export const ANY_AGE: AgeLimit = {
  afterMs: Number.NEGATIVE_INFINITY,
  absentFromMs: Number.NEGATIVE_INFINITY,
  allowsStale: true,
};

/**
 * Gives the age limit of a read within the firm's policy.
 * @param freshMs How long answers of the family are fresh.
 * @param refreshMs Minimum age before a refresh requests an answer again.
 */
export function toAgeLimit({ maxAgeMs }: Wanted, freshMs: number, refreshMs: number, nowMs: number): AgeLimit {
  if (maxAgeMs === undefined) {
    return { afterMs: nowMs - freshMs, absentFromMs: Number.NEGATIVE_INFINITY, allowsStale: true };
  }
  const oldestMs = Math.min(freshMs, Math.max(maxAgeMs, refreshMs));
  return { afterMs: nowMs - oldestMs, absentFromMs: nowMs, allowsStale: false };
}

/** Whether a result, perhaps another reader's, is new enough; a failure always is. */
export function isNewEnough(result: LoadResult, { afterMs, absentFromMs }: AgeLimit): boolean {
  if (result.is === "failed") return true;
  const isNothing = result.is === "absent" || result.isEmpty === true;
  return isNothing ? result.atMs >= absentFromMs : result.atMs > afterMs;
}

/** Reads the answer that a request accepts. A reading's max age was given with its first page. */
export function readWanted(headers: IncomingHttpHeaders): Wanted {
  if (headers[PARTIAL_HEADER] !== undefined) return { ...readMaxAge(headers["cache-control"]), takesPartial: true };
  const reading = headers[READING_HEADER];
  if (typeof reading !== "string") return readMaxAge(headers["cache-control"]);
  return reading === ANY_READING ? { reading, ...readMaxAge(headers["cache-control"]) } : { reading };
}

/** Reads Cache-Control (RFC 9111 §5.2.1). Browsers add `max-age=0` to revalidations, so that value is ignored. */
export function readMaxAge(cacheControl = ""): Wanted {
  const directives = cacheControl.toLowerCase().split(/[\s,]+/);
  if (directives.includes("no-cache")) return { maxAgeMs: 0 };
  const [seconds = 0] = directives.flatMap((each) => /^max-age=(\d{1,9})$/.exec(each)?.slice(1).map(Number) ?? []);
  return seconds > 0 ? { maxAgeMs: seconds * 1000 } : {};
}
