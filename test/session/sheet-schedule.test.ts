import { beforeEach, describe, expect, it } from "@jest/globals";
import type { SheetSchedule } from "../../src/session/settings";
import { createSheetTimer, type ScheduledSheet, type SheetTimer } from "../../src/session/sheet-schedule";
import { type Clock, createClock, drain } from "../support/clock";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
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
  /** Whether refreshed sheets get new answers. */
  let isAnswered: boolean;
  let refreshes: { keys: string[]; atMs: number; dueAtMs: number }[];

  beforeEach(() => {
    clock = createClock({ startMs: START_MS });
    [sheets, isConnected, isAnswered, refreshes] = [[], true, true, []];
    timer = createSheetTimer({
      ports: clock.ports,
      sheets: () => sheets,
      timeZone: () => "Asia/Tokyo",
      isFree: () => isConnected,
      async refresh(due, dueAtMs) {
        refreshes.push({ keys: due.map(({ key }) => key), atMs: clock.nowMs(), dueAtMs });
        if (isAnswered) for (const sheet of due) sheet.asOfMs = clock.nowMs();
      },
    });
  });

  const plan = (key: string, kind: SheetSchedule["kind"], asOfMs: number | null = START_MS) => {
    sheets.push({ key, schedule: { kind, atMinutes: 7 * 60, weekday: 1 }, asOfMs });
    timer.follow();
  };
  const listKeys = () => refreshes.map(({ keys }) => keys.join("+"));

  it("never refresh a sheet by hand, or one without an answer", async () => {
    plan("hand", "manual");
    plan("empty", "every-15", null);
    await clock.advance(14 * DAY_MS);
    expect([listKeys(), clock.timers()]).toEqual([[], 0]);
  });

  it("refresh a weekly sheet on Monday at seven, week after week, within 20 seconds", async () => {
    plan("weekly", "weekly");
    expect(timer.nextAtMs(sheets[0] as ScheduledSheet)).toBe(MONDAY_MS);
    await clock.advance(MONDAY_MS - START_MS);
    expect(listKeys()).toEqual([]);
    await clock.advance(20_000);
    expect(refreshes).toEqual([{ keys: ["weekly"], atMs: MONDAY_MS + DELAY_MS, dueAtMs: MONDAY_MS }]);
    await clock.advance(7 * DAY_MS);
    expect(refreshes.at(-1)?.dueAtMs).toBe(MONDAY_MS + 7 * DAY_MS);
    expect(refreshes).toHaveLength(2);
  });

  it("go on after the clock was set back", async () => {
    let backMs = 0;
    const nowMs = () => clock.nowMs() - backMs;
    const sheet: ScheduledSheet = {
      key: "quarter",
      schedule: { kind: "every-15", atMinutes: 0, weekday: 1 },
      asOfMs: START_MS - HOUR_MS,
    };
    let count = 0;
    const own = createSheetTimer({
      ports: { ...clock.ports, nowMs },
      sheets: () => [sheet],
      timeZone: () => "Asia/Tokyo",
      isFree: () => true,
      async refresh() {
        count += 1;
        sheet.asOfMs = nowMs();
      },
    });
    own.follow();
    await clock.advance(MINUTE_MS);
    expect(count).toBe(1);
    backMs = DAY_MS;
    own.follow();
    await clock.advance(6 * MINUTE_MS);
    expect(count).toBe(2);
  });

  it("count the age that they accept from the last time of a schedule", async () => {
    plan("daily", "daily", START_MS - 9 * DAY_MS);
    await clock.advance(MINUTE_MS);
    const lastMs = START_MS - (START_MS % DAY_MS) - 2 * HOUR_MS; // seven in Tokyo on the same day
    expect(refreshes.map(({ dueAtMs }) => dueAtMs)).toEqual([lastMs]);
  });

  it("refresh once what fell due while the workbook was closed, together, and not what did not", async () => {
    plan("weekly", "weekly", START_MS - 3 * 7 * DAY_MS);
    plan("daily", "daily", START_MS - 2 * DAY_MS);
    plan("of this week", "weekly", START_MS - DAY_MS);
    await clock.advance(MINUTE_MS);
    expect(listKeys()).toEqual(["weekly+daily"]);
  });

  it("do not refresh again at the next opening of the same period, nor after a refresh by hand", async () => {
    plan("weekly", "weekly", MONDAY_MS - 7 * DAY_MS + MINUTE_MS);
    await clock.advance(DAY_MS);
    expect(listKeys()).toEqual([]);
  });

  it("wait for a connection, then refresh once for all missed times", async () => {
    isConnected = false;
    plan("every hour", "every-60");
    await clock.advance(5 * HOUR_MS);
    expect([listKeys(), clock.timers()]).toEqual([[], 0]);
    isConnected = true;
    timer.follow();
    await clock.advance(MINUTE_MS);
    expect(listKeys()).toEqual(["every hour"]);
  });

  it("keep the time of an overdue refresh, however often anything changes meanwhile", async () => {
    plan("weekly", "weekly", START_MS - 30 * DAY_MS);
    for (let second = 0; second < 11; second++) {
      await clock.advance(1_000);
      timer.follow();
    }
    expect(refreshes.map(({ atMs }) => atMs)).toEqual([START_MS + DELAY_MS]);
  });

  it("send nothing where the connection is lost before the delay ends", async () => {
    plan("weekly", "weekly", START_MS - 30 * DAY_MS);
    isConnected = false;
    await clock.advance(MINUTE_MS);
    expect(listKeys()).toEqual([]);
  });

  it("wait for the next time after a refresh without newer answers, such as one that needs a confirmation", async () => {
    isAnswered = false;
    plan("daily", "daily", START_MS - 2 * DAY_MS);
    await clock.advance(MINUTE_MS);
    await clock.advance(12 * HOUR_MS);
    expect(listKeys()).toEqual(["daily"]);
    await clock.advance(12 * HOUR_MS);
    expect(listKeys()).toEqual(["daily", "daily"]);
  });

  it("refresh data of the future once, since the clock that dated it was wrong", async () => {
    plan("weekly", "weekly", START_MS + 400 * DAY_MS);
    await clock.advance(MINUTE_MS);
    await clock.advance(DAY_MS);
    expect(listKeys()).toEqual(["weekly"]);
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
