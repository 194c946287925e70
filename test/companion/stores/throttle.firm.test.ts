import { describe, expect, it } from "@jest/globals";
import type { Stores, Throttle } from "../../../src/companion/stores";
import { until } from "../../support/until";
import { countInSecond } from "../count-in-second";
import { createInstances } from "./instances";

const instances = createInstances();

/** 20 a second. */
const PER_MINUTE = 1200;
const MOST = 21;

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
  await until(() => all.every(({ standing }) => standing() === "shared"));
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
      return until(() => atMs.length >= from + count);
    };
    await actFor(60); // each instance knows the others once all have reported
    await instances.server().kill();
    await until(() => all.every(({ standing }) => standing() === "apart"));
    await actFor(40);
    await instances.restart();
    await until(() => all.every(({ standing }) => standing() === "shared"));
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
