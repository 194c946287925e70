import { beforeEach, describe, expect, it } from "@jest/globals";
import { FAMILIES, type Family } from "../../src/feed/keeping";
import type { Refreshed } from "../../src/feed/watch";
import { createSchedule, type Schedule } from "../../src/session/schedule";
import { type Clock, createClock, drain } from "../support/clock";

const MINUTE_MS = 60_000;
const OK: Refreshed = { asked: 3, failures: [], isCancelled: false };

describe("a schedule", () => {
  let clock: Clock;
  let schedule: Schedule;
  /** How often each family is asked again. */
  let minutes: { [family in Family]?: number };
  let isConnected: boolean;
  /** When each refresh began, in minutes. */
  let begun: number[];
  /** What each of them asked. */
  let asked: (readonly Family[])[];
  /** Ends the refresh that is under way. */
  let end: (refreshed: Refreshed) => void;
  let isSlow: boolean;
  let startMs: number;

  const nextInMinutes = () => {
    const nextAtMs = schedule.nextAtMs();
    return nextAtMs === null ? null : (nextAtMs - startMs) / MINUTE_MS;
  };

  beforeEach(() => {
    clock = createClock();
    startMs = clock.nowMs();
    [minutes, isConnected, isSlow, begun, asked] = [{}, true, false, [], []];
    schedule = createSchedule({
      ports: clock.ports,
      everyMs: (family) => (minutes[family] === undefined ? null : minutes[family] * MINUTE_MS),
      isFree: () => isConnected,
      tell: () => schedule.follow(), // as the session does: whatever changes is followed
      refresh(families) {
        asked.push(families);
        begun.push((clock.nowMs() - startMs) / MINUTE_MS);
        return isSlow ? new Promise((resolve) => (end = resolve)) : Promise.resolve(OK);
      },
    });
  });
  const choose = (chosen: typeof minutes) => {
    minutes = chosen;
    schedule.follow();
  };
  const all = (every: number) => Object.fromEntries(FAMILIES.map((family) => [family, every]));
  const setConnected = (is: boolean) => {
    isConnected = is;
    schedule.follow();
  };

  it("does nothing until minutes are chosen", async () => {
    schedule.follow();
    await clock.advance(120 * MINUTE_MS);
    expect([begun, clock.timers(), nextInMinutes()]).toEqual([[], 0, null]);
  });

  it("refreshes every so many minutes, and says when it will next", async () => {
    choose(all(5));
    expect(nextInMinutes()).toBe(5);
    await clock.advance(11 * MINUTE_MS);
    expect(begun).toEqual([5, 10]);
    expect(nextInMinutes()).toBe(15);
  });

  it("counts anew when other minutes are chosen, and ends when it is switched off", async () => {
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

  it("never begins one while another is under way, and counts from where that ends", async () => {
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

  it("gives everybody who asks meanwhile the one that is under way", async () => {
    isSlow = true;
    const both = Promise.all([schedule.refresh(), schedule.refresh()]);
    end(OK);
    expect(await both).toEqual([OK, OK]);
    expect(begun).toEqual([0]);
  });

  it("counts from a refresh that a person asked for", async () => {
    choose(all(5));
    await clock.advance(3 * MINUTE_MS);
    await schedule.refresh();
    await clock.advance(4 * MINUTE_MS);
    expect([begun, nextInMinutes()]).toEqual([[3], 8]);
  });

  it("waits without a connection, and makes up for one refresh when there is one again", async () => {
    choose(all(1));
    setConnected(false);
    expect([nextInMinutes(), clock.timers()]).toEqual([null, 0]);
    await clock.advance(10 * MINUTE_MS);
    expect(begun).toEqual([]);
    setConnected(true);
    await clock.advance(0);
    expect([begun, nextInMinutes()]).toEqual([[10], 11]);
  });

  it("does not hurry when the connection comes back before its time", async () => {
    choose(all(5));
    await clock.advance(MINUTE_MS);
    setConnected(false);
    await clock.advance(MINUTE_MS);
    setConnected(true);
    expect([begun, nextInMinutes()]).toEqual([[], 5]);
  });

  it("goes on after a refresh that failed", async () => {
    choose(all(1));
    isSlow = true;
    await clock.advance(MINUTE_MS);
    end({ asked: 2, failures: [new Error("refused")], isCancelled: false });
    await drain();
    await clock.advance(MINUTE_MS);
    expect(begun).toEqual([1, 2]);
    end(OK);
  });

  it("asks only the families that are due, and those that fell due together in one refresh", async () => {
    choose({ rankings: 1, financials: 5, companies: 5 });
    await clock.advance(2 * MINUTE_MS);
    setConnected(false); // as while the machine sleeps
    await clock.advance(60 * MINUTE_MS);
    setConnected(true);
    await clock.advance(0);
    expect(asked).toEqual([["rankings"], ["rankings"], ["financials", "rankings", "companies"]]);
    expect([begun, nextInMinutes()]).toEqual([[1, 2, 62], 63]);
  });

  it("asks everything where each family is due, in which a person's refresh joins", async () => {
    choose(all(5));
    isSlow = true;
    await clock.advance(5 * MINUTE_MS);
    const joined = schedule.refresh();
    end(OK);
    expect([await joined, asked]).toEqual([OK, [FAMILIES]]);
  });

  it("leaves alone the families that other minutes were chosen for", async () => {
    choose({ rankings: 5 });
    await clock.advance(4 * MINUTE_MS);
    choose({ rankings: 5, financials: 15 });
    expect(nextInMinutes()).toBe(5);
  });
});
