import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Place } from "../../src/contract/workbook";
import {
  readArea,
  readFormulaPlace,
  readPlace,
  showPlace,
  toAddress,
  toLetters,
  toSheetName,
} from "../../src/taskpane/addresses";
import { isGivenCell, toLack } from "../../src/taskpane/build/Builder";
import type { FormulaInfo, Parameter } from "../../src/taskpane/build/catalogue";
import { isSound, readWritten, toWritten, type WritingKind } from "../../src/taskpane/build/draft";
import { toCellText } from "../../src/taskpane/build/Outcome";
import { toReference } from "../../src/taskpane/build/use-preview";
import { toFigureFormat } from "../../src/taskpane/figure-format";
import { type FormulaCall, type Given, listCalls, readFormula, toFormulaText } from "../../src/taskpane/formula-text";
import { isCompanyText } from "../../src/taskpane/picker/company-writing";
import { followReferences, listReferences, moveFormula, withoutOwnRow } from "../../src/taskpane/references";
import { toTexts } from "../../src/taskpane/texts";
import { buildTexts } from "../../src/taskpane/texts/build";
import { DECLARED } from "../support/formula-calls";
import FIELDS from "./build-fields.json";
import CASES from "./formula-text.json";

describe("a place", () => {
  it.each(CASES.places as [string, Place][])("is read from %s", (reference, place) =>
    expect(readPlace(reference)).toEqual(place),
  );

  it.each(CASES.sheets as [string, string][])(
    "on the sheet %s is written as %s, which reads back the same",
    (sheet, reference) => {
      expect(showPlace({ sheet, address: "B3" })).toBe(reference);
      expect(readPlace(reference)).toEqual({ sheet, address: "B3" });
    },
  );
});

it.each(CASES.formulaPlaces as [string | null, Place | null][])(
  "the place of a formula is read from %p",
  (address, place) => {
    expect(readFormulaPlace(address)).toEqual(place);
  },
);

it.each(CASES.areas as [string, string][])("an area is read from %s as %s", (address, whole) =>
  expect(toAddress(readArea(address))).toBe(whole),
);

it("a column has letters, beyond Z too", () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(toLetters)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
});

describe("the name of a sheet", () => {
  it.each(CASES.sheetNames as [string, string[], string][])("for %j beside %j is %j", (wanted, taken, name) => {
    expect(toSheetName(wanted, taken)).toBe(name);
  });

  it("is always one that Excel accepts", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: "binary" }), fc.integer({ min: 1, max: 20 }), (wanted, count) => {
        const taken: string[] = [];
        for (let each = 0; each < count; each += 1) taken.push(toSheetName(wanted, taken));
        expect(new Set(taken.map((name) => name.toLowerCase())).size).toBe(count);
        for (const name of taken) expect(name).toMatch(/^(?!')[^\\/?*[\]:\p{Cc}]{1,31}(?<!')$/u);
      }),
      { seed: 31 },
    );
  });
});

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

  it.each(CASES.expressions as [string, string][])("keeps %s as written", (_what, text) => {
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

  it.each(CASES.parts)("is inside %s, which is not parsed further", (formula) => expect(read(formula)).toBe("part"));

  it.each(["", "=A1", '="FEED.COMPANY.ID(A1)"', "=MYFEED.COMPANY.ID(A1)", "FEED.", "=1+2"])("is not in %j", (formula) =>
    expect(read(formula)).toBe("none"),
  );

  it("reads back with the same name and arguments, without trailing blanks", () => {
    fc.assert(
      fc.property(NAME, fc.array(GIVEN, { maxLength: 8 }), (name, given) => {
        const last = given.findLastIndex((each) => each !== null);
        expect(read(toFormulaText({ name, given }))).toEqual({ name, given: given.slice(0, last + 1) });
      }),
      { seed: 32 },
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
      { seed: 33 },
    );
  });
});

describe("the calls inside a cell's formula", () => {
  it.each(CASES.calls as [string, string[]][])("are named in order: %s", (formula, names) =>
    expect(listCalls(formula)).toEqual(names),
  );

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

it.each(CASES.formats as [string, string | null][])(
  "the number format of a formula groups digits, with decimals in a large unit, and is left alone for what may be no amount: %s, %s",
  (formula, format) => {
    expect(toFigureFormat(read(formula) as FormulaCall) ?? null).toBe(format);
  },
);

const ROW = 9;

/** The formula after cells have moved: everything two rows down and one column to the right, Inputs being renamed. */
const move = (formula: string) =>
  followReferences(formula, "Model", "Model", (area) => ({
    ...area,
    sheet: area.sheet === "Inputs" ? "My inputs" : area.sheet,
    row: area.rows > 1_000_000 ? area.row : area.row + 2,
    column: area.columns > 10_000 ? area.column : area.column + 1,
  }));

describe("the references of a formula", () => {
  it.each(CASES.relative as [string, string][])("follow the cells of %s", (formula, moved) => {
    expect(move(formula)).toBe(moved);
    expect(followReferences(formula, "Model", "Model")).toBe(formula.replace("'Inputs'", "Inputs"));
  });

  it.each(CASES.unchanged)("are none in %s", (formula) => {
    expect(listReferences(formula, "Model")).toEqual([]);
    expect(move(formula)).toBe(formula);
  });

  it("name the sheet of cells that moved to another one, and are lost where those cannot be found", () => {
    expect(followReferences("=A1", "Model", "Model", (area) => ({ ...area, sheet: "Q1" }))).toBe("='Q1'!A1");
    expect(followReferences("=A1", "Model", "Model", () => null)).toBeNull();
  });

  it("move with a copy where no dollar sign fixes them", () => {
    const [from, to] = [
      { row: ROW, column: 2 },
      { row: ROW + 2, column: 3 },
    ];
    expect(moveFormula("=FEED.FINANCIAL($A10,C$1,'In 2'!B2:C$9)&\"A1\"", from, to)).toBe(
      "=FEED.FINANCIAL($A12,D$1,'In 2'!C4:D$9)&\"A1\"",
    );
  });

  it("are lost with a copy to where the sheet ends before", () => {
    const [from, edge] = [
      { row: ROW, column: 2 },
      { row: 0, column: 0 },
    ];
    expect(moveFormula("=F(B10,A1:C10,C3,$B10,In!$A$1)", from, edge)).toBe("=F(#REF!,#REF!,#REF!,$B1,In!$A$1)");
    expect(moveFormula("=F(XFD1,A1048576)", edge, from)).toBe("=F(#REF!,#REF!)");
  });

  it.each(CASES.meanings as [string, string, boolean][])(
    "compare %s in row 10 with %s in row 11 relative to their rows: %s",
    (here, below, isSame) => expect(withoutOwnRow(here, ROW) === withoutOwnRow(below, ROW + 1)).toBe(isSame),
  );
});

describe("a formula", () => {
  it("is not offered if it is longer than a cell allows", () => {
    const companies = { name: "companies", isRequired: true } as Parameter;
    const info = { name: "FINANCIALS", parameters: [companies] } as unknown as FormulaInfo;
    const lack = (value: string) =>
      toLack(info, { name: "FINANCIALS", given: [{ kind: "text", value }] }, buildTexts.en);
    expect(lack("x".repeat(8_000))).toBeNull();
    expect(lack("x".repeat(8_200))).toMatch(/^The formula is too long for a cell\./);
  });

  it.each(["en", "ja"] as const)("has a label for each of its arguments in %s", (language) => {
    const names = DECLARED.flatMap(({ parameters }) => parameters.map(({ name }) => name.toLowerCase()));
    expect(Object.keys(buildTexts[language].labels)).toEqual([...new Set(names)].sort());
  });

  it.each(FIELDS.costs as [{ isLeast: boolean }, string, string][])(
    "shows its cost, as a minimum or a maximum: %j",
    (bounds, en, ja) => {
      const cost = { requests: 26, now: 26, ...bounds };
      expect(buildTexts.en.cost(cost)).toBe(en);
      expect(buildTexts.ja.cost(cost)).toContain(ja);
    },
  );
});

describe("the text of a field", () => {
  it.each(FIELDS.written as [string, WritingKind, Given][])("%j as %s reads as this argument", (written, kind, given) =>
    expect(readWritten(written, kind)).toEqual(given),
  );

  it("is restored from any argument of a formula", () => {
    fc.assert(
      fc.property(GIVEN, fc.constantFrom<WritingKind>("number", "flag", "text"), (each, kind) =>
        expect(readWritten(toWritten(each, kind), kind)).toEqual(each),
      ),
      { seed: 34 },
    );
  });

  it.each(["=SUM(A1", '="a', "=1,2", "=A1)+(B1", "={1"])("does not break the formula as %s would", (written) =>
    expect(isSound(readWritten(written, "text"))).toBe(false),
  );

  it("is a company if it is an id or a registration number, not a ticker or a name", () => {
    const texts = ["3d1ce6e7-7fd1-463c-ab13-8646d111213d", "5010401012345", "201912345K", "7203", "Sakura", "7-Eleven"];
    expect(texts.map(isCompanyText)).toEqual([true, true, true, false, false, false]);
  });
});

describe("a cell that a formula refers to", () => {
  const isGiven = (formula: string, sheet: string, address: string) => {
    const reading = readFormula(formula);
    return reading.kind === "call" && isGivenCell(reading.call, { sheet, address });
  };

  it.each(FIELDS.references as [string, string, string, boolean][])(
    "is found in %s on %s at %s: %s",
    (formula, sheet, address, is) => expect(isGiven(formula, sheet, address)).toBe(is),
  );

  it("is read on the formula's sheet, without dollar signs", () => {
    expect(toReference("$A$1:B2", "Sales 2024")).toBe("'Sales 2024'!A1:B2");
    expect(toReference("'a$b'!$A1", "Model")).toBe("'a$b'!A1");
    expect(toReference("$A$1", "Q1")).toBe("'Q1'!A1");
  });
});

describe("a cell of the preview", () => {
  it.each(FIELDS.previews as [string, unknown, string][])("shows %s as the sheet does", (_what, value, text) =>
    expect(toCellText(value, null, toTexts("en"), 1900)).toBe(text),
  );

  it("has the figures' format, but for a date's own", () => {
    const day = { type: "FormattedNumber", basicValue: 45_292, numberFormat: "yyyy-mm-dd" };
    const show = (value: unknown, format: string) => toCellText(value, format, toTexts("en"), 1900);
    expect([show(1234.56, "#,##0"), show(1234.56, "#,##0.0"), show(day, "#,##0")]).toEqual([
      "1,235",
      "1,234.6",
      "2024-01-01",
    ]);
  });

  it("counts days by the workbook's date system", () => {
    const value = { type: "FormattedNumber", basicValue: 43_830, numberFormat: "yyyy-mm-dd" };
    expect(toCellText(value, null, toTexts("en"), 1904)).toBe("2024-01-01");
  });
});
