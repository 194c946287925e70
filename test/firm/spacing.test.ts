import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createSpacing, toIntervalMs } from "../../src/firm/relay/rate-limit";
import { countInSecond } from "./count-in-second";

/** 20 a second. */
const PER_MINUTE = 1200;

describe("the spacing of requests", () => {
  it("admits at most one action above a second's share in any second, whenever it is tried", async () => {
    const tries = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 100, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(60, 90, 600, 1200, 3000), tries, async (perMinute, waits) => {
        let nowMs = 0;
        const take = createSpacing(toIntervalMs(perMinute), () => nowMs);
        const admitted: number[] = [];
        for (const waitMs of waits) {
          nowMs += waitMs;
          while (take() === 0) admitted.push(nowMs);
        }
        expect(countInSecond(admitted)).toBeLessThanOrEqual(Math.floor(perMinute / 60) + 1);
      }),
      { seed: 35 },
    );
  });

  it("loses no share to actions that are late by less than 0.3 of an interval", async () => {
    let nowMs = 0;
    const take = createSpacing(toIntervalMs(PER_MINUTE), () => nowMs);
    let admitted = 0;
    for (; nowMs < 10_000; nowMs += 14) if (take() === 0) admitted += 1;
    expect(admitted).toBeGreaterThanOrEqual(195);
  });
});
