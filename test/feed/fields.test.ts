import { describe, expect, it } from "@jest/globals";
import { RANKING_FIELDS } from "../../src/feed/field-tables";
import { findField, pickField } from "../../src/feed/fields";

describe("a field's name", () => {
  it.each(["totalPageViews", "TOTALPAGEVIEWS", "total_page_views", "Page views"])("%p is totalPageViews", (name) => {
    expect(findField(name, RANKING_FIELDS, [])).toMatchObject({ name: "totalPageViews" });
  });

  it("may be one that only the answer knows", () => {
    const rows = [{}, { newField: { part: 3 } }];
    expect(findField("newField.part", RANKING_FIELDS, rows)).toEqual({
      name: "newField.part",
      header: "newField.part",
      kind: "text",
    });
  });

  it("that nobody knows gives the closest one", () => {
    expect(findField("tiker", RANKING_FIELDS, [{}])).toEqual({ closest: "tickerSymbol" });
    expect(findField("constructor", RANKING_FIELDS, [{}])).toHaveProperty("closest");
  });
});

describe("the fields of the ranking", () => {
  it("are numbers where they are counted or measured, and text otherwise", () => {
    const names = RANKING_FIELDS.filter(({ kind }) => kind !== "number").map(({ name }) => name);
    expect(names).toEqual(["companyName", "tickerSymbol", "headquarters"]);
  });
});

describe("a field's value", () => {
  const row = { name: "A", time: { avg: 1.5, max: null }, list: [1] };

  it.each([
    ["name", "A"],
    ["time.avg", 1.5],
    ["time.max", null],
    ["time.min", undefined],
    ["time.avg.more", undefined],
    ["name.length", undefined],
    ["toString", undefined],
    ["__proto__", undefined],
  ])("at %p is %p", (name, value) => {
    expect(pickField(row, name)).toBe(value);
  });
});
