import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  ArgumentError,
  DecodeError,
  ERRORS,
  type FeedCode,
  FeedError,
  InternalError,
  NoValueError,
  RequestError,
  SessionError,
  SignerError,
  TokenError,
} from "../../../src/client/errors";
import { MAX_ATTEMPTS, readRetryAfterMs, retryDelayMs } from "../../../src/client/http/retry";
import CASES from "./retry.json";

const NOW_MS = Date.UTC(2024, 10, 20, 9, 30);
const LONG_MS = 3_600_000;
const CODES = Object.keys(ERRORS) as FeedCode[];

describe("the delay before a retry", () => {
  it("exists only for passing failures", () => {
    const retried = CODES.filter((code) => retryDelayMs(new FeedError(code, ""), 1, LONG_MS, 0) !== null);
    expect(retried).toEqual([
      "FEED_SIGNER_UNREACHABLE",
      "FEED_RATE_LIMITED",
      "FEED_SERVER_FAILED",
      "FEED_NETWORK_FAILED",
      "FEED_TIMED_OUT",
    ]);
    expect(retryDelayMs(new DecodeError(""), 1, LONG_MS, 0)).toBeNull();
    expect(retryDelayMs(new TypeError("x"), 1, LONG_MS, 0)).toBeNull();
  });

  it("is null after the third attempt", () => {
    const failed = new FeedError("FEED_SERVER_FAILED", "");
    expect([1, 2, 3, 4].map((attempt) => retryDelayMs(failed, attempt, LONG_MS, 1))).toEqual([400, 800, null, null]);
    expect(MAX_ATTEMPTS).toBe(3);
  });

  it("ends before the deadline, since nothing can be sent at it", () => {
    const failed = new FeedError("FEED_SERVER_FAILED", "");
    expect([400, 401].map((remainingMs) => retryDelayMs(failed, 1, remainingMs, 1))).toEqual([null, 400]);
  });

  it("is half to all of the backoff, at least Retry-After, and within the deadline", () => {
    const law = fc.property(
      fc.constantFrom(1, 2),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
      fc.integer({ min: -10, max: 60_000 }),
      (attempt, random, retryAfterMs, remainingMs) => {
        const facts = retryAfterMs === undefined ? {} : { retryAfterMs };
        const delayMs = retryDelayMs(new FeedError("FEED_RATE_LIMITED", "", facts), attempt, remainingMs, random);
        const fullMs = 400 * attempt;
        const leastMs = Math.max(fullMs / 2, retryAfterMs ?? 0);
        if (delayMs === null) return Math.max(fullMs, leastMs) >= remainingMs;
        return delayMs >= leastMs && delayMs <= Math.max(fullMs, leastMs) && delayMs < remainingMs;
      },
    );
    fc.assert(law, { seed: 1, numRuns: 1000 });
  });
});

it.each(CASES.retryAfter as [string | null, number | null][])("Retry-After of %p is %p milliseconds", (header, ms) => {
  expect(readRetryAfterMs(header, null, NOW_MS) ?? null).toBe(ms);
});

const EACH = [
  new ArgumentError(""),
  new SessionError(""),
  new SignerError("FEED_SIGNER_REFUSED", ""),
  new TokenError("FEED_TOKEN_REFUSED", ""),
  new RequestError("FEED_NOT_FOUND", ""),
  new DecodeError(""),
  new NoValueError("FEED_NO_VALUE", ""),
  new InternalError(""),
];

describe("an error", () => {
  it.each(EACH)("$name has the class that the table gives its code", (error) => {
    expect(error).toBeInstanceOf(FeedError);
    expect(error.constructor.name).toBe(error.name);
    expect(ERRORS[error.code].class).toBe(error.name);
    expect(error.cell).toBe(ERRORS[error.code].cell);
  });

  it("keeps the facts of its answer", () => {
    const facts = { status: 429, traceId: "t-1", retryAfterMs: 5 };
    expect(new RequestError("FEED_RATE_LIMITED", "wait", facts)).toMatchObject({ message: "wait", facts });
  });

  it("is #VALUE! exactly if the user must change something", () => {
    const codes = Object.entries(ERRORS).flatMap(([code, { cell }]) => (cell === "#VALUE!" ? [code] : []));
    expect(codes).toEqual(["FEED_ARGUMENT_INVALID", "FEED_REQUEST_INVALID", "FEED_AMBIGUOUS", "FEED_RESULT_TOO_LARGE"]);
  });
});
