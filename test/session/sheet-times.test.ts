import { describe, expect, it } from "@jest/globals";
import type { SheetSchedule } from "../../src/session/settings";
import { findNextMs } from "../../src/session/sheet-times";

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

  it.each([
    ["before its time of the day", "2024-11-19T21:59:59.999Z", "2024-11-19T22:00Z"],
    ["at its time", "2024-11-19T22:00Z", "2024-11-20T22:00Z"],
    ["after it", "2024-11-20T09:30Z", "2024-11-20T22:00Z"],
    ["at the end of a year", "2024-12-31T22:00Z", "2025-01-01T22:00Z"],
  ])("is daily in the workbook's time zone for data %s", (_, after, expected) => {
    expect(next({ kind: "daily" }, after)).toBe(expected);
  });

  it.each([
    ["a Wednesday", "2024-11-20T09:30Z", "2024-11-24T22:00Z"],
    ["the Sunday before, which is Monday in Tokyo", "2024-11-24T15:30Z", "2024-11-24T22:00Z"],
    ["the Monday, just before", "2024-11-24T21:59:59.999Z", "2024-11-24T22:00Z"],
    ["the Monday, at the time", "2024-11-24T22:00Z", "2024-12-01T22:00Z"],
    ["the Monday, later", "2024-11-25T03:00Z", "2024-12-01T22:00Z"],
  ])("is on Monday morning for data of %s", (_, after, expected) => {
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

  it.each([
    ["keeps its hour when summer time begins", 7 * 60, "2024-03-30T12:00Z", "2024-03-31T05:00Z"],
    ["keeps its hour when summer time ends", 7 * 60, "2024-10-26T12:00Z", "2024-10-27T06:00Z"],
    ["comes once where the clocks skip its time", 150, "2024-03-30T12:00Z", "2024-03-31T01:30Z"],
    ["is the next day after a skipped time", 150, "2024-03-31T01:30Z", "2024-04-01T00:30Z"],
    ["is the first where the clocks show its time twice", 150, "2024-10-26T12:00Z", "2024-10-27T00:30Z"],
    ["does not come again at the second", 150, "2024-10-27T00:30Z", "2024-10-28T01:30Z"],
  ])("%s", (_, atMinutes, after, expected) => {
    expect(next({ kind: "daily", atMinutes }, after, "Europe/Berlin")).toBe(expected);
  });

  it("is a week of 167 or 169 hours later over a change of the clocks", () => {
    expect(next({}, "2024-03-25T06:00Z", "Europe/Berlin")).toBe("2024-04-01T05:00Z");
    expect(next({}, "2024-10-21T05:00Z", "Europe/Berlin")).toBe("2024-10-28T06:00Z");
  });
});
