import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { DecodeError, ERRORS, type ErrorFacts, type FeedCode, FeedError } from "../../src/feed/errors";
import {
  afterOutcome,
  type Health,
  isAsked,
  MAX_ATTEMPTS,
  mayRetry,
  type Outcome,
  readRetryAfterMs,
  retryDelayMs,
  tryAgain,
  WELL,
} from "../../src/feed/retry";

const NOW_MS = Date.UTC(2024, 10, 20, 9, 30);
const LONG_MS = 3_600_000;
const CODES = Object.keys(ERRORS) as FeedCode[];

describe("the wait before another try", () => {
  it("is only for failures that may pass", () => {
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

  it("ends after the third try", () => {
    const failed = new FeedError("FEED_SERVER_FAILED", "");
    expect([1, 2, 3, 4].map((attempt) => retryDelayMs(failed, attempt, LONG_MS, 1))).toEqual([400, 800, null, null]);
    expect(MAX_ATTEMPTS).toBe(3);
  });

  it("is spread over half to all of the delay, is never shorter than Retry-After, and never reaches the deadline", () => {
    fc.assert(
      fc.property(
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
      ),
      { seed: 1, numRuns: 1000 },
    );
  });
});

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["7", 7_000],
    ["3600", 3_600_000],
    ["-5", 0],
    [" 2 ", 2_000],
    ["Wed, 20 Nov 2024 09:30:12 GMT", 12_000],
    ["Wed, 20 Nov 2024 09:00:00 GMT", 0],
    ["soon", undefined],
    ["Infinity", undefined],
    ["", undefined],
    [null, undefined],
  ])("of %p is %p milliseconds", (header, ms) => {
    expect(readRetryAfterMs(header, NOW_MS)).toBe(ms);
  });
});

const HOUR_MS = 3_600_000;
const FAILED = new FeedError("FEED_SERVER_FAILED", "failed");
const toLimit = (retryAfterMs?: number) =>
  new FeedError("FEED_RATE_LIMITED", "limited", retryAfterMs === undefined ? {} : { retryAfterMs });
const toRefused = (facts: ErrorFacts) => new FeedError("FEED_NOT_FOUND", "", facts);

/** Half of chance spreads a pause to three quarters. */
const hear = (health: Health, error?: unknown, more: Partial<Outcome> = {}): Health =>
  afterOutcome(health, { error, nowMs: NOW_MS, random: 0.5, isLate: false, ...more });
const fail = (times: number, health = WELL): Health =>
  Array.from({ length: times }).reduce<Health>((before) => hear(before, FAILED), health);
const over = (health: Health) => ({ nowMs: health.untilMs });

const BROKEN = fail(6);
const ASKED = hear(WELL, toLimit(7_000));

describe("a family", () => {
  it("is well with five failures in a row, and breaks by the sixth", () => {
    expect(fail(5)).toMatchObject({ failures: 5, pauses: 0, untilMs: 0, reason: null });
    expect(BROKEN).toMatchObject({ failures: 6, pauses: 1, untilMs: NOW_MS + 1_500, reason: FAILED });
  });

  it.each<[string, unknown, number]>([
    ["an answer", undefined, 0],
    ["a refusal of what was asked", toRefused({ status: 404 }), 0],
    ["a refused token", new FeedError("FEED_UNAUTHORISED", "", { status: 401 }), 0],
    ["an answer that cannot be read", new DecodeError("", { status: 200 }), 0],
    ["a request that was called off", new DOMException("", "AbortError"), 5],
    ["a request that was never sent", null, 5],
    ["a companion that is not there", new FeedError("FEED_SIGNER_UNREACHABLE", ""), 5],
    ["a companion that refuses", toRefused({ status: 401, refusal: "NOT_PAIRED" }), 5],
    ["a companion that gets no answer of the provider", new FeedError("FEED_NETWORK_FAILED", "", { refusal: "x" }), 6],
    ["a server that gives up", new FeedError("FEED_TIMED_OUT", "", { status: 408 }), 6],
  ])("has, after %s, so many of five failures left", (_, error, failures) => {
    expect(hear(fail(5), error).failures).toBe(failures);
  });

  it.each<[string, number | undefined, number]>([
    ["for as long as it asks", 7_000, 7_000],
    ["for an hour where it asks for more", 86_400_000, HOUR_MS],
    ["not at all where it asks for nothing", 0, 0],
    ["for a moment where it does not say how long", undefined, 300],
  ])("that answers 429 is left alone %s", (_, retryAfterMs, pauseMs) => {
    const asked = hear(WELL, toLimit(retryAfterMs));
    expect(asked.untilMs - NOW_MS).toBe(pauseMs);
    expect(isAsked(asked)).toBe(true);
  });

  it("that keeps failing is left alone twice as long each time, up to a minute", () => {
    const pausesMs: number[] = [];
    let health = BROKEN;
    for (let time = 0; time < 7; time++) {
      const { nowMs } = over(health);
      health = hear(health, FAILED, { nowMs });
      pausesMs.push(health.untilMs - nowMs);
    }
    expect(pausesMs).toEqual([3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]);
  });

  it("that asks for hardly any time, again and again, is left alone longer each time", () => {
    let health = WELL;
    for (let time = 0; time < 12; time++) health = hear(health, toLimit(1), over(health));
    const { nowMs } = over(health);
    expect(hear(health, toLimit(1), { nowMs }).untilMs - nowMs).toBe(45_000);
  });

  it("is well again by its first answer after a pause", () => {
    expect(hear(BROKEN, undefined, over(BROKEN))).toMatchObject({ failures: 0, pauses: 0, untilMs: 0, reason: null });
    expect(hear(ASKED, undefined, over(ASKED))).toMatchObject({ failures: 0, pauses: 0, untilMs: 0, reason: null });
  });

  it("that broke is well by an answer that was on its way, and has the pause that it asked for all the same", () => {
    expect(hear(BROKEN, undefined, { isLate: true }).pauses).toBe(0);
    expect(hear(ASKED, undefined, { isLate: true })).toMatchObject({ pauses: 1, untilMs: ASKED.untilMs });
  });

  it("is not left alone longer for failures that were on their way, but for a longer pause that is asked for", () => {
    const late = { isLate: true };
    expect(hear(BROKEN, FAILED, late)).toMatchObject({ pauses: 1, untilMs: BROKEN.untilMs });
    expect(hear(BROKEN, FAILED, { ...late, ...over(BROKEN) })).toMatchObject({ pauses: 1, untilMs: BROKEN.untilMs });
    expect(hear(ASKED, toLimit(5_000), late)).toMatchObject({ pauses: 1, untilMs: ASKED.untilMs });
    expect(hear(ASKED, toLimit(9_000), late)).toMatchObject({ pauses: 1, untilMs: NOW_MS + 9_000 });
    expect(isAsked(hear(BROKEN, toLimit(1_000), late))).toBe(false);
  });

  it("is tried at once on a person's wish, unless it asked to wait", () => {
    expect(tryAgain(BROKEN)).toEqual({ ...BROKEN, untilMs: 0 });
    expect(tryAgain(ASKED)).toBe(ASKED);
  });

  it("is worth another try but while it is broken, and after 20 failures only for what answers have earned", () => {
    expect(mayRetry(BROKEN, NOW_MS)).toBe(false);
    expect(mayRetry(BROKEN, BROKEN.untilMs)).toBe(true);
    expect(mayRetry(ASKED, NOW_MS)).toBe(true);
    let health = WELL;
    let failures = 0;
    for (; mayRetry(health, NOW_MS); failures++) health = hear(hear(health, FAILED), undefined);
    expect(failures).toBe(39); // each costs one, and the answer beside it gives half of that back
    expect(mayRetry(hear(health), NOW_MS)).toBe(true);
  });

  it("is, whatever happens, well or pausing for a reason, never longer than an hour and never for less than asked", () => {
    const anyError = fc.oneof(
      fc.constantFrom<unknown>(undefined, null, FAILED, toRefused({ status: 404 })),
      fc.option(fc.integer({ min: 0, max: 9_000_000 }), { nil: undefined }).map(toLimit),
    );
    const step = fc.record({
      error: anyError,
      afterMs: fc.nat(100_000),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
      isLate: fc.boolean(),
      isWish: fc.boolean(),
    });
    const isRight = (steps: readonly (Omit<Outcome, "nowMs"> & { afterMs: number; isWish: boolean })[]) => {
      let [health, nowMs] = [WELL, NOW_MS];
      return steps.every(({ afterMs, isLate, isWish, ...outcome }) => {
        nowMs += afterMs;
        const before = isWish ? tryAgain(health) : health;
        const isLateNow = before.pauses > 0 && (isLate || nowMs < before.untilMs); // else nothing goes out
        health = afterOutcome(before, { ...outcome, isLate: isLateNow, nowMs });
        const { error } = outcome;
        const askedMs = error instanceof FeedError ? (error.facts.retryAfterMs ?? 0) : 0;
        const { failures, retries, pauses, untilMs, reason } = health;
        const isSound = pauses === 0 ? untilMs === 0 && reason === null && failures < 6 : reason !== null;
        const isKept = untilMs - nowMs >= Math.min(askedMs, HOUR_MS);
        return isSound && (askedMs === 0 || isKept) && untilMs - nowMs <= HOUR_MS && retries >= 0 && retries <= 20;
      });
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), isRight), { seed: 1, numRuns: 2_000 });
  });
});
