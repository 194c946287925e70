import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { SheetPlan, Workbook } from "../../src/contract/workbook";
import { onSheet } from "../../src/taskpane/build/draft";
import { readValues } from "../../src/taskpane/build/use-preview";
import { type Inserted, toConstituents, toPeers, toRevenue } from "../../src/taskpane/find/inserts";
import { type FormulaCall, readFormula, toFormulaText } from "../../src/taskpane/formula-text";
import { toComparisonPlan } from "../../src/taskpane/sheets/comparison-plan";
import { listFirstFields, RANKED, toRankingPlan } from "../../src/taskpane/sheets/ranking-plan";
import { toStatementPlan } from "../../src/taskpane/sheets/statement-plan";
import { sheetWords } from "../../src/taskpane/sheets/words";
import { hold, toRuns } from "../support/property";

/** Names that Excel reads as something else without quotes, or that have a quote. */
const SHEETS = [
  ...["Model", "Sheet5", "売上", "Q1", "A1", "RC", "R1C1", "r2", "C", "2024", "1月", "Sales 2024", "O'Neill's", "a.b"],
  ...[
    "Ｍｏｄｅｌ",
    "x-y",
    "x!y",
    "[1]",
    "Bücher",
    "_",
    "XFD1048576",
    "T (2)",
    "a'b c",
    "№1",
    "été",
    "F&A",
    "R",
    "ＡＢ１",
  ],
];

const toLetters = (column: number): string => String.fromCharCode(65 + column);
const cell = fc.tuple(fc.nat(25), fc.integer({ min: 1, max: 40 }), fc.boolean(), fc.boolean());
const toCell = ([column, row, fixesColumn, fixesRow]: [number, number, boolean, boolean]) =>
  `${fixesColumn ? "$" : ""}${toLetters(column)}${fixesRow ? "$" : ""}${row}`;

const quote = (sheet: string) => `'${sheet.replaceAll("'", "''")}'`;

/** A reference to cells: of the formula's own sheet, or of another one. */
const reference = fc
  .tuple(cell, fc.option(cell), fc.option(fc.constantFrom(...SHEETS), { freq: 3 }))
  .map(
    ([from, to, sheet]) =>
      `${sheet === null ? "" : `${quote(sheet)}!`}${toCell(from)}${to === null ? "" : `:${toCell(to)}`}`,
  );

const argument = fc.oneof(
  { weight: 4, arbitrary: reference },
  fc.constantFrom('"2024-01"', '"B6, C7"', '"it\'s Model!B2"', "10", "TRUE", "", '"say ""B3"""'),
);

const formula = fc.record({
  given: fc.array(argument, { minLength: 1, maxLength: 6 }),
  home: fc.constantFrom(...SHEETS),
  target: fc.constantFrom(...SHEETS),
});

/** A sheet's name without quotes as Excel takes it; no name of a cell, of rows or columns, nor one that begins with a digit. */
const BARE = /^(?![A-Z]{1,3}\d+$|R\d*C?\d*$|C\d*$)[\p{L}_][\p{L}\p{N}_.]*$/iu;

/** The cells that a reference means on a sheet, read by Excel's rules and not by the pane's code. */
function toMeaning(written: string, own: string): string {
  const [, quoted, bare, address = ""] = /^(?:'((?:[^']|'')+)'!|([^'!]+)!)?([^!]+)$/u.exec(written) ?? [];
  hold(bare === undefined || BARE.test(bare), `${written} is a reference`);
  const sheet = quoted?.replaceAll("''", "'") ?? bare ?? own;
  return JSON.stringify([sheet, address.replaceAll("$", "")]);
}

const TEXTS = /"(?:[^"]|"")*"/g;
const REFERENCES =
  /(?:'(?:[^']|'')+'!|[\p{L}_][\p{L}\p{N}_.]*!)?(?<![\p{L}\p{N}_.$])\$?(?:[A-Z]{1,2}\$?\d+(?::\$?[A-Z]{1,2}\$?\d+)?|[A-Z]{1,2}:\$?[A-Z]{1,2}|\d+:\$?\d+)(?![\p{L}\p{N}_.(!'])/giu;

/** What all references of a formula mean on a sheet, those within expressions too. */
const listMeanings = (text: string, own: string): string =>
  (text.replace(TEXTS, '""').match(REFERENCES) ?? [])
    .map((each) => toMeaning(each.toUpperCase(), own.toUpperCase()).toUpperCase())
    .join(" ");

/** A workbook of which each reference gives what it means. */
const MEANINGS: Pick<Workbook, "readValues"> = {
  readValues: async (written) => [[toMeaning(written, "?")]],
};

const toCall = (text: string): FormulaCall => {
  const reading = readFormula(text);
  if (reading.kind !== "call") throw new Error(`${text} is no formula`);
  return reading.call;
};

/** What the cells of a formula hold, for a cell of a sheet. */
const look = (call: FormulaCall, sheet: string) => readValues(call, MEANINGS, sheet);

/** Arguments that have no preview. */
const expression = fc
  .tuple(
    fc.constantFrom(
      "#*2",
      "SUM(#,$B$2)",
      "@#",
      "#:#",
      'IF(#="B6",#,1)',
      "_xlfn.SINGLE(#)",
      "(#,C9)",
      "#%",
      "B:C",
      "$3:4",
      "-#",
      'LET(x,#,x&"A1!")',
      "{1,2}",
      "Table1[Year]",
      "Rev*2",
      "b6+c7",
    ),
    reference,
  )
  .map(([text, each]) => text.replaceAll("#", text === "#:#" ? "B7" : each));

describe("a formula that is built", () => {
  it("means the same cells from another sheet, within expressions too", () => {
    const law = fc.property(
      fc.tuple(formula, fc.array(expression, { minLength: 1, maxLength: 3 })),
      ([drawn, parts]) => {
        const opened = toCall(`=FEED.RANKING(${[...parts, ...drawn.given].join(",")})`);
        const [before, after] = [toFormulaText(opened), toFormulaText(onSheet(opened, drawn.home, drawn.target))];
        const isSame = listMeanings(before, drawn.home) === listMeanings(after, drawn.target);
        hold(isSame, `${after} on ${drawn.target} is ${before} on ${drawn.home}`);
      },
    );
    fc.assert(law, { numRuns: toRuns(60, 500) });
  });

  it("reads the cells in its cell that its preview read, whichever sheet it was opened on", async () => {
    const law = fc.asyncProperty(formula, async ({ given, home, target }) => {
      const opened = toCall(`=FEED.RANKING(${given.join(",")})`);
      const shown = onSheet(opened, home, target);
      const [before, preview] = [await look(opened, home), await look(shown, home)];
      const inserted = await look(toCall(toFormulaText(shown)), target);
      hold(JSON.stringify(preview) === JSON.stringify(before), "the preview reads the opened formula's cells");
      const padded = preview.map((_, at) => inserted[at] ?? null);
      hold(JSON.stringify(padded) === JSON.stringify(preview), `${toFormulaText(shown)} reads its preview's cells`);
    });
    await fc.assert(law, { numRuns: toRuns(60, 500) });
  });
});

const TEXTS_OF_CELLS = [
  "1234567890",
  'a"b',
  "=1+1",
  "O'Neill",
  "b6, C7",
  "Model!B2",
  "Ｂ２",
  "千代田",
  "@x",
  "{1}",
  "a\\b",
  "%",
];
const text = fc.constantFrom(...TEXTS_OF_CELLS);

const FIELDS = "Company, English name, Ticker, Country, Public, Industry, Company id";

/** A pane without an index of names, in which only ids mean a company. */
const pane = {
  session: { settings: { country: "JPN" }, feed: { nameIndexes: { state: () => ({ facts: null }) } } },
} as unknown as Parameters<typeof toPeers>[0];

const toFound = (id: string, country: string | null) => ({
  ...{ id, country, name: id, otherName: null, city: null, ticker: null },
  ...{ registrationNumber: null, isPrivate: true },
});

describe("what Find inserts", () => {
  it("names the company, the country and the industry that it shows, as texts", async () => {
    const law = fc.asyncProperty(text, text, async (id, other) => {
      const inserted: [Inserted, ...texts: (string | null)[]][] = [
        [await toRevenue(pane, toFound(id, null)), id, "FY0", "Revenue"],
        [await toPeers(pane, toFound(id, "JPN")), id, null, null, null, null, FIELDS],
        [await toPeers(pane, toFound(id, other)), id, "industry", other, null, null, FIELDS],
        [toConstituents({ level: "industry", id }, other), `industry:${id}`, other, null, null, FIELDS],
      ];
      for (const [{ cells }, ...texts] of inserted) {
        const [[content]] = cells as [[{ formula: string }]];
        const { formula } = content;
        hold(listMeanings(formula, "Model") === "", `${formula} reads no cell`);
        expect(toCall(formula).given).toEqual(texts.map((value) => value && { kind: "text", value }));
      }
    });
    await fc.assert(law, { numRuns: toRuns(60, 500) });
  });
});

describe("what Sheets makes", () => {
  const TEXTS_OF_SHEETS = sheetWords.en;
  const list = fc.uniqueArray(text, { minLength: 1, maxLength: 5 });
  const toPlans = (companies: string[], metrics: string[], year: string) => [
    toComparisonPlan({ companies, metrics, years: { from: year, to: year, count: 1 }, unit: "" }, TEXTS_OF_SHEETS),
    toComparisonPlan({ companies, metrics, years: { from: year, to: "FY0", count: 5 }, unit: "" }, TEXTS_OF_SHEETS),
    toStatementPlan(
      { company: companies[0] as string, companyName: "", years: 5, unit: "m", basis: year },
      TEXTS_OF_SHEETS,
    ),
  ];
  const listFormulas = ({ cells }: SheetPlan) => cells.filter(({ content }) => typeof content === "object");

  it("has the companies, metrics and year that its form shows as texts, and in no formula", () => {
    const law = fc.property(list, list, text, (companies, metrics, year) => {
      const plans = toPlans(companies, metrics, year);
      const plain = toPlans(
        companies.map((_, at) => `c${at}`),
        metrics.map((_, at) => `m${at}`),
        "FY0",
      );
      expect(plans.map(listFormulas)).toEqual(plain.map(listFormulas));
      const [comparison, overYears, statement] = plans.map(({ cells }) => cells.map(({ content }) => content));
      expect(comparison).toEqual(expect.arrayContaining([...companies, ...metrics, year]));
      expect(overYears).toEqual(expect.arrayContaining([...companies, ...metrics, year]));
      expect(statement).toEqual(expect.arrayContaining([companies[0], year]));
    });
    fc.assert(law, { numRuns: toRuns(60, 500) });
  });

  it("has the range of a ranking as texts in its cells, and in no formula", () => {
    const law = fc.property(text, text, fc.constantFrom(...RANKED), (start, end, ranked) => {
      const rest = { ranked, pageType: "", top: 10, fields: listFirstFields(ranked, "") } as const;
      const plan = toRankingPlan({ ...rest, start, end }, TEXTS_OF_SHEETS);
      const plain = toRankingPlan({ ...rest, start: "-7d", end: "x" }, TEXTS_OF_SHEETS);
      expect(listFormulas(plan)).toEqual(listFormulas(plain));
      expect(plan.cells.map(({ content }) => content)).toEqual(expect.arrayContaining([start, end]));
    });
    fc.assert(law, { numRuns: toRuns(60, 500) });
  });
});
