import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isDay, isSerial, toDateTime, toSerial } from "../../src/functions/dates";
import { addDays, toMonthEnd, toToday, toWeekStart } from "../../src/functions/views/calendar";

describe("date serials", () => {
  it.each([
    [1, 1900, "1900-01-01T00:00:00"],
    [59, 1900, "1900-02-28T00:00:00"],
    [61, 1900, "1900-03-01T00:00:00"],
    [45000, 1900, "2023-03-15T00:00:00"],
    [45000.5, 1900, "2023-03-15T12:00:00"],
    [45000.999995, 1900, "2023-03-16T00:00:00"],
    [43538, 1904, "2023-03-15T00:00:00"],
    [36526, 1900, "2000-01-01T00:00:00"],
    [35064, 1904, "2000-01-01T00:00:00"],
  ] as const)("read %d of a workbook of %d as %s", (serial, dateSystem, moment) => {
    expect(toDateTime(serial, dateSystem)).toBe(moment);
  });

  it("round-trip every day in both date systems", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1463, max: 2_950_000 }),
        fc.constantFrom(1900 as const, 1904 as const),
        (serial, system) => {
          expect(toSerial(toDateTime(serial, system).slice(0, 10), system)).toBe(serial);
        },
      ),
      { seed: 7 },
    );
  });

  it("exclude numbers that cannot be serials", () => {
    expect([0, -1, Number.NaN, 2_958_466, 20_240_101].map(isSerial)).toEqual([false, false, false, false, false]);
    expect([1, 45000.25, 2_958_465].map(isSerial)).toEqual([true, true, true]);
  });
});

describe("calendar days", () => {
  it.each(["2023-02-29", "2023-13-01", "2023-1-1", "20230101", "2023-04-31", "", "0024-03-01", "1899-12-31"])(
    "exclude %s",
    (text) => {
      expect(isDay(text)).toBe(false);
    },
  );

  it("include a leap day and Excel's first day", () => {
    expect([isDay("2024-02-29"), isDay("1900-01-01")]).toEqual([true, true]);
  });

  it("count over months and leap days", () => {
    expect(addDays("2024-02-28", 2)).toBe("2024-03-01");
    expect(addDays("2024-01-01", -1)).toBe("2023-12-31");
    expect([toMonthEnd(2024, 2), toMonthEnd(2023, 2), toMonthEnd(2024, 12)]).toEqual([
      "2024-02-29",
      "2023-02-28",
      "2024-12-31",
    ]);
  });

  it("take today from the time zone's calendar", () => {
    const lateInLondon = Date.UTC(2024, 4, 31, 20);
    expect(toToday(lateInLondon, "Asia/Tokyo")).toBe("2024-06-01");
    expect(toToday(lateInLondon, "Europe/London")).toBe("2024-05-31");
  });

  it.each([
    [2024, 1, "2024-01-01"],
    [2024, 12, "2024-03-18"],
    [2020, 53, "2020-12-28"],
    [2021, 53, null],
    [2021, 1, "2021-01-04"],
    [2024, 0, null],
  ] as const)("start week %d-W%d on %s", (year, week, monday) => {
    expect(toWeekStart(year, week)).toBe(monday);
  });
});
