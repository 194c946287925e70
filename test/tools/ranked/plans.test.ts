import { describe, expect, it } from "@jest/globals";
import type { SheetPlan } from "../../../src/contract/workbook";
import { toLetters } from "../../../src/taskpane/addresses";
import { sheetWords } from "../../../src/taskpane/sheets/words";
import { toMoversPlan } from "../../../src/tools/ranked/movers-plan";
import { RANKED_SHEETS } from "../../../src/tools/ranked/sheets";
import { type RankedTemplate, rankedWords } from "../../../src/tools/ranked/texts";
import CASES from "./plans.json";

const at = ({ cells }: SheetPlan, cell: string) => cells.find((each) => each.at === cell)?.content;

const toPlan = (template: RankedTemplate, language: "en" | "ja" = "en") =>
  RANKED_SHEETS[template].first.toPlan(sheetWords[language], language);

/** The sheets that compare rankings, in both languages. */
const COMPARED = (Object.keys(RANKED_SHEETS) as RankedTemplate[]).flatMap((template) =>
  (["en", "ja"] as const).map((language): [string, SheetPlan] => [
    `${template} (${language})`,
    toPlan(template, language),
  ]),
);

const COLUMNS = Array.from({ length: 40 }, (_, index) => toLetters(index));
const listFormulas = ({ cells }: SheetPlan) =>
  cells.flatMap(({ content }) => (typeof content === "object" && content ? [content.formula] : []));
/** The character position of a column's left edge, by Excel's default widths. */
const toLeft = ({ widths }: SheetPlan, column: number) =>
  COLUMNS.slice(0, column).reduce((sum, each) => sum + (widths[each] ?? 9), 0);
const toLongest = (cells: SheetPlan["cells"]) =>
  Math.max(...cells.map(({ content }) => (typeof content === "string" ? content.length : 0)));

/** Functions that Excel 2021 has and the playground plays. */
const FUNCTIONS =
  /^(FEED\.[A-Z.]+|IF|IFNA|IFERROR|ISERROR|ISNA|ISNUMBER|NA|AND|OR|MIN|MAX|SUM|SUMIF|COUNT|COUNTA|COUNTIF|ROUND|INDEX|MATCH|TEXT|TEXTJOIN|MID|AVERAGE|ABS|XLOOKUP|DATE|WEEKDAY|YEAR|MONTH|DAY|LEFT|RIGHT|LEN|SUBSTITUTE)$/;

describe("a plan of a sheet that compares rankings", () => {
  it.each(COMPARED)("%s writes each cell once, and formulas only as formulas", (_, { cells }) => {
    expect(new Set(cells.map((cell) => cell.at)).size).toBe(cells.length);
    const texts = cells.filter(({ content }) => typeof content === "string");
    expect(texts.filter(({ content }) => String(content).startsWith("="))).toEqual([]);
    expect(cells.filter(({ content }) => content === null || content === "")).toEqual([]);
  });

  it.each(COMPARED)("%s uses functions of Excel 2021 alone, and closes each bracket", (_, plan) => {
    for (const formula of [...listFormulas(plan), ...plan.rules.map((rule) => rule.formula)]) {
      const bare = formula.replaceAll(/"(?:[^"]|"")*"/g, '""');
      const names = [...bare.matchAll(/([A-Z][A-Z.]*)\(/g)].map(([, name = ""]) => name);
      expect([formula, names.filter((name) => !FUNCTIONS.test(name))]).toEqual([formula, []]);
      expect(bare.split("(").length).toBe(bare.split(")").length);
      expect(formula.length).toBeLessThan(8_192);
    }
  });

  it("writes texts by formats that Excel reads alike in each language", () => {
    const byViews = { ranking: "companies", period: "-7d", by: "totalPageViews", top: 25 } as const;
    const plans = [...COMPARED.map(([, plan]) => plan), toMoversPlan(byViews, sheetWords.en, rankedWords.en)];
    const formats = plans.flatMap(listFormulas).flatMap((formula) => formula.match(/"[^"]*"(?=\))/g) ?? []);
    expect(formats.filter((format) => /yy|[0#][.,][0#]/.test(format))).toEqual([]);
  });

  it.each(COMPARED)("%s has coloured parameters, prints what is visible, and repeats its heading", (_, plan) => {
    expect(plan.styles.filter(({ style }) => style === "input").map(({ range }) => range)).toContain(plan.selected);
    const [, letter = "", row] = /^A2:([A-Z]+)(\d+)$/.exec(plan.printed) ?? [];
    expect(letter.length).toBe(1);
    expect(Number(row)).toBeGreaterThan(plan.headingRow);
    expect(plan.frozenRows).toBe(1);
  });

  it.each(COMPARED.filter(([, { chart }]) => chart))(
    "%s has its chart beside the notes, above the table",
    (_, plan) => {
      const { chart, headingRow, cells } = plan;
      const [, from = "", bottom = ""] = /^([A-Z]+)2:[A-Z]+(\d+)$/.exec(chart?.at ?? "") ?? [];
      expect(Number(bottom)).toBeLessThan(headingRow - 1);
      const notes = cells.filter((each) => each.at.startsWith("A") && Number(each.at.slice(1)) <= Number(bottom));
      expect(toLongest(notes)).toBeLessThanOrEqual(toLeft(plan, COLUMNS.indexOf(from)) * 1.15);
    },
  );
});

it("a league table's plan shows arrows, in green and red by rule", () => {
  const { formats, rules } = toPlan("league");
  expect(formats).toContainEqual({ range: "B16:B115", format: '"▲"0;"▼"0;"–"' });
  expect(rules.map(({ range, style }) => `${style} ${range}`)).toEqual(CASES.rules.league);
});

it("a plan of movers keeps typed periods as text", () => {
  const texts = toPlan("movers").formats.filter(({ format }) => format === "@");
  expect(texts.map(({ range }) => range)).toEqual(["B3", "B4"]);
});

it("a plan of movers leaves the second period to the first", () => {
  expect(at(toPlan("movers"), "B4")).toBeUndefined();
});

it.each([
  ["rank", "Places gained, rows 1 to 10", "C18:C27", "$C$18:$C$5017"],
  ["totalUniquePageViews", "Growth, rows 1 to 10", "H18:H27", "$H$18:$H$5017"],
] as const)("a plan of movers by %s charts and says what its rows are sorted by", (by, title, values, change) => {
  const options = { ranking: "companies", period: "-7d", by, top: 25 };
  const plan = toMoversPlan(options, sheetWords.en, rankedWords.en);
  expect(plan.chart).toMatchObject({ title, values });
  expect(at(plan, "A16")).toEqual({ formula: expect.stringContaining(`MAX(IF(ISNUMBER(${change})`) });
});

describe("a plan of a heat map", () => {
  it("has columns as wide as their headings", () => {
    for (const [, { cells, widths, headingRow }] of COMPARED) {
      for (const { at: cell, content } of cells) {
        const [, column = "", row] = /^([A-Z])(\d+)$/.exec(cell) ?? [];
        if (Number(row) !== headingRow || typeof content !== "string" || column > "I") continue;
        expect([content, widths[column]]).toEqual([content, expect.any(Number)]);
        expect(content.length * 1.15).toBeLessThanOrEqual(widths[column] as number);
      }
    }
  });

  it("has colours that exclude each other, and others for the row of changes", () => {
    const { rules } = toPlan("heat");
    expect([...new Set(rules.map(({ range }) => range))]).toEqual(["F14:W14", "F16:W115"]);
    const limits = rules.filter(({ style }) => ["hot", "warm", "cool", "cold"].includes(style));
    expect(limits.map(({ formula }) => formula.replace(/.*ISNUMBER\(F\$12\),/, ""))).toEqual(CASES.rules.heat);
  });
});

it.each(CASES.cells as unknown as [RankedTemplate, Record<string, unknown>][])(
  "the cells of a plan of %s hold what its formulas read",
  (template, cells) => {
    const plan = toPlan(template);
    expect(Object.fromEntries(Object.keys(cells).map((cell) => [cell, at(plan, cell)]))).toEqual(cells);
  },
);
