import { describe, expect, it } from "@jest/globals";
import { readOnePeriod, readPeriods, toPeriodName, toPrevious } from "../../../src/functions/views/period-list";
import type { Settings } from "../../../src/session/settings";
import { DEFAULT_SETTINGS } from "../../../src/session/settings";
import rows from "./period-list.json";

/** A Wednesday in Tokyo. */
const NOW_MS = Date.UTC(2024, 2, 20, 3);
const settings: Settings = { ...DEFAULT_SETTINGS, timeZone: "Asia/Tokyo" };

const read = (argument: unknown, given: Settings = settings) => readPeriods(argument, given, NOW_MS);
const listNames = (argument: unknown) => read(argument).value.map((days) => days && toPeriodName(days));
const listDays = (argument: unknown) => read(argument).value.map((days) => days && `${days.first} ${days.last}`);

describe("periods", () => {
  it("of weeks back are whole calendar weeks before this one, the oldest first", () => {
    expect(listDays("-2w")).toEqual(["2024-03-04 2024-03-10", "2024-03-11 2024-03-17"]);
    expect(listNames([["-12w"]])).toHaveLength(12);
    expect(read("-2w").isRelative).toBe(true);
  });

  it("of weeks back are the same from Monday to Sunday, so that an ended week is read once", () => {
    const [monday, sunday] = [Date.UTC(2024, 2, 17, 15), Date.UTC(2024, 2, 24, 14, 59)];
    const listAt = (nowMs: number) => readPeriods("-3w", settings, nowMs).value;
    expect(listAt(monday)).toEqual(listAt(sunday));
    expect(listAt(sunday + 60_000)).not.toEqual(listAt(sunday));
  });

  it("of months and days back are whole ones", () => {
    expect(listNames("-3m")).toEqual(["2023-12", "2024-01", "2024-02"]);
    expect(listNames("-2d")).toEqual(["2024-03-18", "2024-03-19"]);
  });

  it.each<unknown[]>(rows.columns)("are each a column: %j", (argument, names) => {
    expect(listNames(argument)).toEqual(names);
  });

  it("from date cells begin at each date and end before the next", () => {
    const [january, february, march] = [45_292, 45_323, 45_352];
    expect(listNames([[january, february, march]])).toEqual(["2024-01", "2024-02", "2024-03"]);
    expect(listNames([[january], [january + 7], [january + 14]])).toEqual(["2024-W01", "2024-W02", "2024-W03"]);
    expect(listDays([["2024-01-01", "2024-01-11"]])).toEqual(["2024-01-01 2024-01-10", "2024-01-11 2024-01-20"]);
    expect(listNames(january)).toEqual(["2024-01-01"]);
    const since1904 = readPeriods([[43_830, 43_861]], { ...settings, dateSystem: 1904 }, NOW_MS);
    expect(since1904.value.map((days) => days && toPeriodName(days))).toEqual(["2024-01", "2024-02"]);
  });

  it.each<unknown[]>(rows.steps)(
    "from firsts of months at equal steps are as many whole months: %j",
    (dates, first, last) => {
      expect([listDays([dates]).at(0), listDays([dates]).at(-1)]).toEqual([first, last]);
    },
  );

  it("leave the column of a blank cell empty, and none for those at the end", () => {
    expect(listNames([["2024-01", "", null, "2023-W52", null]])).toEqual(["2024-01", null, null, "2023-W52"]);
    expect(listNames([[null, "2024-01"]])).toEqual([null, "2024-01"]);
    expect(listNames([["-2m", 0]])).toEqual(["2024-01", "2024-02"]);
    const dates = ["2024-01-01", "2024-02-01", null, "2024-03-01"];
    expect(listNames([dates])).toEqual(["2024-01", "2024-02", null, "2024-03"]);
  });

  it("from dates go on after a blank cell, also later", () => {
    expect(listNames([["2024-01-01", "2024-02-01", null, "2024-05-01"]])).toEqual([
      "2024-01",
      "2024-02",
      null,
      "2024-05",
    ]);
    expect(listDays([["2024-01-05", null, "2024-01-20", "2024-01-25"]])).toEqual([
      "2024-01-05 2024-01-09",
      null,
      "2024-01-20 2024-01-24",
      "2024-01-25 2024-01-29",
    ]);
  });

  it.each<unknown[]>(rows.refused)("are refused with a sentence: %j", (argument, sentence) => {
    expect(() => read(argument)).toThrow(String(sentence));
  });
});

describe("one period", () => {
  const readOne = (argument: unknown) => readOnePeriod(argument, "period", settings, NOW_MS);

  it.each([
    ["-7d", "2024-03-13 2024-03-19"],
    ["2024-01:2024-03", "2024-01-01 2024-03-31"],
    ["2024-03-04:2024-03-06", "2024-03-04 2024-03-06"],
    [45_292, "2024-01-01 2024-01-01"],
  ])("runs from its first day to its last: %j", (argument, days) => {
    const { first, last } = readOne(argument)?.value ?? { first: "", last: "" };
    expect(`${first} ${last}`).toBe(days);
  });

  it("is none where it is blank, and is refused where it ends before it begins", () => {
    expect(["", 0, null].map(readOne)).toEqual([null, null, null]);
    expect(() => readOne("2024-03:2024-01")).toThrow("period begins after it ends");
  });

  it.each([
    ["2024-03", "2024-02-01 2024-02-29"],
    ["2024-01:2024-03", "2023-10-01 2023-12-31"],
    ["2024-W12", "2024-03-11 2024-03-17"],
    ["-7d", "2024-03-06 2024-03-12"],
    ["2024-03-01", "2024-02-29 2024-02-29"],
    ["2024-03-02:2024-03-31", "2024-02-01 2024-03-01"],
  ])("has a previous one of equal length: %j", (argument, days) => {
    const previous = toPrevious(readOne(argument)?.value ?? { first: "", last: "" });
    expect(`${previous.first} ${previous.last}`).toBe(days);
  });
});
