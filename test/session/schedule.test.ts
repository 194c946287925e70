import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Refreshed } from "../../src/feed/watch";
import { createSchedule, type Schedule } from "../../src/session/schedule";
import type { RefreshMinutes } from "../../src/session/settings";
import { type Clock, createClock, drain } from "../support/clock";

const MINUTE_MS = 60_000;
const OK: Refreshed = { asked: 3, failures: [], isCancelled: false };

describe("a schedule", () => {
  let clock: Clock;
  let schedule: Schedule;
  let minutes: RefreshMinutes;
  let isConnected: boolean;
  /** When each refresh began, in minutes. */
  let begun: number[];
  /** Ends the refresh that is under way. */
  let end: (refreshed: Refreshed) => void;
  let isSlow: boolean;
  let startMs: number;

  const nextInMinutes = () => {
    const { nextAtMs } = schedule.state();
    return nextAtMs === null ? null : (nextAtMs - startMs) / MINUTE_MS;
  };

  beforeEach(() => {
    clock = createClock();
    startMs = clock.nowMs();
    [minutes, isConnected, isSlow, begun] = [0, true, false, []];
    schedule = createSchedule({
      ports: clock.ports,
      minutes: () => minutes,
      isConnected: () => isConnected,
      tell: () => schedule.follow(), // as the session does: whatever changes is followed
      refresh() {
        begun.push((clock.nowMs() - startMs) / MINUTE_MS);
        return isSlow ? new Promise((resolve) => (end = resolve)) : Promise.resolve(OK);
      },
    });
  });
  const choose = (chosen: RefreshMinutes) => {
    minutes = chosen;
    schedule.follow();
  };
  const setConnected = (is: boolean) => {
    isConnected = is;
    schedule.follow();
  };

  it("does nothing until minutes are chosen", async () => {
    schedule.follow();
    await clock.advance(120 * MINUTE_MS);
    expect([begun, clock.timers(), schedule.state().nextAtMs]).toEqual([[], 0, null]);
  });

  it("refreshes every so many minutes, and says when it last did and when it will next", async () => {
    choose(5);
    expect(nextInMinutes()).toBe(5);
    await clock.advance(11 * MINUTE_MS);
    expect(begun).toEqual([5, 10]);
    expect(schedule.state().last).toEqual({ ...OK, atMs: startMs + 10 * MINUTE_MS });
    expect(nextInMinutes()).toBe(15);
  });

  it("counts anew when other minutes are chosen, and ends when it is switched off", async () => {
    choose(15);
    await clock.advance(4 * MINUTE_MS);
    choose(1);
    await clock.advance(2 * MINUTE_MS);
    expect(begun).toEqual([5, 6]);
    choose(0);
    expect([schedule.state().nextAtMs, clock.timers()]).toEqual([null, 0]);
    await clock.advance(60 * MINUTE_MS);
    expect(begun).toEqual([5, 6]);
  });

  it("never begins one while another is under way, and counts from where that ends", async () => {
    choose(1);
    isSlow = true;
    await clock.advance(4 * MINUTE_MS);
    expect([begun, schedule.state().isRunning, nextInMinutes()]).toEqual([[1], true, null]);
    end(OK);
    await drain();
    expect([schedule.state().isRunning, nextInMinutes()]).toEqual([false, 5]);
    await clock.advance(MINUTE_MS);
    expect(begun).toEqual([1, 5]);
    end(OK);
  });

  it("gives everybody who asks meanwhile the one that is under way", async () => {
    isSlow = true;
    const both = Promise.all([schedule.refresh(), schedule.refresh()]);
    end(OK);
    expect(await both).toEqual([OK, OK]);
    expect(begun).toEqual([0]);
  });

  it("counts from a refresh that a person asked for", async () => {
    choose(5);
    await clock.advance(3 * MINUTE_MS);
    await schedule.refresh();
    await clock.advance(4 * MINUTE_MS);
    expect([begun, nextInMinutes()]).toEqual([[3], 8]);
  });

  it("waits without a connection, and makes up for one refresh when there is one again", async () => {
    choose(1);
    setConnected(false);
    expect([schedule.state().nextAtMs, clock.timers()]).toEqual([null, 0]);
    await clock.advance(10 * MINUTE_MS);
    expect(begun).toEqual([]);
    setConnected(true);
    await clock.advance(0);
    expect([begun, nextInMinutes()]).toEqual([[10], 11]);
  });

  it("does not hurry when the connection comes back before its time", async () => {
    choose(5);
    await clock.advance(MINUTE_MS);
    setConnected(false);
    await clock.advance(MINUTE_MS);
    setConnected(true);
    expect([begun, nextInMinutes()]).toEqual([[], 5]);
  });

  it("goes on after a refresh that failed", async () => {
    choose(1);
    isSlow = true;
    await clock.advance(MINUTE_MS);
    end({ asked: 2, failures: [new Error("refused")], isCancelled: false });
    await drain();
    expect(schedule.state().last?.failures).toHaveLength(1);
    await clock.advance(MINUTE_MS);
    expect(begun).toEqual([1, 2]);
    end(OK);
  });
});
