import { describe, expect, it } from "@jest/globals";
import { COMPANY_FIELDS, RANKING_FIELDS } from "../../src/feed/field-tables";
import { findField, isPlain, isSingular, pickField, unwind } from "../../src/feed/fields";
import CASES from "./fields.json";

describe("a field's name", () => {
  it.each(["totalPageViews", "TOTALPAGEVIEWS", "total_page_views", "Page views"])("%p is totalPageViews", (name) => {
    expect(findField(name, RANKING_FIELDS, [])).toMatchObject({ name: "totalPageViews" });
  });

  it("can be one that only the answer has", () => {
    const rows = [{}, { newField: { part: 3 } }];
    expect(findField("newField.part", RANKING_FIELDS, rows)).toEqual({
      name: "newField.part",
      header: "newField.part",
      kind: "text",
    });
  });

  it("that is unknown gives the closest match", () => {
    expect(findField("tiker", RANKING_FIELDS, [{}])).toEqual({ closest: "tickerSymbol" });
    expect(findField("constructor", RANKING_FIELDS, [{}])).toHaveProperty("closest");
  });
});

describe("the fields of the ranking", () => {
  it("are numbers if they count or measure, else text", () => {
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

describe("a list on a field's path", () => {
  const row = {
    id: "a",
    people: [{ name: "A" }, null, { name: "B" }],
    standards: [
      { standard: "X", codes: [{ code: "1" }, { code: "2" }] },
      { standard: "Y", codes: [] },
      { standard: "Z", codes: null },
    ],
    one: { name: "C" },
    none: [],
  };
  const pick = (name: string, field = name) => unwind(row, name).map((each) => pickField(each, field));

  it.each([
    ["id", ["a"]],
    ["people.name", ["A", "B"]],
    ["people.age", [undefined, undefined]],
    ["standards.codes.code", ["1", "2", undefined, undefined]],
    ["one.name", ["C"]],
    ["none.name", []],
    ["missing.name", [undefined]],
  ])("gives a value for each item: %p is %p", (name, values) => {
    expect(pick(name)).toEqual(values);
  });

  it("repeats an item's other values beside them", () => {
    expect(pick("standards.codes", "standards.standard")).toEqual(["X", "X", "Y", "Z"]);
    expect(pick("people", "id")).toEqual(["a", "a"]);
  });

  it("is searched for an unknown field", () => {
    expect(findField("people.name", [], [row])).toEqual({ name: "people.name", header: "people.name", kind: "text" });
    expect(findField("people.shoeSize", [], [row])).toEqual({ closest: "" });
  });
});

describe("a field", () => {
  it.each(CASES.singular as [string, boolean, boolean][])(
    "%p has one value a company: %p, and is shown by default: %p",
    (name, singular, plain) => {
      const field = COMPANY_FIELDS.find((each) => each.name === name) ?? { name, header: name, kind: "text" };
      expect([isSingular(field, COMPANY_FIELDS), isPlain(field, COMPANY_FIELDS)]).toEqual([singular, plain]);
    },
  );
});
