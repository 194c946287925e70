import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { FeedError } from "../../src/client/errors";
import { decodeFinancials, decodePage, decodeRow, decodeRows, readInteger, readText } from "../../src/feed/decode";
import CASES from "./decode.json";

const malformed = expect.objectContaining({ code: "FEED_RESPONSE_MALFORMED" });

describe("a page", () => {
  it("has its rows, its number, its size and its total", () => {
    const body = { data: [{ id: "a" }], page: 1, pageSize: 25, total: 1 };
    expect(decodePage(body, "list")).toEqual({ rows: [{ id: "a" }], page: 1, pageSize: 25, total: 1 });
  });

  it.each([
    [{}, null],
    [{ total: null }, null],
    [{ total: -1 }, null],
    [{ total: "many" }, null],
    [{ total: "" }, null],
    [{ total: 1.5 }, null],
    [{ total: Number.POSITIVE_INFINITY }, null],
    [{ total: "4000" }, 4000],
    [{ total: 0 }, 0],
  ])("with %p has the total %p", (part, total) => {
    expect(decodePage({ data: [], ...part }, "list").total).toBe(total);
  });

  it.each(CASES.malformedPages as [unknown][])("with the body %p is malformed", (body) => {
    expect(() => decodePage(body, "list")).toThrow(malformed);
  });

  it("keeps unknown fields, enum values and page types", () => {
    const row = { companyName: "A", trend: "UP", pages: { HOLOGRAMS: { totalPageViews: 3 } } };
    expect(decodePage({ data: [row], version: "v9" }, "list").rows).toEqual([row]);
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
    fc.assert(
      fc.property(json, (value) => {
        for (const decode of decoders) {
          try {
            decode(value);
          } catch (error) {
            expect(error).toBeInstanceOf(FeedError);
            expect(error).toEqual(malformed);
          }
        }
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});

describe("a value", () => {
  it.each([
    [2023, 2023],
    ["2023", 2023],
    [" 2023 ", 2023],
    ["", null],
    [" ", null],
    ["x", null],
    [1.5, null],
    [null, null],
    [true, null],
    [Number.POSITIVE_INFINITY, null],
  ])("%p reads as the whole number %p", (value, integer) => {
    expect(readInteger(value)).toBe(integer);
  });

  it("is text only if it is a non-empty string", () => {
    expect([readText("a"), readText(""), readText(null), readText(1)]).toEqual(["a", null, null, null]);
  });
});
