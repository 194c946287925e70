import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { DecodeError, type ErrorFacts, FeedError } from "../../../src/client/errors";
import {
  afterOutcome,
  atTime,
  type BreakerState,
  isProviderPause,
  mayRetry,
  type Outcome,
  tryNow,
  WELL,
} from "../../../src/client/http/circuit-breaker";

const NOW_MS = Date.UTC(2024, 10, 20, 9, 30);
const HOUR_MS = 3_600_000;
const FAILED = new FeedError("FEED_SERVER_FAILED", "failed");
const toLimit = (retryAfterMs?: number) =>
  new FeedError("FEED_RATE_LIMITED", "limited", retryAfterMs === undefined ? {} : { retryAfterMs });
const toRefused = (facts: ErrorFacts) => new FeedError("FEED_NOT_FOUND", "", facts);

/** The middle of the jitter makes a pause three quarters. */
const receive = (health: BreakerState, error?: unknown, more: Partial<Outcome> = {}): BreakerState =>
  afterOutcome(health, { error, nowMs: NOW_MS, random: 0.5, isLate: false, ...more });
const fail = (times: number, health = WELL): BreakerState =>
  Array.from({ length: times }).reduce<BreakerState>((before) => receive(before, FAILED), health);
const over = (health: BreakerState) => ({ nowMs: health.untilMs });

const BROKEN = fail(6);
const ASKED = receive(WELL, toLimit(7_000));

describe("a circuit breaker", () => {
  it("stays closed after five failures in a row, and opens at the sixth", () => {
    expect(fail(5)).toMatchObject({ failures: 5, pauses: 0, untilMs: 0, reason: null });
    expect(BROKEN).toMatchObject({ failures: 6, pauses: 1, untilMs: NOW_MS + 1_500, reason: FAILED });
  });

  it.each<[string, unknown, number]>([
    ["an answer", undefined, 0],
    ["a refused query", toRefused({ status: 404 }), 0],
    ["a refused token", new FeedError("FEED_UNAUTHORISED", "", { status: 401 }), 0],
    ["an answer that cannot be read", new DecodeError("", { status: 200 }), 0],
    ["a cancelled request", new DOMException("", "AbortError"), 5],
    ["a request that was never sent", null, 5],
    ["a companion that is not there", new FeedError("FEED_SIGNER_UNREACHABLE", ""), 5],
    ["a companion that refuses", toRefused({ status: 401, refusal: "NOT_PAIRED" }), 5],
    ["a companion without an answer of the provider", new FeedError("FEED_NETWORK_FAILED", "", { refusal: "x" }), 6],
    ["a server that gives up", new FeedError("FEED_TIMED_OUT", "", { status: 408 }), 6],
  ])("counts its failures after %s", (_, error, failures) => {
    expect(receive(fail(5), error).failures).toBe(failures);
  });

  it.each<[string, number | undefined, number]>([
    ["for as long as demanded", 7_000, 7_000],
    ["not at all with Retry-After 0", 0, 0],
    ["for a moment without Retry-After", undefined, 300],
  ])("that gets a 429 opens %s", (_, retryAfterMs, pauseMs) => {
    const refused = receive(WELL, toLimit(retryAfterMs));
    expect(refused.untilMs - NOW_MS).toBe(pauseMs);
    expect(isProviderPause(refused)).toBe(true);
  });

  it("opens at once for a failure with Retry-After, unless that is zero", () => {
    const fail503 = (retryAfterMs: number) => receive(WELL, new FeedError("FEED_SERVER_FAILED", "", { retryAfterMs }));
    expect(fail503(7_000)).toMatchObject({ pauses: 1, untilMs: NOW_MS + 7_000 });
    expect(isProviderPause(fail503(7_000))).toBe(true);
    expect(tryNow(fail503(7_000)).untilMs).toBe(0);
    expect(fail503(0)).toMatchObject({ failures: 1, pauses: 0, untilMs: 0, reason: null });
  });

  it("doubles its pause with every failure, up to a minute", () => {
    const pausesMs: number[] = [];
    let health = BROKEN;
    for (let time = 0; time < 7; time++) {
      const { nowMs } = over(health);
      health = receive(health, FAILED, { nowMs });
      pausesMs.push(health.untilMs - nowMs);
    }
    expect(pausesMs).toEqual([3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]);
  });

  it("lengthens its pause if the provider keeps demanding very short ones", () => {
    let health = WELL;
    for (let time = 0; time < 12; time++) health = receive(health, toLimit(1), over(health));
    const { nowMs } = over(health);
    expect(receive(health, toLimit(1), { nowMs }).untilMs - nowMs).toBe(45_000);
  });

  it("closes at the first answer after a pause", () => {
    const closed = { failures: 0, pauses: 0, untilMs: 0, reason: null };
    for (const health of [BROKEN, ASKED]) expect(receive(health, undefined, over(health))).toMatchObject(closed);
  });

  it("closes at a late answer, but keeps a pause that the provider demanded", () => {
    expect(receive(BROKEN, undefined, { isLate: true }).pauses).toBe(0);
    expect(receive(ASKED, undefined, { isLate: true })).toMatchObject({ pauses: 1, untilMs: ASKED.untilMs });
  });

  it("does not lengthen its pause for late failures, but for a longer pause demanded late", () => {
    const late = { isLate: true };
    expect(receive(BROKEN, FAILED, late)).toMatchObject({ pauses: 1, untilMs: BROKEN.untilMs });
    expect(receive(BROKEN, FAILED, { ...late, ...over(BROKEN) })).toMatchObject({ pauses: 1, untilMs: BROKEN.untilMs });
    expect(receive(ASKED, toLimit(5_000), late)).toMatchObject({ pauses: 1, untilMs: ASKED.untilMs });
    expect(receive(ASKED, toLimit(9_000), late)).toMatchObject({ pauses: 1, untilMs: NOW_MS + 9_000 });
    expect(isProviderPause(receive(BROKEN, toLimit(1_000), late))).toBe(false);
  });

  it("probes at once when a person asks, unless it pauses for a rate limit", () => {
    expect(tryNow(BROKEN)).toEqual({ ...BROKEN, untilMs: 0 });
    expect(tryNow(ASKED)).toBe(ASKED);
  });

  it.each([
    ["a second", 1_000],
    ["a day", 86_400_000],
    ["a month", 30 * 86_400_000],
  ])("pauses no longer than planned if a clock is set back by %s", (_, backMs) => {
    for (const health of [BROKEN, ASKED]) {
      const nowMs = NOW_MS - backMs;
      const now = atTime(health, nowMs);
      expect(now).toEqual({ ...health, sinceMs: nowMs, untilMs: nowMs + health.untilMs - NOW_MS });
      expect(atTime(now, now.untilMs)).toBe(now);
    }
    expect(atTime(tryNow(BROKEN), NOW_MS - backMs).untilMs).toBeLessThan(NOW_MS - backMs);
    expect(atTime(WELL, NOW_MS - backMs)).toBe(WELL);
  });

  it("allows retries unless it is open, and after 20 failures only as earned by answers", () => {
    expect(mayRetry(BROKEN, NOW_MS)).toBe(false);
    expect(mayRetry(BROKEN, BROKEN.untilMs)).toBe(true);
    expect(mayRetry(ASKED, NOW_MS)).toBe(true);
    let health = WELL;
    let failures = 0;
    for (; mayRetry(health, NOW_MS); failures++) health = receive(receive(health, FAILED), undefined);
    expect(failures).toBe(39); // each costs one, and the answer beside it returns half of that
    expect(mayRetry(receive(health), NOW_MS)).toBe(true);
  });

  it("is closed or open with a reason, at most an hour and never shorter than demanded", () => {
    const anyError = fc.oneof(
      fc.constantFrom<unknown>(undefined, null, FAILED, toRefused({ status: 404 })),
      fc.option(fc.integer({ min: 0, max: HOUR_MS }), { nil: undefined }).map(toLimit),
      fc
        .integer({ min: 0, max: HOUR_MS })
        .map((retryAfterMs) => new FeedError("FEED_SERVER_FAILED", "", { retryAfterMs })),
    );
    const step = fc.record({
      error: anyError,
      afterMs: fc.nat(100_000),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
      isLate: fc.boolean(),
      isForced: fc.boolean(),
    });
    const isRight = (steps: readonly (Omit<Outcome, "nowMs"> & { afterMs: number; isForced: boolean })[]) => {
      let [health, nowMs] = [WELL, NOW_MS];
      return steps.every(({ afterMs, isLate, isForced, ...outcome }) => {
        nowMs += afterMs;
        const before = isForced ? tryNow(health) : health;
        const isLateNow = before.pauses > 0 && (isLate || nowMs < before.untilMs); // otherwise nothing is sent
        health = afterOutcome(before, { ...outcome, isLate: isLateNow, nowMs });
        const { error } = outcome;
        const retryAfterMs = error instanceof FeedError ? (error.facts.retryAfterMs ?? 0) : 0;
        const { failures, retries, pauses, untilMs, reason } = health;
        const isSound = pauses === 0 ? untilMs === 0 && reason === null && failures < 6 : reason !== null;
        const isPersisted = untilMs - nowMs >= retryAfterMs;
        return (
          isSound && (retryAfterMs === 0 || isPersisted) && untilMs - nowMs <= HOUR_MS && retries >= 0 && retries <= 20
        );
      });
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), isRight), { seed: 1, numRuns: 400 });
  });
});
