import { describe, expect, it } from "@jest/globals";
import { nextTime, readTime, toLocalMinute } from "../../src/refresh/week-time";

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

describe("a time of a week", () => {
  it.each([
    ["MON 07:00", [1], 7, 0],
    ["monday 7:05", [1], 7, 5],
    ["MON-FRI 07:00", [1, 2, 3, 4, 5], 7, 0],
    ["Fri-Mon 23:59", [0, 1, 5, 6], 23, 59],
    ["SUN,tue-Thu, SAT 00:00", [0, 2, 3, 4, 6], 0, 0],
    ["daily 06:30", EVERY_DAY, 6, 30],
    [" 06:30 ", EVERY_DAY, 6, 30],
    ["SUN-SAT 06:30", EVERY_DAY, 6, 30],
  ])("is read: %s", (text, days, hour, minute) => {
    expect(readTime(text)).toEqual({ text: text.trim(), days, hour, minute });
  });

  it.each(["", "MON", "07", "MON 24:00", "MON 07:60", "MO 07:00", "MON- 07:00", "MON-TUE-WED 07:00", "MON,,TUE 07:00"])(
    "is refused with an example: %j",
    (text) => {
      expect(() => readTime(text)).toThrow(
        `"${text}" is no time of a week. Write "MON 07:00", "MON-FRI 07:00" or "daily 06:30".`,
      );
    },
  );

  it.each([
    // A Friday.
    [["FRI 07:00"], "2026-11-27 06:59", "2026-11-27 07:00"],
    [["FRI 07:00"], "2026-11-27 07:00", "2026-12-04 07:00"],
    [["MON-FRI 07:00"], "2026-11-27 08:00", "2026-11-30 07:00"],
    [["daily 06:30"], "2026-12-31 08:00", "2027-01-01 06:30"],
    [["MON 07:00", "SAT 12:15"], "2026-11-27 08:00", "2026-11-28 12:15"],
  ])("comes next by the machine's clock: %j after %s", (times, now, next) => {
    expect(toLocalMinute(nextTime(times.map(readTime), new Date(now)))).toBe(next);
  });
});
