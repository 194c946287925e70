import { describe, expect, it } from "@jest/globals";
import { FeedError } from "../../src/client/errors";
import { RANKING_FIELDS } from "../../src/feed/field-tables";
import { Formatted } from "../../src/functions/cells";
import { readFields, toFieldValue, toTable } from "../../src/functions/views/table";

const show = (rows: Record<string, unknown>[], names: string[]) =>
  toTable(rows, {
    fields: readFields(names, RANKING_FIELDS, rows),
    headers: false,
    expected: rows.length,
    dateSystem: 1900,
  }).rows;

describe("a number field", () => {
  it.each([0, -1.5, null, undefined])("shows %p unchanged", (value) => {
    expect(show([{ totalPageViews: value }], ["totalPageViews"])).toEqual([[value]]);
  });

  it.each([["12345"], [""], [true], [{}], [[1]], [Number.POSITIVE_INFINITY], [Number.NaN]])(
    "shows %p as an error in its own cell, with the column's header",
    (value) => {
      const [row] = show([{ companyName: "A", engagementTime: { avg: value } }], ["companyName", "engagementTime.avg"]);
      const sentence = '"Engagement avg (minutes)" is no number in the provider\'s answer; report it to the provider';
      expect(row).toEqual(["A", new FeedError("FEED_RESPONSE_MALFORMED", sentence)]);
      expect(row?.[1]).toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
    },
  );
});

describe("a field of another kind", () => {
  it("shows any value of the answer", () => {
    expect(show([{ companyName: 7, other: "8" }], ["companyName", "other"])).toEqual([[7, "8"]]);
  });
});

describe("a day or date-time field", () => {
  const day = { name: "d", header: "Day", kind: "day" } as const;
  const moment = { name: "m", header: "Moment", kind: "moment" } as const;

  it("is a serial of the workbook's date system, and the provider's text if that is impossible", () => {
    expect(toFieldValue("1902-03-04", day, 1900)).toEqual(new Formatted(794, "yyyy-mm-dd"));
    expect(toFieldValue("1902-03-04", day, 1904)).toBe("1902-03-04");
    expect(toFieldValue("n/a", day, 1900)).toBe("n/a");
    expect(toFieldValue("2024-01-31T06:00:00.123Z", moment, 1900)).toEqual(
      new Formatted(45_322.25, "yyyy-mm-dd hh:mm"),
    );
    expect(toFieldValue("2024-01-31T06:00:00+09:00", moment, 1900)).toBe("2024-01-31T06:00:00+09:00");
  });

  it.each([981_158_400_000, true, {}])("shows %p as an error in its own cell", (value) => {
    expect(toFieldValue(value, day, 1900)).toMatchObject({
      code: "FEED_RESPONSE_MALFORMED",
      message: expect.stringMatching(/^"Day" is no date/),
    });
  });
});
