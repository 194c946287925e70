import { describe, expect, it } from "@jest/globals";
import { Throttled } from "../../src/functions/view-observer";
import { createClock } from "../support/clock";

const IDLE_SCHEDULER = { finish: () => {}, areWaiting: () => false };

/** A throttle whose outputs take a time each. */
function start(costMs: number) {
  const clock = createClock();
  const shownAtMs: number[] = [];
  const beganMs = clock.nowMs();
  let spentMs = 0;
  const ports = { ...clock.ports, nowMs: () => clock.nowMs() + spentMs };
  class Shown extends Throttled {
    protected show(): void {
      shownAtMs.push(ports.nowMs() - beganMs);
      spentMs += costMs;
    }
  }
  const throttle = new Shown({ ports, scheduler: { ...IDLE_SCHEDULER, take: (task) => task.run() } });
  return { clock, throttle, shownAtMs };
}

describe("the throttle of a cell", () => {
  it("shows each change at once if output takes no time", () => {
    const { throttle, shownAtMs, clock } = start(0);
    for (let count = 0; count < 3; count++) throttle.request();
    expect(shownAtMs).toEqual([0, 0, 0]);
    expect(clock.timers()).toBe(0);
  });

  it("shows ten changes, then pauses four times the output time, and shows the latest once", async () => {
    const { clock, throttle, shownAtMs } = start(50);
    for (let count = 0; count < 100; count++) throttle.request();
    expect(shownAtMs).toEqual([0, 50, 100, 150, 200, 250, 300, 350, 400, 450]);
    await clock.advance(199);
    expect(shownAtMs).toHaveLength(10);
    await clock.advance(1);
    expect(shownAtMs.slice(10)).toEqual([700]);
    await clock.advance(10_000);
    expect(shownAtMs).toHaveLength(11);
  });

  it("shows at once after a long pause", async () => {
    const { clock, throttle, shownAtMs } = start(50);
    for (let count = 0; count < 10; count++) throttle.request();
    await clock.advance(1_000);
    throttle.request();
    expect(shownAtMs.at(-1)).toBe(1_500);
  });

  it("shows nothing once stopped, and leaves no timer", async () => {
    const { clock, throttle, shownAtMs } = start(50);
    for (let count = 0; count < 11; count++) throttle.request();
    throttle.stop();
    expect(clock.timers()).toBe(0);
    await clock.advance(1_000);
    expect(shownAtMs).toHaveLength(10);
  });
});
