import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ArgumentError } from "../../src/client/errors";
import { readRange } from "../../src/functions/views/periods";
import { DEFAULT_SETTINGS } from "../../src/session/settings";
import rows from "./periods.json";

/** 2024-05-15 in Tokyo, still the 14th in London. */
const NOW_MS = Date.UTC(2024, 4, 14, 16);

const read = (start: unknown, end: unknown = null, settings = DEFAULT_SETTINGS) =>
  readRange(start, end, settings, NOW_MS);
const range = (start: unknown, end?: unknown) => Object.values(read(start, end).range);

describe("a range of time", () => {
  it.each<unknown[]>(rows.accepted)("accepts %s", (_, start, end, from, to) => {
    expect(range(start, end)).toEqual([from, to]);
  });

  it.each<unknown[]>(rows.rejected)("rejects %s", (_, start, end, message) => {
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
