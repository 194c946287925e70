import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ArgumentError } from "../../../src/client/errors";
import {
  isBlank,
  quote,
  readCells,
  readChoice,
  readCompany,
  readNames,
  readText,
  readUnit,
  toCompanies,
  toGiven,
} from "../../../src/functions/arguments";
import { PassedError } from "../../../src/functions/cells";
import {
  readMetric,
  readSpreadYear,
  readYear,
  readYearRange,
  spreadYears,
} from "../../../src/functions/financial-arguments";
import { overlay, trim } from "../../../src/functions/grid";
import { readCompanies, readMetrics, readYears } from "../../../src/functions/views/financials-arguments";
import { readPageType } from "../../../src/functions/views/page-types";
import { readRange } from "../../../src/functions/views/periods";
import { readCountry, readFlag, readTop, toNameCells } from "../../../src/functions/views/table";
import { DEFAULT_SETTINGS } from "../../../src/session/settings";
import { installCustomFunctions } from "../../office/custom-functions";

beforeAll(installCustomFunctions);

const RUNS = { seed: 7, numRuns: 100 };
const NOW_MS = Date.UTC(2024, 10, 20, 9, 30);

type Read = (argument: unknown) => unknown;

/** Readers of arguments. */
const ALL = Object.entries<Read>({
  text: (argument) => readText(argument, "text"),
  top: (argument) => readTop(argument, 100),
  unit: readUnit,
  country: (argument) => readCountry(argument, "JPN"),
  choice: (argument) => readChoice(argument, "layout", ["wide", "long"], "wide"),
  names: (argument) => readNames(argument, "fields"),
  years: (argument) => readYears(argument, 1900),
  metrics: readMetrics,
  pageType: readPageType,
  nameCells: toNameCells,
  end: (argument) => readRange("2024-03", argument, DEFAULT_SETTINGS, NOW_MS),
  requiredCountry: (argument) => readCountry(argument, null),
  companies: (argument) => readCompanies(argument, "JPN"),
  company: (argument) => readCells(toCompanies(argument, "company"), (cell) => readCompany(cell, "JPN")),
  year: (argument) => readCells(spreadYears(toGiven(argument, "year"), 1900), (cell) => readSpreadYear(cell, 1900)),
  metric: (argument) => readCells(toGiven(argument, "metric"), readMetric),
  start: (argument) => readRange(argument, "2024-03-31", DEFAULT_SETTINGS, NOW_MS),
  flag: (argument) => readFlag(argument, "flag", true),
});

/** Readers of a single cell. */
const OF_CELLS: Readonly<Record<string, Read>> = {
  company: (cell) => readCompany(cell, "JPN"),
  year: (cell) => readYear(cell, 1904),
  yearRange: (cell) => readYearRange(cell, 1900),
  metric: readMetric,
};

/** Valid texts, and nearly valid ones. */
const word = fc.constantFrom(
  ...["all", "ALL", "k", "bn", "FY0", "FY-1", "FY4", "2019:2023", "FY-4:FY0", "2023:2019", ":", "2023", "1e3", "-7d"],
  ...["-4w", "MTD", "ytd", "2024-03", "2024-13", "2024-W12", "2024-W60", "2024-02-30", "2024-01-31T10:00:00Z"],
  ...["JPN", "Revenue", "CASH_FLOW.Net Income", ",", " , ", "a,b", "NEWS", "wide", "true", "-99999999999d"],
  "00000000-0000-4000-8000-00000000000a",
);
const blank = fc.constantFrom<unknown>(null, undefined, 0, "", "  ");
const passed = fc.constantFrom<unknown>(
  { type: "Error", basicType: "Error", basicValue: "#DIV/0!" },
  { code: "#N/A" },
  { type: "Entity", basicType: "Error", basicValue: "#VALUE!", text: "Ono" },
);
const odd = fc.constantFrom<unknown>({}, [], { basicValue: "5" }, Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** 53);
const typed = fc.record({ type: fc.constant("FormattedNumber"), basicValue: fc.double() });
const cell: fc.Arbitrary<unknown> = fc.oneof(
  ...[blank, passed, odd, typed, word, fc.boolean(), fc.integer({ min: -5, max: 60_000 }), fc.double()],
  fc.string({ unit: "binary" }),
);
const range = fc
  .integer({ min: 1, max: 3 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }));

/** The outcome of a read: a value, or an error for the cell; anything else is thrown. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof PassedError) return { passed: error.value };
    if (error instanceof ArgumentError) return { message: error.message };
    throw error;
  }
}

/** Every number that was read can be sent in a request. */
const hasNoBrokenNumber = (value: unknown): boolean =>
  typeof value === "number" ? Number.isFinite(value) : !JSON.stringify(value ?? null).includes("NaN");

describe("an argument of any cell content", () => {
  it.each(ALL)("is a value or an explained error: %s", (_, read) => {
    const law = fc.property(fc.oneof(cell, range), (argument) => {
      const outcome = outcomeOf(() => read(argument)) as { message?: string };
      if (outcome.message !== undefined) expect(outcome.message).toMatch(/\S.{10,}/);
    });
    fc.assert(law, RUNS);
  });

  it.each(Object.entries(OF_CELLS))("is a value or an explained error cell by cell: %s", (_, read) => {
    const law = fc.property(cell, (value) => {
      const outcome = outcomeOf(() => readCells([[value]], read)) as { value: [[{ kind: string; error?: unknown }]] };
      const [[reading]] = outcome.value;
      if (isBlank(value)) expect(reading).toEqual({ kind: "blank" });
      if (reading.kind === "error") {
        expect(reading.error instanceof ArgumentError || reading.error instanceof PassedError).toBe(true);
      }
    });
    fc.assert(law, RUNS);
  });

  it.each(ALL)("reads the same alone and as a range of one cell: %s", (_, read) => {
    const law = fc.property(cell, (value) => {
      if (Array.isArray(value)) return;
      expect(outcomeOf(() => read([[value]]))).toEqual(outcomeOf(() => read(value)));
    });
    fc.assert(law, RUNS);
  });
});

const same = (read: Read, numbers: fc.Arbitrary<number>) =>
  fc.assert(
    fc.property(numbers, fc.constantFrom("", " "), (number, space) => {
      const asText = outcomeOf(() => read(`${space}${number}${space}`));
      expect(asText).toEqual(outcomeOf(() => read(number)));
      expect(asText).toHaveProperty("value");
      expect(hasNoBrokenNumber(asText)).toBe(true);
    }),
    RUNS,
  );

it("digits read the same as a number and as text", () => {
  const natural = fc.integer({ min: 1, max: 1e15 - 1 }); // Excel has rounded a longer one
  const fiscalYear = fc.integer({ min: 1900, max: 2999 });
  same((value) => readTop(value, 100), natural);
  same((value) => readText(value, "identifier"), natural);
  same((value) => readCompany(value, "JPN"), natural);
  same((value) => readCompanies(value, "JPN").map(({ reading }) => reading), natural);
  same(readUnit, fc.double({ min: 1e-12, max: 1e15, noNaN: true }));
  same((value) => readYear(value, 1900), fiscalYear);
  same((value) => readYears(value, 1900), fiscalYear);
});

const isList = (value: unknown): boolean => typeof value === "string" && value.includes(",");

describe("a cell of a range", () => {
  it.each(Object.entries(OF_CELLS))("affects itself alone: %s", (_, read) => {
    const law = fc.property(range, fc.nat(), fc.nat(), cell, (cells, row, column, other) => {
      const [r, c] = [row % cells.length, column % (cells[0]?.length ?? 1)];
      const changed = cells.map((each, at) => (at === r ? each.with(c, other) : each));
      const [before, after] = [readCells(cells, read), readCells(changed, read)];
      for (const [at, readings] of after.entries()) {
        expect(at === r ? readings.toSpliced(c, 1) : readings).toEqual(
          at === r ? before[at]?.toSpliced(c, 1) : before[at],
        );
      }
      expect(after[r]?.[c]).toEqual(readCells([[other]], read)[0]?.[0]);
    });
    fc.assert(law, RUNS);
  });

  it("is one company of a table, in order, unless it is blank", () => {
    const law = fc.property(range, (cells) => {
      const filled = cells.flat().filter((value) => !isBlank(value));
      const outcome = outcomeOf(() => readCompanies(cells, "JPN")) as { value?: { reading: unknown }[] };
      if (outcome.value === undefined || (cells.flat().length === 1 && isList(filled[0]))) return;
      const alone = filled.flatMap(
        (value) => readCells([[value]], (each) => readCompany(each, "JPN", "companies"))[0] ?? [],
      );
      expect(outcome.value.map(({ reading }) => reading)).toEqual(alone.filter(({ kind }) => kind !== "blank"));
    });
    fc.assert(law, RUNS);
  });
});

describe("overlaid ranges", () => {
  const size = fc.integer({ min: 1, max: 4 });
  const grid = fc
    .record({ rows: size, columns: size })
    .map(({ rows, columns }) =>
      Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => `${r}:${c}`)),
    );
  const fits = (counts: number[]) => counts.every((count) => count === 1 || count === Math.max(...counts));

  it("repeat a side of length one, and are refused if they do not fit", () => {
    const law = fc.property(grid, grid, grid, (company, year, metric) => {
      const all = [company, year, metric];
      const [heights, widths] = [all.map(({ length }) => length), all.map((each) => each[0]?.length ?? 0)];
      const outcome = outcomeOf(() => overlay({ company, year, metric })) as { value?: Record<string, string>[][] };
      expect(outcome.value !== undefined).toBe(fits(heights) && fits(widths));
      for (const [r, row] of outcome.value?.entries() ?? []) {
        for (const [c, at] of row.entries()) {
          const pick = (from: string[][]) => from[from.length === 1 ? 0 : r]?.[from[0]?.length === 1 ? 0 : c];
          expect(at).toEqual({ company: pick(company), year: pick(year), metric: pick(metric) });
        }
      }
    });
    fc.assert(law, RUNS);
  });

  it("lose trailing blanks alone, and fit together as before", () => {
    const sparse = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.array(fc.array(fc.constantFrom("", "x"), { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 4,
      }),
    );
    const isEmpty = (value: string) => value === "";
    const law = fc.property(sparse, sparse, (company, year) => {
      const whole = outcomeOf(() => overlay({ company, year })) as { value?: unknown };
      const trimmed = outcomeOf(() => trim({ company, year }, isEmpty)) as { value?: Record<string, string[][]> };
      expect(trimmed.value !== undefined).toBe(whole.value !== undefined);
      if (trimmed.value === undefined) return;
      expect(outcomeOf(() => overlay(trimmed.value ?? {}))).toHaveProperty("value");
      for (const [name, cut] of Object.entries(trimmed.value)) {
        const before = name === "company" ? company : year;
        const count = (grid: string[][]) => grid.flat().filter((value) => !isEmpty(value)).length;
        expect(cut).toEqual(before.slice(0, cut.length).map((row) => row.slice(0, cut[0]?.length)));
        expect(count(cut)).toBe(count(before));
      }
    });
    fc.assert(law, RUNS);
  });

  it("are quoted in a sentence of one line", () => {
    const law = fc.property(cell, (value) => expect(String(quote(value)).length).toBeLessThan(70));
    fc.assert(law, RUNS);
  });
});
