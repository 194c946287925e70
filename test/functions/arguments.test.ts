import { beforeAll, describe, expect, it } from "@jest/globals";
import { readCells, readCompany, readNames, readText, readUnit } from "../../src/functions/arguments";
import { PassedError } from "../../src/functions/cells";
import { pickYear, readYear, readYearRange, toYearOptions } from "../../src/functions/financial-arguments";
import { overlay, trim } from "../../src/functions/grid";
import { readPageType } from "../../src/functions/views/page-types";
import { readHeaders, readTop } from "../../src/functions/views/table";
import { installCustomFunctions } from "../office/custom-functions";
import rows from "./arguments.json";

beforeAll(installCustomFunctions);

describe("an argument that is a formatted number", () => {
  const formatted = { type: "FormattedNumber", basicValue: 5, numberFormat: "0.0" };

  it.each([
    ["with a format", formatted],
    ["with properties", { type: "Double", basicType: "Double", basicValue: 5, properties: {} }],
    ["in a range", [[formatted]]],
  ])("reads as its number: %s", (_, argument) => {
    expect([readTop(argument, 100), readUnit(argument).divisor, readText(argument, "text")]).toEqual([5, 5, "5"]);
    expect(readCells([[argument]], (value) => value)).toEqual([[{ kind: "value", value: 5 }]]);
  });

  it.each([
    ["an entity", { type: "Entity", basicType: "Error", basicValue: "#VALUE!", text: "Ono" }, "Ono"],
    [
      "a stock",
      { type: "LinkedEntity", basicType: "Error", basicValue: "#VALUE!", text: "Ono (XTKS:7203)" },
      "Ono (XTKS:7203)",
    ],
    ["a text with properties", { type: "String", basicType: "String", basicValue: "Ono", properties: {} }, "Ono"],
    ["an entity in a range", [[{ type: "Entity", text: "Ono" }]], "Ono"],
  ])("is the text of %s", (_, argument, text) => {
    expect(readText(argument, "text")).toBe(text);
    expect(readCells([[argument]], (value) => value)).toEqual([[{ kind: "value", value: text }]]);
  });

  it.each([{ type: "Error", basicType: "Error", basicValue: "#N/A" }, { code: "#N/A" }])("passes on %j", (argument) => {
    expect(() => readTop(argument, 100)).toThrow(PassedError);
  });

  it("is refused with what it is, where a number is wanted and an entity came", () => {
    expect(() => readTop({ type: "Entity", text: "Ono" }, 100)).toThrow(
      'top must be a whole number from 1, or "all", not "Ono"',
    );
  });
});

describe("company", () => {
  it.each<unknown[]>(rows.companies)("accepts %p", (value, company) => {
    expect(readCompany(value, "JPN")).toEqual(company);
  });

  const ROUNDED = [[2 ** 60], [1234567890123456], ["9.53019E+12"], ["1e13"], ["4,01E+12"]];
  it.each<unknown[]>(ROUNDED)("rejects the rounded %p", (value) => {
    expect(() => readCompany(value, "JPN")).toThrow(/of which Excel keeps 15 digits alone; enter it as text/);
  });

  it.each([[1.5], [-3], [true], ["x".repeat(301)], ["a\u0000b"], [{}]])("rejects %p", (value) => {
    expect(() => readCompany(value, "JPN")).toThrow(
      /company must be a company's name, ticker, registration number or id/,
    );
  });
});

describe.each([
  ["top", (given: unknown) => readTop(given, 100), rows.top],
  [
    "unit",
    (given: unknown) =>
      Object.values(readUnit(given))
        .filter((part) => part !== null)
        .join(" "),
    rows.unit,
  ],
  ["headers", readHeaders, rows.headers],
  ["pagetype", (given: unknown) => readPageType(given)?.key ?? null, rows.pagetype],
])("%s", (_name, read: (given: unknown) => unknown, { accepted, rejected, message }) => {
  it.each<unknown[]>(accepted)("reads %p as %p", (given, value) => {
    expect(read(given)).toBe(value);
  });

  it.each<unknown>(rejected)("rejects %p", (given) => {
    expect(() => read(given)).toThrow(message);
  });
});

describe("a list of names", () => {
  it.each<unknown[]>(rows.names)("can be comma text, a range with blanks, or nothing: %j", (given, names) => {
    expect(readNames(given, "fields")).toEqual(names);
  });

  it("rejects TRUE", () => {
    expect(() => readNames(true, "fields")).toThrow(/fields must be text, not TRUE/);
  });

  it("accepts a number as text", () => {
    expect(readText(2024, "by")).toBe("2024");
  });
});

it.each([
  ["an error of the genuine runtime", () => new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable)],
  ["as a data type", () => ({ type: "Error", basicType: "Error", basicValue: "#N/A" })],
])("an error in an argument is passed on: %s", (_, create) => {
  expect(() => readTop(create(), 1)).toThrow(PassedError);
  expect(() => readUnit([[create()]])).toThrow(PassedError);
});

type Ranges = Record<string, unknown[][]>;

describe("overlaid ranges", () => {
  it.each<unknown[]>(rows.overlaid)("%s", (_what, ranges, table) => {
    expect(overlay(ranges as Ranges)).toEqual(table);
  });

  it("are refused with their sizes if they do not fit", () => {
    expect(() => overlay({ company: [["A"], ["B"]], year: [[1], [2], [3]] })).toThrow(
      /in rows: company 2, year 3; give ranges of the same number of rows, or of one row$/,
    );
    expect(() => overlay({ company: [["A", "B"]], year: [[1, 2, 3]] })).toThrow(
      /in columns: company 2, year 3; .* of one column$/,
    );
  });
});

describe("ranges with trailing blanks", () => {
  const cut = (named: Ranges) => trim(named, (value) => value === null);

  it.each<unknown[]>(rows.trimmed)("%s", (_what, ranges, expected) => {
    expect(cut(ranges as Ranges)).toEqual(expected);
  });

  it("are refused with their original sizes if they do not fit", () => {
    const ranges = { company: [["A"], ["B"], [null]], year: [[1], [2]] };
    expect(() => cut(ranges)).toThrow(/in rows: company 3, year 2; give/);
  });
});

const read = (value: unknown) => readYear(value, 1900);

describe("a fiscal year", () => {
  it.each<unknown[]>(rows.years)("accepts %p", (value, choice) => {
    expect(read(value)).toEqual(choice);
  });

  it.each<unknown[]>(rows.noYears)("rejects %p", (value, message) => {
    expect(() => read(value)).toThrow(new RegExp(String(message)));
  });

  it("can be an ascending range", () => {
    expect(readYearRange("2021:2023", 1900)).toEqual([2021, 2022, 2023].map((year) => ({ kind: "fiscal", year })));
    expect(readYearRange("FY-2:FY0", 1900)).toEqual([-2, -1, 0].map((offset) => ({ kind: "latest", offset })));
    expect(["2023", 2023].map((value) => readYearRange(value, 1900))).toEqual([null, null]);
  });

  const NO_RANGES = ["2023:2021", "2021:FY0", "2021:2022:2023", "FY0:FY-2", "2023-01-01:2023-12-31"];
  it.each(NO_RANGES)("rejects the range %s", (text) => {
    expect(() => readYearRange(text, 1900)).toThrow(/a range of years is like "2019:2023"/);
  });

  it("requests one year alone, all for a relative year, and period bounds for a date", () => {
    expect(toYearOptions(read(2023))).toEqual({ year: 2023 });
    expect(toYearOptions(read("FY0"))).toEqual({ withPeriods: false });
    expect(toYearOptions(read(45000))).toEqual({ withPeriods: true });
  });
});

describe("a year in an answer", () => {
  const pick = (years: readonly [year: number, start?: string, end?: string][], written: string) =>
    pickYear(
      {
        companyId: "c",
        years: years.map(([year, start, end]) => ({
          year,
          fields: { financialPeriodStart: start, financialPeriodEnd: end },
          statements: [{ statementType: "INCOME_STATEMENT", consolidationType: "", metrics: [] }],
        })),
      },
      read(written),
    );
  type Years = Parameters<typeof pick>[0];
  const march = rows.march as unknown as Years;

  it.each([
    ["FY0", 2024],
    ["FY-1", 2023],
    ["2023-04-01", 2024],
    ["2024-03-31", 2024],
    ["2022-03-31", 2022],
  ])(
    "is the company's latest, one so many calendar years before, or the one that contains a day: %s",
    (written, year) => {
      expect(pick(march, written)).toBe(year);
    },
  );

  type NoYear = [what: string, years: Years | "march", day: string, message: string];
  it.each(rows.noFiscalYears as unknown as NoYear[])("is an error for a date if %s", (_what, years, day, message) => {
    expect(() => pick(years === "march" ? march : years, day)).toThrow(message);
  });
});
