import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { FeedError } from "../../src/client/errors";
import { decodeFinancials, decodePage, decodeRow, decodeRows, readInteger, readText } from "../../src/feed/decode";
import { COMPANY_FIELDS, findField, RANKING_FIELDS } from "../../src/feed/field-tables";
import { isPlain, isSingular, pickField, unwind } from "../../src/feed/fields";
import { toRuns } from "../support/property";
import CASES from "./decode.json";

const malformed = expect.objectContaining({ code: "FEED_RESPONSE_MALFORMED" });

describe("a page", () => {
  it("has its rows, its number, its size and its total", () => {
    const body = { data: [{ id: "a" }], page: 1, pageSize: 25, total: 1 };
    expect(decodePage(body, "list")).toEqual({ rows: [{ id: "a" }], page: 1, pageSize: 25, total: 1 });
  });

  const TOTALS = [...CASES.totals, [{ total: Number.POSITIVE_INFINITY }, null]] as [object, number | null][];
  it.each(TOTALS)("with %p has the total %p", (part, total) => {
    expect(decodePage({ data: [], ...part }, "list").total).toBe(total);
  });

  it.each(CASES.malformedPages as [unknown][])("with the body %p is malformed", (body) => {
    expect(() => decodePage(body, "list")).toThrow(malformed);
  });

  it("keeps unknown fields, enum values and page types", () => {
    const row = { companyName: "A", trend: "UP", pages: { HOLOGRAMS: { totalPageViews: 3 } } };
    expect(decodePage({ data: [row], version: "v9" }, "list").rows).toEqual([row]);
    expect(decodePage({ data: null, total: 0 }, "list").rows).toEqual([]);
  });
});

describe("financials", () => {
  const year = { year: 2023, currency: "JPY", esg: "A", statements: [] };

  it("keep unknown fields of a year and unknown statements", () => {
    const statements = [{ statementType: "ESG", consolidationType: "PRO_FORMA", metrics: [{ name: "CO2", value: 1 }] }];
    const financials = decodeFinancials({ companyId: "a", extra: 1, years: [{ ...year, statements }] });
    expect(financials).toMatchObject({ companyId: "a", years: [{ year: 2023, fields: { esg: "A" }, statements }] });
  });

  it("hold each figure once, whatever the names of its year and statement", () => {
    const metrics = [{ name: "Revenue", value: 1 }];
    const [read] = decodeFinancials({ companyId: "a", years: [{ ...year, statements: [{ metrics }] }] }).years;
    expect(read?.fields.statements).toEqual([{ metrics }]);
    expect(read?.statements[0]?.metrics[0]).toBe(metrics[0]);
  });

  it("read null and missing lists as empty", () => {
    expect(decodeFinancials({ companyId: "a", years: null }).years).toEqual([]);
    expect(decodeFinancials({ companyId: "a" }).years).toEqual([]);
    const years = [
      { year: 2023, statements: null },
      { year: 2022, statements: [{ metrics: null }] },
    ];
    const [first, second] = decodeFinancials({ companyId: "a", years }).years;
    expect(first?.statements).toEqual([]);
    expect(second?.statements).toEqual([{ statementType: "", consolidationType: "", metrics: [] }]);
  });

  it("accept a year as text", () => {
    expect(decodeFinancials({ companyId: "a", years: [{ year: "2023" }] }).years[0]?.year).toBe(2023);
  });

  it("leave values unread, so that an invalid one fails alone", () => {
    const metrics = [
      { name: "Revenue", value: "12" },
      { name: "EBIT", value: null },
      { name: null, value: 1 },
    ];
    const [read] = decodeFinancials({ companyId: "a", years: [{ year: 2023, statements: [{ metrics }] }] }).years;
    expect(read?.statements[0]?.metrics).toEqual([...metrics.slice(0, 2), { name: "", value: 1 }]);
  });

  it.each(CASES.malformedFinancials as [unknown][])("of %p are malformed", (value) => {
    expect(() => decodeFinancials(value)).toThrow(malformed);
  });

  it("and every other decoder give a typed answer or FEED_RESPONSE_MALFORMED for any JSON", () => {
    const decoders = [
      decodeFinancials,
      (value: unknown) => decodePage(value, "list"),
      (value: unknown) => decodeRow(value, "row"),
      (value: unknown) => decodeRows(value, "rows"),
    ];
    const json = fc.oneof(
      fc.jsonValue(),
      fc.record({ companyId: fc.string(), years: fc.jsonValue(), data: fc.jsonValue() }),
      fc.record({
        companyId: fc.string(),
        years: fc.array(fc.record({ year: fc.jsonValue(), statements: fc.jsonValue() })),
      }),
    );
    const law = fc.property(json, (value) => {
      for (const decode of decoders) {
        try {
          decode(value);
        } catch (error) {
          expect(error).toBeInstanceOf(FeedError);
          expect(error).toEqual(malformed);
        }
      }
    });
    fc.assert(law, { seed: 3, numRuns: toRuns(300, 1_000) });
  });
});

describe("a value", () => {
  const INTEGERS = [...CASES.integers, [Number.POSITIVE_INFINITY, null]] as [unknown, number | null][];
  it.each(INTEGERS)("%p reads as the whole number %p", (value, integer) => {
    expect(readInteger(value)).toBe(integer);
  });

  it("is text only if it is a non-empty string", () => {
    expect([readText("a"), readText(""), readText(null), readText(1)]).toEqual(["a", null, null, null]);
  });
});

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

it("the fields of the ranking are numbers if they count or measure, else text", () => {
  const names = RANKING_FIELDS.filter(({ kind }) => kind !== "number").map(({ name }) => name);
  expect(names).toEqual(["companyName", "tickerSymbol", "headquarters"]);
});

it.each([
  ["name", "A"],
  ["time.avg", 1.5],
  ["time.max", null],
  ["time.min", undefined],
  ["time.avg.more", undefined],
  ["name.length", undefined],
  ["toString", undefined],
  ["__proto__", undefined],
])("a field's value at %p is %p", (name, value) => {
  expect(pickField({ name: "A", time: { avg: 1.5, max: null }, list: [1] }, name)).toBe(value);
});

describe("a list on a field's path", () => {
  const row = CASES.withLists;
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

const SINGULAR = CASES.singular as [string, boolean, boolean][];
it.each(SINGULAR)("a field %p has one value a company: %p, and is shown by default: %p", (name, singular, plain) => {
  const field = COMPANY_FIELDS.find((each) => each.name === name) ?? { name, header: name, kind: "text" };
  expect([isSingular(field, COMPANY_FIELDS), isPlain(field, COMPANY_FIELDS)]).toEqual([singular, plain]);
});
