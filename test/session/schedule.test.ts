import { beforeEach, describe, expect, it } from "@jest/globals";
import { FAMILIES, type Family } from "../../src/contract/constants";
import type { Refreshed } from "../../src/feed/query-cache";
import { createSchedule, type Schedule } from "../../src/session/schedule";
import type { SheetSchedule } from "../../src/session/settings";
import { createSheetTimer, findNextMs, type ScheduledSheet, type SheetTimer } from "../../src/session/sheet-schedule";
import { type Clock, type ClockOptions, createClock, drain } from "../support/clock";
import rows from "./schedule.json";
import times from "./sheet-times.json";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const OK: Refreshed = { refetched: 3, failures: [], isCancelled: false };

type Row = [what: string, steps: [step: string, given?: unknown][]];
type Steps = Readonly<Record<string, (given: never) => unknown>>;

/** Takes the steps of a table's row in turn. */
async function take(steps: Steps, row: Row[1]): Promise<void> {
  expect(row.filter(([step]) => !(step in steps))).toEqual([]);
  for (const [step, given] of row) {
    await steps[step]?.(given as never);
    await drain();
  }
}

describe("a schedule", () => {
  let clock: Clock;
  let schedule: Schedule;
  let minutes: { [family in Family]?: number };
  let isConnected: boolean;
  /** When each refresh started, in minutes. */
  let begun: number[];
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

  /** What a row of the table does, and what it expects, in turn; times are in minutes. */
  const STEPS: Steps = {
    follow: () => schedule.follow(),
    choose: ({ all: every, ...chosen }: typeof minutes & { all?: number }) =>
      choose(every === undefined ? chosen : all(every)),
    pass: (given: number) => clock.advance(given * MINUTE_MS),
    sleep: (given: number) => clock.sleep(given * MINUTE_MS),
    connected: setConnected,
    refresh: () => schedule.refresh(),
    hold: () => {
      isSlow = true;
    },
    end: () => end(OK),
    fail: () => end({ refetched: 2, failures: [new Error("refused")], isCancelled: false }),
    begun: (expected: number[]) => expect(begun).toEqual(expected),
    minutes: (expected: number[]) => expect(begun.map(Math.floor)).toEqual(expected),
    count: (expected: number) => expect(begun).toHaveLength(expected),
    due: (expected: boolean[]) => expect(due).toEqual(expected),
    families: (expected: Family[][]) => expect(refreshedFamilies).toEqual(expected),
    next: (expected: number | null) => expect(nextInMinutes()).toBe(expected),
    timers: (expected: number) => expect(clock.timers()).toBe(expected),
  };

  it.each(rows.families as Row[])("%s", (_, steps) => take(STEPS, steps));

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

  it("delays again if the machine sleeps before the delay ends", async () => {
    choose(all(5));
    await clock.sleep(480 * MINUTE_MS);
    await clock.advance(5_000);
    await clock.sleep(60 * MINUTE_MS);
    expect(begun).toEqual([]);
    await clock.advance(11_000);
    expect(begun).toEqual([expect.closeTo(540 + 15.5 / 60, 4)]);
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
});

/** Wednesday, 18:30 in Tokyo. */
const START_MS = Date.UTC(2024, 10, 20, 9, 30);
const MONDAY_MS = Date.UTC(2024, 10, 24, 22);
/** Half of the random delay. */
const DELAY_MS = 10_500;

describe("the schedules of sheets", () => {
  let clock: Clock;
  let timer: SheetTimer;
  let sheets: ScheduledSheet[];
  let isConnected: boolean;
  /** How far the computer's clock was set back. */
  let backMs: number;
  /** Whether refreshed sheets get new answers. */
  let isAnswered: boolean;
  let refreshes: { keys: string[]; atMs: number; dueAtMs: number }[];

  beforeEach(() => {
    clock = createClock({ startMs: START_MS });
    [sheets, isConnected, isAnswered, refreshes, backMs] = [[], true, true, [], 0];
    const nowMs = () => clock.nowMs() - backMs;
    timer = createSheetTimer({
      ports: { ...clock.ports, nowMs },
      sheets: () => sheets,
      timeZone: () => "Asia/Tokyo",
      isFree: () => isConnected,
      async refresh(due, dueAtMs) {
        refreshes.push({ keys: due.map(({ key }) => key), atMs: clock.nowMs(), dueAtMs });
        if (isAnswered) for (const sheet of due) sheet.asOfMs = nowMs();
      },
    });
  });

  const plan = (key: string, kind: SheetSchedule["kind"], asOfMs: number | null = START_MS) => {
    sheets.push({ key, schedule: { kind, atMinutes: 7 * 60, weekday: 1 }, asOfMs });
    timer.follow();
  };
  const listKeys = () => refreshes.map(({ keys }) => keys.join("+"));

  /** What a row of the table does, and what it expects, in turn; times are in minutes, of answers from the start. */
  const STEPS: Steps = {
    plan: ([key, kind, asOf]: [string, SheetSchedule["kind"], number | null]) =>
      plan(key, kind, asOf === null ? null : START_MS + asOf * MINUTE_MS),
    follow: () => timer.follow(),
    pass: (given: number) => clock.advance(given * MINUTE_MS),
    setBack: (given: number) => {
      backMs = given * MINUTE_MS;
      timer.follow();
    },
    connected: (is: boolean) => {
      isConnected = is;
    },
    answered: (are: boolean) => {
      isAnswered = are;
    },
    keys: (expected: string[]) => expect(listKeys()).toEqual(expected),
    timers: (expected: number) => expect(clock.timers()).toBe(expected),
  };

  it.each(rows.sheets as Row[])("%s", (_, steps) => take(STEPS, steps));

  it("refresh a weekly sheet on Monday at seven, week after week, within 20 seconds", async () => {
    plan("weekly", "weekly");
    expect(timer.nextAtMs(sheets[0] as ScheduledSheet)).toBe(MONDAY_MS);
    await clock.sleep(MONDAY_MS - START_MS - 11 * MINUTE_MS);
    await clock.advance(11 * MINUTE_MS);
    expect(listKeys()).toEqual([]);
    await clock.advance(20_000);
    expect(refreshes).toEqual([{ keys: ["weekly"], atMs: MONDAY_MS + DELAY_MS, dueAtMs: MONDAY_MS }]);
    await clock.sleep(7 * DAY_MS - 11 * MINUTE_MS);
    await clock.advance(11 * MINUTE_MS);
    expect(refreshes.at(-1)?.dueAtMs).toBe(MONDAY_MS + 7 * DAY_MS);
    expect(refreshes).toHaveLength(2);
  });

  it("count the age that they accept from the last time of a schedule", async () => {
    plan("daily", "daily", START_MS - 9 * DAY_MS);
    await clock.advance(MINUTE_MS);
    const lastMs = START_MS - (START_MS % DAY_MS) - 2 * HOUR_MS; // seven in Tokyo on the same day
    expect(refreshes.map(({ dueAtMs }) => dueAtMs)).toEqual([lastMs]);
  });

  it("keep the time of an overdue refresh, however often anything changes meanwhile", async () => {
    plan("weekly", "weekly", START_MS - 30 * DAY_MS);
    for (let second = 0; second < 11; second++) {
      await clock.advance(1_000);
      timer.follow();
    }
    expect(refreshes.map(({ atMs }) => atMs)).toEqual([START_MS + DELAY_MS]);
  });

  it("follow another schedule, an earlier answer and a removed sheet", async () => {
    plan("one", "weekly");
    (sheets[0] as ScheduledSheet).schedule = { kind: "every-15", atMinutes: 0, weekday: 0 };
    timer.follow();
    await clock.advance(16 * MINUTE_MS);
    expect(listKeys()).toEqual(["one"]);
    sheets = [];
    timer.follow();
    await clock.advance(DAY_MS);
    await drain();
    expect([listKeys(), clock.timers()]).toEqual([["one"], 0]);
  });
});

const [SUNDAY, MONDAY, SATURDAY] = [0, 1, 6];

const next = (schedule: Partial<SheetSchedule>, after: string, timeZone = "Asia/Tokyo") => {
  const whole: SheetSchedule = { kind: "weekly", atMinutes: 7 * 60, weekday: MONDAY, ...schedule };
  const atMs = findNextMs(whole, Date.parse(after), timeZone);
  return atMs === null ? null : new Date(atMs).toISOString().replace(":00.000", "");
};

describe("the next refresh of a sheet", () => {
  it("is never by hand, and an interval after its data", () => {
    expect(next({ kind: "manual" }, "2024-11-20T09:30Z")).toBeNull();
    expect(next({ kind: "every-15" }, "2024-11-20T09:30Z")).toBe("2024-11-20T09:45Z");
    expect(next({ kind: "every-60" }, "2024-11-20T09:30Z")).toBe("2024-11-20T10:30Z");
  });

  const DAILY = times.daily as [string, string, string][];
  it.each(DAILY)("is daily in the workbook's time zone for data %s", (_, after, expected) => {
    expect(next({ kind: "daily" }, after)).toBe(expected);
  });

  it.each(times.weekly as [string, string, string][])("is on Monday morning for data of %s", (_, after, expected) => {
    expect(next({}, after)).toBe(expected);
  });

  it("is on each weekday within the week after the data", () => {
    const days = Array.from({ length: 7 }, (_, weekday) => next({ weekday }, "2024-11-20T00:00Z", "UTC")?.slice(8, 10));
    expect(days).toEqual(["24", "25", "26", "20", "21", "22", "23"]);
  });

  it("is at midnight, and a minute before it, of its own day", () => {
    expect(next({ kind: "daily", atMinutes: 0 }, "2024-11-20T09:30Z", "UTC")).toBe("2024-11-21T00:00Z");
    expect(next({ weekday: SATURDAY, atMinutes: 1439 }, "2024-11-20T09:30Z", "UTC")).toBe("2024-11-23T23:59Z");
    expect(next({ weekday: SUNDAY, atMinutes: 0 }, "2024-11-23T23:59:59Z", "UTC")).toBe("2024-11-24T00:00Z");
  });

  it.each(times.summerTime as [string, number, string, string][])("%s", (_, atMinutes, after, expected) => {
    expect(next({ kind: "daily", atMinutes }, after, "Europe/Berlin")).toBe(expected);
  });

  it("is a week of 167 or 169 hours later over a change of the clocks", () => {
    expect(next({}, "2024-03-25T06:00Z", "Europe/Berlin")).toBe("2024-04-01T05:00Z");
    expect(next({}, "2024-10-21T05:00Z", "Europe/Berlin")).toBe("2024-10-28T06:00Z");
  });
});
