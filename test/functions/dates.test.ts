import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ArgumentError } from "../../src/client/errors";
import { isDay, isSerial, toDateTime, toMonthEnd, toSerial } from "../../src/functions/dates";
import { readOnePeriod, readPeriods, toPeriodName, toPrevious } from "../../src/functions/views/period-list";
import { addDays, readRange, toToday, toWeekStart } from "../../src/functions/views/periods";
import { DEFAULT_SETTINGS } from "../../src/session/settings";
import rows from "./dates.json";

describe("date serials", () => {
  const SERIALS = rows.serials as [number, 1900 | 1904, string][];
  it.each(SERIALS)("read %d of a workbook of %d as %s", (serial, dateSystem, moment) => {
    expect(toDateTime(serial, dateSystem)).toBe(moment);
  });

  it("round-trip every day in both date systems", () => {
    const law = fc.property(
      fc.integer({ min: 1463, max: 2_950_000 }),
      fc.constantFrom(1900 as const, 1904 as const),
      (serial, system) => {
        expect(toSerial(toDateTime(serial, system).slice(0, 10), system)).toBe(serial);
      },
    );
    fc.assert(law, { seed: 7 });
  });

  it("exclude numbers that cannot be serials", () => {
    expect([0, -1, Number.NaN, 2_958_466, 20_240_101].filter(isSerial)).toEqual([]);
    expect([1, 45000.25, 2_958_465].every(isSerial)).toBe(true);
  });
});

describe("calendar days", () => {
  it.each(rows.noDays)("exclude %s", (text) => {
    expect(isDay(text)).toBe(false);
  });

  it("include a leap day and Excel's first day", () => {
    expect(["2024-02-29", "1900-01-01"].every(isDay)).toBe(true);
  });

  it("count over months and leap days", () => {
    expect(addDays("2024-02-28", 2)).toBe("2024-03-01");
    expect(addDays("2024-01-01", -1)).toBe("2023-12-31");
    const ends = [toMonthEnd(2024, 2), toMonthEnd(2023, 2), toMonthEnd(2024, 12)];
    expect(ends).toEqual(["2024-02-29", "2023-02-28", "2024-12-31"]);
  });

  it("take today from the time zone's calendar", () => {
    const lateInLondon = Date.UTC(2024, 4, 31, 20);
    expect(toToday(lateInLondon, "Asia/Tokyo")).toBe("2024-06-01");
    expect(toToday(lateInLondon, "Europe/London")).toBe("2024-05-31");
  });

  it.each(rows.weeks as [number, number, string | null][])("start week %d-W%d on %s", (year, week, monday) => {
    expect(toWeekStart(year, week)).toBe(monday);
  });
});

describe("a range of time", () => {
  /** 2024-05-15 in Tokyo, still the 14th in London. */
  const NOW_MS = Date.UTC(2024, 4, 14, 16);
  const read = (start: unknown, end: unknown = null, settings = DEFAULT_SETTINGS) =>
    readRange(start, end, settings, NOW_MS);

  it.each<unknown[]>(rows.ranges)("accepts %s", (_, start, end, from, to) => {
    expect(Object.values(read(start, end).range)).toEqual([from, to]);
  });

  it.each<unknown[]>(rows.noRanges)("rejects %s", (_, start, end, message) => {
    expect(() => read(start, end)).toThrow(ArgumentError);
    expect(() => read(start, end)).toThrow(new RegExp(String(message)));
  });

  it("counts serials from 1904 in a 1904 workbook", () => {
    const { range } = read(43830, 43860, { ...DEFAULT_SETTINGS, dateSystem: 1904 });
    expect(range).toEqual({ start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" });
  });

  it("takes today from the time zone of the settings", () => {
    const { range } = read("-1d", null, { ...DEFAULT_SETTINGS, timeZone: "Europe/London" });
    expect(range.start).toBe("2024-05-13T00:00:00");
  });

  it("may begin on a day that another time zone has by then, and on no later one", () => {
    const london = { ...DEFAULT_SETTINGS, timeZone: "Europe/London" };
    expect(read("2024-05-15", null, london).range.start).toBe("2024-05-15T00:00:00");
    expect(() => read("2024-05-16", null, london)).toThrow("the period begins after today");
  });

  it("knows whether it depends on today", () => {
    const relative = [read("-7d"), read("MTD"), read("2024-01-01", "-1d")];
    const fixed = [read("2024-01-01", "2024-01-02"), read("2024-03")];
    expect([...relative, ...fixed].map(({ isRelative }) => isRelative)).toEqual([true, true, true, false, false]);
  });

  it("is ordered, or an error with a sentence, for any input", () => {
    const anything = fc.oneof(
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.constantFrom(null, true, "", 0, "-7d", "2024-03", "0000-W01", "0024-03", 45292),
    );
    const law = fc.property(anything, anything, (start, end) => {
      try {
        const { range } = read(start, end);
        expect(range.start).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
        expect(range.start <= range.end).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ArgumentError);
      }
    });
    fc.assert(law, { seed: 11, numRuns: 2000 });
  });
});

/** A Wednesday in Tokyo. */
const WEDNESDAY_MS = Date.UTC(2024, 2, 20, 3);

describe("periods", () => {
  const read = (argument: unknown, nowMs = WEDNESDAY_MS, settings = DEFAULT_SETTINGS) =>
    readPeriods(argument, settings, nowMs);
  const listNames = (argument: unknown) => read(argument).value.map((days) => days && toPeriodName(days));
  const listDays = (argument: unknown) => read(argument).value.map((days) => days && `${days.first} ${days.last}`);

  it("of weeks back are the same from Monday to Sunday, so that an ended week is read once", () => {
    const [monday, sunday] = [Date.UTC(2024, 2, 17, 15), Date.UTC(2024, 2, 24, 14, 59)];
    expect(read("-3w", monday).value).toEqual(read("-3w", sunday).value);
    expect(read("-3w", sunday + 60_000).value).not.toEqual(read("-3w", sunday).value);
    expect(read("-2w").isRelative).toBe(true);
    expect(listNames([["-12w"]])).toHaveLength(12);
  });

  it.each<unknown[]>(rows.columns)("are each a column, or an empty one for a blank cell: %j", (argument, names) => {
    expect(listNames(argument)).toEqual(names);
  });

  const DAYS: unknown[][] = rows.days;
  it.each(DAYS)("are whole ones back, or begin at each date and end before the next: %j", (given, days) => {
    expect(listDays(given)).toEqual(days);
  });

  it("count serials from 1904 in a 1904 workbook", () => {
    const since1904 = read([[43_830, 43_861]], WEDNESDAY_MS, { ...DEFAULT_SETTINGS, dateSystem: 1904 });
    expect(since1904.value.map((days) => days && toPeriodName(days))).toEqual(["2024-01", "2024-02"]);
  });

  const STEPS: unknown[][] = rows.steps;
  it.each(STEPS)("from firsts of months at equal steps are as many whole months: %j", (dates, first, last) => {
    expect([listDays([dates]).at(0), listDays([dates]).at(-1)]).toEqual([first, last]);
  });

  it.each<unknown[]>(rows.noPeriods)("are refused with a sentence: %j", (argument, sentence) => {
    expect(() => read(argument)).toThrow(String(sentence));
  });
});

describe("one period", () => {
  const readOne = (argument: unknown) => readOnePeriod(argument, "period", DEFAULT_SETTINGS, WEDNESDAY_MS);
  const toText = ({ first, last }: { first: string; last: string }) => `${first} ${last}`;

  it.each<unknown[]>(rows.onePeriod)("runs from its first day to its last: %j", (argument, days) => {
    expect(toText(readOne(argument)!.value)).toBe(days);
  });

  it("is none where it is blank, and is refused where it ends before it begins", () => {
    expect(["", 0, null].map(readOne)).toEqual([null, null, null]);
    expect(() => readOne("2024-03:2024-01")).toThrow("period begins after it ends");
  });

  it.each<unknown[]>(rows.previous)("has a previous one of equal length: %j", (argument, days) => {
    expect(toText(toPrevious(readOne(argument)!.value))).toBe(days);
  });
});
