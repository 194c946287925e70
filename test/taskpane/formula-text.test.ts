import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { toFigureFormat } from "../../src/taskpane/figure-format";
import { type FormulaCall, type Given, listCalls, readFormula, toFormulaText } from "../../src/taskpane/formula-text";

const read = (formula: string) => {
  const reading = readFormula(formula);
  return reading.kind === "call" ? reading.call : reading.kind;
};

describe("a formula's text", () => {
  it("gives the name and the kind of each argument", () => {
    expect(read(`=FEED.FINANCIAL('Sales ''24'!$A$2:A20, 2023, "Revenue ""net""", , TRUE, TODAY()-7)`)).toEqual({
      name: "FINANCIAL",
      given: [
        { kind: "cells", text: "'Sales ''24'!$A$2:A20" },
        { kind: "number", value: 2023 },
        { kind: "text", value: 'Revenue "net"' },
        null,
        { kind: "flag", value: true },
        { kind: "expression", text: "TODAY()-7" },
      ],
    });
  });

  it("can be in lower case, or in the file's notation", () => {
    expect(read('= feed.ranking.pages( "-7d" )')).toEqual(read('=_xldudf_FEED_RANKING_PAGES("-7d")'));
    expect(read("=FEED.STATUS()")).toEqual({ name: "STATUS", given: [] });
  });

  it.each([
    ["an array", '{"Revenue","EBIT";1,2}'],
    ["a column of a table", "Table1[[#All],[Net, 'Income']]]"],
    ["spilled cells", "Model!A1#"],
    ["a name", "Companies"],
    ["a whole column", "A:A"],
    ["a formula with commas and brackets", 'IF(A1>0,"a)","b,")'],
  ])("keeps %s as written", (_what, text) => {
    expect(read(`=FEED.COMPANY(${text}, "id")`)).toEqual({
      name: "COMPANY",
      given: [
        { kind: "expression", text },
        { kind: "text", value: "id" },
      ],
    });
  });

  it("does not read FY0 as a cell", () => {
    expect(read("=FEED.FINANCIAL(FY0)")).toEqual({ name: "FINANCIAL", given: [{ kind: "expression", text: "FY0" }] });
  });

  it.each([
    "=SUM(FEED.FINANCIALS(A1))/2",
    "=FEED.COMPANY.ID(A1)&FEED.COMPANY.ID(A2)",
    "=@FEED.COMPANY.ID(A1)",
    '=IF(A1,_xldudf_FEED_COMPANY_ID("x"))',
    '=FEED.COMPANY.ID("x',
  ])("is inside %s, which is not parsed further", (formula) => expect(read(formula)).toBe("part"));

  it.each(["", "=A1", '="FEED.COMPANY.ID(A1)"', "=MYFEED.COMPANY.ID(A1)", "FEED.", "=1+2"])("is not in %j", (formula) =>
    expect(read(formula)).toBe("none"),
  );

  it("reads back with the same name and arguments, without trailing blanks", () => {
    fc.assert(
      fc.property(NAME, fc.array(GIVEN, { maxLength: 8 }), (name, given) => {
        const last = given.findLastIndex((each) => each !== null);
        expect(read(toFormulaText({ name, given }))).toEqual({ name, given: given.slice(0, last + 1) });
      }),
    );
  });

  it("is split if a text is too long for a formula, and reads back whole", () => {
    const companies = Array.from({ length: 9 }, (_, place) => `3d1ce6e7-7fd1-463c-ab13-8646d111213${place}`).join(", ");
    for (const value of [companies, "\u{20bb7}".repeat(400), '"'.repeat(600), "\udc00".repeat(600)]) {
      const text = toFormulaText({ name: "COMPANY.ID", given: [{ kind: "text", value }] });
      const pieces = [...text.matchAll(/"((?:[^"]|"")*)"/g)].map(([, piece = ""]) => piece.replaceAll('""', '"'));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(255);
      const isWhole = (part: string) => !/\p{Cs}/u.test(part);
      expect(pieces.every(isWhole)).toBe(isWhole(value));
      expect(read(text)).toEqual({ name: "COMPANY.ID", given: [{ kind: "text", value }] });
    }
  });

  it("does not throw on any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."=FEED.COMPANY.ID(\"',)]{[}1A! ") }), (text) => {
        readFormula(`=FEED.COMPANY.ID(${text}`);
      }),
    );
  });
});

describe("the calls inside a cell's formula", () => {
  it.each<[string, string[]]>([
    ['=SUM(feed.financial(A1,2023,B1))-FEED.COMPANY.ID( "x" )', ["FINANCIAL", "COMPANY.ID"]],
    ["=IFERROR(_xldudf_FEED_RANKING_PAGES(A1),0)", ["RANKING.PAGES"]],
    [`='FEED.COMPANY.ID('!A1&"FEED.COMPANY.ID("&'It''s FEED.COMPANY.ID('!A1`, []],
    ["=SUM(T[FEED.COMPANY.ID(])+FEED.STATUS(T[[#All],[a'['']])", ["STATUS"]],
    ["=MYFEED.COMPANY.ID(A1)+会FEED.COMPANY.ID(A1)+MY.FEED.COMPANY.ID(A1)+FEED.rate+FEED(1)", []],
    ["", []],
  ])("are named in order: %s", (formula, names) => expect(listCalls(formula)).toEqual(names));

  it("are those of the namespace", () => {
    const formula = "=ACME.COMPANY.ID(A1)+FEED.STATUS()+_xldudf_ACME_RANKING_PAGES(A1)";
    expect(listCalls(formula, "ACME")).toEqual(["COMPANY.ID", "RANKING.PAGES"]);
    expect(readFormula("=1+ACME.COMPANY.ID(A1)", "ACME").kind).toBe("part");
  });
});

const NAME = fc.constantFrom("FINANCIAL", "RANKING.PAGES", "COMPANY.ID");
const SHEET = fc.string({ minLength: 1 }).map((name) => `'${name.replaceAll("'", "''")}'!`);
const GIVEN: fc.Arbitrary<Given> = fc.oneof(
  fc.constant(null),
  fc.string({ unit: "binary" }).map((value) => ({ kind: "text" as const, value })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ kind: "number" as const, value: value + 0 })),
  fc.boolean().map((value) => ({ kind: "flag" as const, value })),
  fc
    .tuple(fc.oneof(fc.constant(""), fc.constant("Model!"), SHEET), fc.constantFrom("A1", "$B$2:C30", "xfd1048576"))
    .map(([sheet, address]) => ({ kind: "cells" as const, text: sheet + address })),
  fc.constantFrom("TODAY()-7", '{"a","b"}', "A1#", "T[[#All],[a]]", '"a"&"b,c"&A1').map((text) => ({
    kind: "expression" as const,
    text,
  })),
);

const textOf = (value: string): Given => ({ kind: "text", value });
const financial = (metric: Given, unit: Given = null): FormulaCall => ({
  name: "FINANCIAL",
  given: [textOf("7203"), textOf("FY0"), metric, null, unit],
});

describe("the number format of a formula", () => {
  it.each([
    [financial(textOf("Revenue")), "#,##0"],
    [financial(textOf("revenue"), textOf("M")), "#,##0.0"],
    [financial(textOf("Revenue, Net Income"), textOf("bn")), "#,##0.00"],
  ])("groups digits, with decimals in a large unit", (call, format) => {
    expect(toFigureFormat(call)).toBe(format);
  });

  it.each([
    ["a date", financial(textOf("periodEnd"))],
    ["a year beside a figure", financial(textOf("Revenue, periodYear"))],
    ["an unknown metric", financial(textOf("Headcount"))],
    ["a metric of a cell", financial({ kind: "cells", text: "C1" })],
    [
      "a divisor, which may make figures smaller than one",
      financial(textOf("Revenue"), { kind: "number", value: 1e12 }),
    ],
    ["a unit of a cell", financial(textOf("Revenue"), { kind: "cells", text: "C1" })],
    ["another formula", { name: "COMPANY", given: [textOf("7203"), textOf("name"), textOf("Revenue")] }],
  ])("is left alone for %s", (_, call) => {
    expect(toFigureFormat(call)).toBeUndefined();
  });
});
