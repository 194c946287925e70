import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createMemoryThrottle, toAloneIntervalMs } from "../../../src/firm/stores/throttle";
import { countInSecond } from "../count-in-second";

/** 20 a second. */
const PER_MINUTE = 1200;

describe("a throttle in memory", () => {
  it("admits at most one action above a second's share in any second, whenever it is tried", async () => {
    const tries = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 100, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(60, 90, 600, 1200, 3000), tries, async (perMinute, waits) => {
        let nowMs = 0;
        const throttle = createMemoryThrottle(perMinute, () => nowMs);
        const admitted: number[] = [];
        for (const waitMs of waits) {
          nowMs += waitMs;
          while ((await throttle.take()) === 0) admitted.push(nowMs);
        }
        expect(countInSecond(admitted)).toBeLessThanOrEqual(Math.floor(perMinute / 60) + 1);
      }),
      { seed: 35 },
    );
  });

  it("loses no share to actions that are late by less than 0.3 of an interval", async () => {
    let nowMs = 0;
    const throttle = createMemoryThrottle(PER_MINUTE, () => nowMs);
    let admitted = 0;
    for (; nowMs < 10_000; nowMs += 14) if ((await throttle.take()) === 0) admitted += 1;
    expect(admitted).toBeGreaterThanOrEqual(195);
  });
});

it.each([
  [600, 3],
  [1200, 3],
  [3000, 4],
  [6000, 7],
])("instances that are alone keep to %i a minute with %i of them, whenever each begins", (perMinute, count) => {
  const intervalMs = toAloneIntervalMs(perMinute, count);
  const most = Math.floor(1000 / intervalMs) + 1;
  expect(most * count).toBeLessThanOrEqual(perMinute / 60 + 1);
});
