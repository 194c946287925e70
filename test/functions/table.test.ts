import { describe, expect, it } from "@jest/globals";
import { FeedError } from "../../src/feed/errors";
import { RANKING_FIELDS } from "../../src/feed/field-tables";
import { readFields, toTable } from "../../src/functions/table";

const show = (rows: Record<string, unknown>[], names: string[]) =>
  toTable(rows, {
    fields: readFields(names, RANKING_FIELDS, rows),
    headers: false,
    expected: rows.length,
    dateSystem: 1900,
  }).rows;

describe("a field that is a number", () => {
  it.each([0, -1.5, null, undefined])("shows %p as it is", (value) => {
    expect(show([{ totalPageViews: value }], ["totalPageViews"])).toEqual([[value]]);
  });

  it.each([["12345"], [""], [true], [{}], [[1]], [Number.POSITIVE_INFINITY], [Number.NaN]])(
    "shows an error of its own cell for %p, by the header of its column",
    (value) => {
      const [row] = show([{ companyName: "A", engagementTime: { avg: value } }], ["companyName", "engagementTime.avg"]);
      const sentence = "Engagement avg (minutes) is no number in the provider's answer; report it to the provider";
      expect(row).toEqual(["A", new FeedError("FEED_RESPONSE_MALFORMED", sentence)]);
      expect(row?.[1]).toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
    },
  );
});

describe("a field that is none", () => {
  it("shows whatever the answer has", () => {
    expect(show([{ companyName: 7, other: "8" }], ["companyName", "other"])).toEqual([[7, "8"]]);
  });
});
