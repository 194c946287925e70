import { beforeEach, describe, expect, it } from "@jest/globals";
import { FAMILIES, type Family } from "../../src/contract/constants";
import type { Refreshed } from "../../src/feed/query-cache";
import { createSchedule, type Schedule } from "../../src/session/schedule";
import { type Clock, type ClockOptions, createClock, drain } from "../support/clock";

const MINUTE_MS = 60_000;
const OK: Refreshed = { refetched: 3, failures: [], isCancelled: false };

describe("a schedule", () => {
  let clock: Clock;
  let schedule: Schedule;
  /** The refresh interval of each family. */
  let minutes: { [family in Family]?: number };
  let isConnected: boolean;
  /** When each refresh started, in minutes. */
  let begun: number[];
  /** The families of each refresh. */
  let refreshedFamilies: (readonly Family[])[];
  /** Whether each started because it was due. */
  let due: boolean[];
  /** Ends the running refresh. */
  let end: (refreshed: Refreshed) => void;
  let isSlow: boolean;
  let startMs: number;

  const nextInMinutes = () => {
    const nextAtMs = schedule.nextAtMs();
    return nextAtMs === null ? null : (nextAtMs - startMs) / MINUTE_MS;
  };

  const open = (options: ClockOptions = {}) => {
    clock = createClock(options);
    startMs = clock.nowMs();
    [minutes, isConnected, isSlow, begun, refreshedFamilies, due] = [{}, true, false, [], [], []];
    schedule = createSchedule({
      ports: clock.ports,
      everyMs: (family) => (minutes[family] === undefined ? null : minutes[family] * MINUTE_MS),
      isFree: () => isConnected,
      notify: () => schedule.follow(), // as the session does on every change
      refresh(families, isDue) {
        refreshedFamilies.push(families);
        due.push(isDue);
        begun.push((clock.nowMs() - startMs) / MINUTE_MS);
        return isSlow ? new Promise((resolve) => (end = resolve)) : Promise.resolve(OK);
      },
    });
  };
  beforeEach(() => open());
  const choose = (chosen: typeof minutes) => {
    minutes = chosen;
    schedule.follow();
  };
  const all = (every: number) => Object.fromEntries(FAMILIES.map((family) => [family, every]));
  const setConnected = (is: boolean) => {
    isConnected = is;
    schedule.follow();
  };

  it("distinguishes a manual refresh from a due one", async () => {
    choose(all(5));
    await clock.advance(5 * MINUTE_MS);
    await schedule.refresh();
    expect(due).toEqual([true, false]);
  });

  it("does nothing until an interval is chosen", async () => {
    schedule.follow();
    await clock.advance(120 * MINUTE_MS);
    expect([begun, clock.timers(), nextInMinutes()]).toEqual([[], 0, null]);
  });

  it("refreshes at the interval and reports its next time", async () => {
    choose(all(5));
    expect(nextInMinutes()).toBe(5);
    await clock.advance(11 * MINUTE_MS);
    expect(begun).toEqual([5, 10]);
    expect(nextInMinutes()).toBe(15);
  });

  it("restarts when the interval changes and ends when it is switched off", async () => {
    choose(all(15));
    await clock.advance(4 * MINUTE_MS);
    choose(all(1));
    await clock.advance(2 * MINUTE_MS);
    expect(begun).toEqual([5, 6]);
    choose({});
    expect([nextInMinutes(), clock.timers()]).toEqual([null, 0]);
    await clock.advance(60 * MINUTE_MS);
    expect(begun).toEqual([5, 6]);
  });

  it("starts no refresh during another, and counts from the end of that one", async () => {
    choose(all(1));
    isSlow = true;
    await clock.advance(4 * MINUTE_MS);
    expect([begun, nextInMinutes()]).toEqual([[1], null]);
    end(OK);
    await drain();
    expect(nextInMinutes()).toBe(5);
    await clock.advance(MINUTE_MS);
    expect(begun).toEqual([1, 5]);
    end(OK);
  });

  it("returns the running refresh to every caller", async () => {
    isSlow = true;
    const both = Promise.all([schedule.refresh(), schedule.refresh()]);
    end(OK);
    expect(await both).toEqual([OK, OK]);
    expect(begun).toEqual([0]);
  });

  it("counts from a manual refresh", async () => {
    choose(all(5));
    await clock.advance(3 * MINUTE_MS);
    await schedule.refresh();
    await clock.advance(4 * MINUTE_MS);
    expect([begun, nextInMinutes()]).toEqual([[3], 8]);
  });

  it("waits while disconnected and makes up for one refresh on reconnecting", async () => {
    choose(all(1));
    setConnected(false);
    expect([nextInMinutes(), clock.timers()]).toEqual([null, 0]);
    await clock.advance(2 * MINUTE_MS);
    expect(begun).toEqual([]);
    setConnected(true);
    await clock.advance(0);
    expect([begun, nextInMinutes()]).toEqual([[2], 3]);
  });

  it.each([
    [0, 1],
    [0.5, 10.5],
    [0.999_999, 20],
  ])("starts an overdue refresh after a random (%d) delay of %d s", async (random, seconds) => {
    open({ random });
    choose(all(5));
    await clock.sleep(480 * MINUTE_MS);
    expect(begun).toEqual([]);
    expect(nextInMinutes()).toBeCloseTo(480 + seconds / 60, 4);
    schedule.follow();
    await clock.advance(seconds * 1000 + 1);
    expect(begun).toEqual([expect.closeTo(480 + seconds / 60, 4)]);
    await clock.advance(5 * MINUTE_MS);
    expect(begun[1]).toBeCloseTo(485 + seconds / 60, 4);
  });

  it("delays an overdue refresh after a late reconnection too", async () => {
    choose(all(5));
    setConnected(false);
    await clock.sleep(480 * MINUTE_MS);
    expect([nextInMinutes(), clock.timers()]).toEqual([null, 0]);
    setConnected(true);
    await clock.advance(10_000);
    expect(begun).toEqual([]);
    await clock.advance(1_000);
    expect(begun).toHaveLength(1);
  });

  it("delays again if the machine sleeps before the delay ends", async () => {
    choose(all(5));
    await clock.sleep(480 * MINUTE_MS);
    await clock.advance(5_000);
    await clock.sleep(60 * MINUTE_MS);
    expect(begun).toEqual([]);
    await clock.advance(11_000);
    expect(begun).toEqual([expect.closeTo(540 + 15.5 / 60, 4)]);
  });

  it("does not delay for the one minute that timers of a hidden page take", async () => {
    choose(all(5));
    await clock.sleep(6 * MINUTE_MS);
    expect(begun).toEqual([6]);
  });

  it("does not delay a manual refresh, which replaces the due one", async () => {
    choose(all(5));
    await clock.sleep(480 * MINUTE_MS);
    await schedule.refresh();
    expect([begun, nextInMinutes()]).toEqual([[480], 485]);
  });

  it("does not refresh early when the connection returns before the next time", async () => {
    choose(all(5));
    await clock.advance(MINUTE_MS);
    setConnected(false);
    await clock.advance(MINUTE_MS);
    setConnected(true);
    expect([begun, nextInMinutes()]).toEqual([[], 5]);
  });

  it("continues after a failed refresh", async () => {
    choose(all(1));
    isSlow = true;
    await clock.advance(MINUTE_MS);
    end({ refetched: 2, failures: [new Error("refused")], isCancelled: false });
    await drain();
    await clock.advance(MINUTE_MS);
    expect(begun).toEqual([1, 2]);
    end(OK);
  });

  it("refreshes only due families, those due together in one refresh", async () => {
    choose({ rankings: 1, financials: 5, companies: 5 });
    await clock.advance(2 * MINUTE_MS);
    setConnected(false); // as while the machine sleeps
    await clock.advance(60 * MINUTE_MS);
    setConnected(true);
    await clock.advance(11_000);
    expect(refreshedFamilies).toEqual([["rankings"], ["rankings"], ["financials", "rankings", "companies"]]);
    expect(begun.map(Math.floor)).toEqual([1, 2, 62]);
  });

  it("refreshes all due families, and again for a manual refresh, which takes no older answers", async () => {
    choose(all(5));
    isSlow = true;
    await clock.advance(5 * MINUTE_MS);
    const own = schedule.refresh();
    end(OK);
    expect([await own, refreshedFamilies]).toEqual([OK, [FAMILIES, FAMILIES]]);
  });

  it("refreshes everything once for two manual refreshes", async () => {
    choose(all(5));
    isSlow = true;
    const [one, other] = [schedule.refresh(), schedule.refresh()];
    end(OK);
    expect([await one, await other, refreshedFamilies]).toEqual([OK, OK, [FAMILIES]]);
  });

  it("keeps the next time of families whose interval did not change", async () => {
    choose({ rankings: 5 });
    await clock.advance(4 * MINUTE_MS);
    choose({ rankings: 5, financials: 15 });
    expect(nextInMinutes()).toBe(5);
  });
});
