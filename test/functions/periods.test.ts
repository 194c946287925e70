import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ArgumentError } from "../../src/client/errors";
import { readRange } from "../../src/functions/views/periods";
import { DEFAULT_SETTINGS } from "../../src/session/settings";

/** 2024-05-15 in Tokyo, still the 14th in London. */
const NOW_MS = Date.UTC(2024, 4, 14, 16);

const read = (start: unknown, end: unknown = null, settings = DEFAULT_SETTINGS) =>
  readRange(start, end, settings, NOW_MS);
const range = (start: unknown, end?: unknown) => Object.values(read(start, end).range);

describe("a range of time", () => {
  it.each([
    ["ISO days", "2024-01-01", "2024-01-31", "2024-01-01T00:00:00", "2024-01-31T23:59:59"],
    ["one day", "2024-01-01", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T23:59:59"],
    [
      "date-times, as written",
      "2024-01-01T08:30:15",
      "2024-01-01T09:00:00",
      "2024-01-01T08:30:15",
      "2024-01-01T09:00:00",
    ],
    [
      "date-times without seconds",
      "2024-01-01 08:30",
      "2024-01-01T09:00",
      "2024-01-01T08:30:00",
      "2024-01-01T09:00:00",
    ],
    ["date cells", 45292, 45322, "2024-01-01T00:00:00", "2024-01-31T23:59:59"],
    ["date-time cells", 45292.5, 45292.75, "2024-01-01T12:00:00", "2024-01-01T18:00:00"],
    ["a month alone", "2024-02", null, "2024-02-01T00:00:00", "2024-02-29T23:59:59"],
    ["months", "2023-11", "2024-02", "2023-11-01T00:00:00", "2024-02-29T23:59:59"],
    ["a week alone", "2024-W12", null, "2024-03-18T00:00:00", "2024-03-24T23:59:59"],
    ["days back, up to yesterday", "-7d", null, "2024-05-08T00:00:00", "2024-05-14T23:59:59"],
    ["weeks back", "-4w", 0, "2024-04-17T00:00:00", "2024-05-14T23:59:59"],
    ["days back to a day back", "-14d", "-7d", "2024-05-01T00:00:00", "2024-05-08T23:59:59"],
    ["the month before", "-1m", null, "2024-04-01T00:00:00", "2024-04-30T23:59:59"],
    ["months back, over a new year", "-6M", "", "2023-11-01T00:00:00", "2024-04-30T23:59:59"],
    ["months back to a month back", "-4m", "-3m", "2024-01-01T00:00:00", "2024-02-29T23:59:59"],
    ["month to date", "MTD", "", "2024-05-01T00:00:00", "2024-05-15T23:59:59"],
    ["year to date", " ytd ", null, "2024-01-01T00:00:00", "2024-05-15T23:59:59"],
    ["a day to now", "2024-04-01", "MTD", "2024-04-01T00:00:00", "2024-05-15T23:59:59"],
  ])("accepts %s", (_, start, end, from, to) => {
    expect(range(start, end)).toEqual([from, to]);
  });

  it.each([
    ["nothing", null, "2024-01-31", /start is missing/],
    ["a blank cell", 0, "2024-01-31", /start is missing/],
    ["empty text", "", "2024-01-31", /start is missing/],
    ["a day without an end", "2024-01-01", null, /end is missing/],
    ["a day with a blank end", "2024-01-01", 0, /end is missing/],
    ["an end before the start", "2024-02-01", "2024-01-31", /start is after end/],
    ["an offset", "2024-01-01T00:00:00+09:00", "2024-01-31", /no time zone: write "2024-01-01T00:00:00"/],
    ["an offset after minutes", "2024-01-01T09:00+09:00", "2024-01-31", /write "2024-01-01T09:00", not/],
    ["UTC", "2024-01-01T00:00:00Z", "2024-01-31", /no time zone/],
    ["a day that is none", "2024-02-30", "2024-03-01", /start must be a date/],
    ["a time that is none", "2024-02-01T25:00:00", "2024-03-01", /start must be a date/],
    ["a month that is none", "2024-13", null, /start must be a date/],
    ["a week that is none", "2021-W53", null, /start must be a date/],
    ["a month before Excel's days", "0024-03", null, /start must be a date.*not "0024-03"/],
    ["a week before Excel's days", "0000-W01", null, /start must be a date.*not "0000-W01"/],
    ["a day before Excel's days", "0024-03-01", "2024-03-01", /start must be a date.*not "0024-03-01"/],
    ["a date-time before Excel's days", "1899-12-31T10:00", "2024-03-01", /start must be a date/],
    ["an end before Excel's days", "2024-03-01", "0024-03", /end must be a date/],
    ["no days back", "-0d", null, /start must be a date/],
    ["no months back", "-0m", null, /start must be a date/],
    ["words", "last week", "2024-01-31", /start must be a date.*not "last week"/],
    ["a year as a number", 2024, 45322, /for the year write "2024-01-01"/],
    ["a day as a number", 20240101, 45322, /not the number 20240101/],
    ["TRUE", true, 45322, /start must be a date/],
    ["words as end", "2024-01-01", "tomorrow", /end must be a date/],
  ])("rejects %s", (_, start, end, message) => {
    expect(() => read(start, end)).toThrow(ArgumentError);
    expect(() => read(start, end)).toThrow(message);
  });

  it("counts serials from 1904 in a 1904 workbook", () => {
    const { range } = read(43830, 43860, { ...DEFAULT_SETTINGS, dateSystem: 1904 });
    expect(range).toEqual({ start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" });
  });

  it("takes today from the time zone of the settings", () => {
    const { range } = read("-1d", null, { ...DEFAULT_SETTINGS, timeZone: "Europe/London" });
    expect(range.start).toBe("2024-05-13T00:00:00");
  });

  it("knows whether it depends on today", () => {
    expect([read("-7d"), read("MTD"), read("2024-01-01", "-1d")].map(({ isRelative }) => isRelative)).toEqual([
      true,
      true,
      true,
    ]);
    expect([read("2024-01-01", "2024-01-02"), read("2024-03")].map(({ isRelative }) => isRelative)).toEqual([
      false,
      false,
    ]);
  });

  it("is ordered, or an error with a sentence, for any input", () => {
    const anything = fc.oneof(
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.constantFrom(null, true, "", 0, "-7d", "2024-03", "0000-W01", "0024-03", 45292),
    );
    fc.assert(
      fc.property(anything, anything, (start, end) => {
        try {
          const { range } = read(start, end);
          expect(range.start).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
          expect(range.start <= range.end).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ArgumentError);
        }
      }),
      { seed: 11, numRuns: 2000 },
    );
  });
});
