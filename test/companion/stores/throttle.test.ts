import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Stores, Throttle } from "../../../src/companion/stores";
import { createMemoryThrottle, toAloneIntervalMs } from "../../../src/companion/stores/throttle";
import { countInSecond } from "../count-in-second";
import { createInstances, waitUntil } from "./instances";

const instances = createInstances();

/** 20 a second. */
const PER_MINUTE = 1200;
const MOST = 21;

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

describe("the share of an instance that is alone", () => {
  it.each([
    [600, 3],
    [1200, 3],
    [3000, 4],
    [6000, 7],
  ])("keeps %i a minute with %i instances, whenever each of them begins", (perMinute, count) => {
    const intervalMs = toAloneIntervalMs(perMinute, count);
    const most = Math.floor(1000 / intervalMs) + 1;
    expect(most * count).toBeLessThanOrEqual(perMinute / 60 + 1);
  });
});

/** Acts as often as a throttle admits until it is stopped, and gives the times. */
function act(throttle: Throttle, atMs: number[], isOver: () => boolean): Promise<void> {
  const actNext = async (): Promise<void> => {
    if (isOver()) return;
    const waitMs = await throttle.take();
    if (waitMs === 0) atMs.push(performance.now());
    else await new Promise((resolve) => setTimeout(resolve, waitMs));
    return actNext();
  };
  return actNext();
}

async function startThree(): Promise<Stores[]> {
  const all = [1, 2, 3].map(() => instances.start().stores);
  await waitUntil(() => all.every(({ standing }) => standing() === "shared"));
  return all;
}

describe("a throttle of three instances", () => {
  it("is one for all of them, also while their server is gone, and when it comes back empty", async () => {
    const all = await startThree();
    const throttles = all.map(({ createThrottle }) => createThrottle("provider", PER_MINUTE));
    const atMs: number[] = [];
    let isOver = false;
    const acting = throttles.map((throttle) => act(throttle, atMs, () => isOver));
    const actFor = (count: number) => {
      const from = atMs.length;
      return waitUntil(() => atMs.length >= from + count);
    };
    await actFor(60); // each instance knows the others once all have reported
    await instances.server().kill();
    await waitUntil(() => all.every(({ standing }) => standing() === "apart"));
    await actFor(40);
    await instances.restart();
    await waitUntil(() => all.every(({ standing }) => standing() === "shared"));
    await actFor(60);
    isOver = true;
    await Promise.all(acting);
    expect(countInSecond(atMs)).toBeLessThanOrEqual(MOST);
    expect(atMs.length).toBeGreaterThanOrEqual(160);
  });

  it("ignores a time far ahead, as of a server whose clock was set back", async () => {
    const [first] = await startThree();
    const throttle = first!.createThrottle("provider", 1);
    expect(await throttle.take()).toBe(0);
    const waitMs = await throttle.take();
    expect(waitMs).toBeGreaterThan(50_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
  });
});
