import { describe, expect, it } from "@jest/globals";
import type { SheetPlan } from "../../src/contract/workbook";
import { toLetters } from "../../src/taskpane/addresses";
import { type RankedTemplate, toFirstRankedDrafts, toRankedPlan } from "../../src/taskpane/sheets/ranked/drafts";
import { rankedWords } from "../../src/taskpane/sheets/ranked/words";
import { sheetsTexts } from "../../src/taskpane/texts/sheets";

const drafts = toFirstRankedDrafts();
const NAMES = Object.keys(drafts) as RankedTemplate[];
const LANGUAGES = ["en", "ja"] as const;
const toPlan = (template: RankedTemplate, language: "en" | "ja" = "en") =>
  toRankedPlan(template, drafts, sheetsTexts[language].sheet, rankedWords[language]);
const PLANS = NAMES.flatMap((template) =>
  LANGUAGES.map((language): [string, SheetPlan] => [`${template} (${language})`, toPlan(template, language)]),
);
const at = ({ cells }: SheetPlan, cell: string) => cells.find((each) => each.at === cell)?.content;
const listFormulas = ({ cells }: SheetPlan) =>
  cells.flatMap(({ content }) => (typeof content === "object" && content !== null ? [content.formula] : []));

/** Functions that Excel 2021 has and the playground plays. */
const FUNCTIONS =
  /^(FEED\.[A-Z.]+|IF|IFNA|IFERROR|ISERROR|ISNA|ISNUMBER|NA|AND|OR|MIN|MAX|SUM|SUMIF|COUNT|COUNTA|COUNTIF|ROUND|INDEX|MATCH|TEXT|TEXTJOIN|MID|AVERAGE|ABS|XLOOKUP)$/;

describe("a plan of a sheet that compares rankings", () => {
  it.each(PLANS)("%s writes each cell once, and no empty one", (_, { cells }) => {
    expect(new Set(cells.map((cell) => cell.at)).size).toBe(cells.length);
    expect(cells.filter(({ content }) => content === null || content === "")).toEqual([]);
  });

  it.each(PLANS)("%s uses functions of Excel 2021 alone, and closes each bracket", (_, plan) => {
    for (const formula of [...listFormulas(plan), ...plan.rules.map((rule) => rule.formula)]) {
      const bare = formula.replaceAll(/"(?:[^"]|"")*"/g, '""');
      const names = [...bare.matchAll(/([A-Z][A-Z.]*)\(/g)].map(([, name = ""]) => name);
      expect([formula, names.filter((name) => !FUNCTIONS.test(name))]).toEqual([formula, []]);
      expect(bare.split("(").length).toBe(bare.split(")").length);
      expect(formula.length).toBeLessThan(8_192);
    }
  });

  it.each(PLANS)("%s has coloured parameters, prints what is visible, and repeats its heading", (_, plan) => {
    expect(plan.styles.filter(({ style }) => style === "input").map(({ range }) => range)).toContain(plan.selected);
    const [, letter = "", row] = /^A1:([A-Z]+)(\d+)$/.exec(plan.printed) ?? [];
    expect(letter.length).toBe(1);
    expect(Number(row)).toBeGreaterThan(plan.frozenRows);
    expect(plan.frozenRows).toBeGreaterThan(10);
  });

  it.each(PLANS.filter(([, { chart }]) => chart))("%s has its chart beside the notes, above the table", (_, plan) => {
    const { chart, widths, frozenRows, cells } = plan;
    const [, from = "", bottom = ""] = /^([A-Z]+)1:[A-Z]+(\d+)$/.exec(chart?.at ?? "") ?? [];
    expect(Number(bottom)).toBeLessThan(frozenRows - 1);
    const columns = Array.from({ length: 26 }, (_, index) => toLetters(index));
    const left = columns.slice(0, columns.indexOf(from)).reduce((sum, each) => sum + (widths[each] ?? 9), 0);
    const notes = cells.filter((each) => each.at.startsWith("A") && Number(each.at.slice(1)) <= Number(bottom));
    const longest = Math.max(...notes.map(({ content }) => (typeof content === "string" ? content.length : 0)));
    expect(longest).toBeLessThanOrEqual(left * 1.15);
  });
});

describe("a league table's plan", () => {
  it("reads ranks and measures of one list, whose blocks may grow to the right", () => {
    const plan = toPlan("league");
    expect(at(plan, "K12")).toEqual({ formula: '="top "&$N$12' });
    expect(at(plan, "K14")).toEqual({ formula: "=FEED.RANKING.TREND(K12, B3, , B5)" });
    expect(at(plan, "K117")).toEqual({ formula: "=FEED.RANKING.TREND(K12, B3, O12, B5)" });
  });

  it("shows arrows, in green and red by rule", () => {
    const { formats, rules } = toPlan("league");
    expect(formats).toContainEqual({ range: "B15:B114", format: '"▲"0;"▼"0;"–"' });
    expect(rules.map(({ range, style }) => `${style} ${range}`)).toEqual([
      "up B15:B114",
      "down B15:B114",
      "up G15:G114",
      "down G15:G114",
      "fresh B15:B114",
    ]);
  });
});

describe("a plan of movers", () => {
  it("has the columns of its formula, whose arguments are coloured cells", () => {
    const plan = toPlan("movers");
    expect(at(plan, "A16")).toEqual({ formula: "=FEED.RANKING.MOVERS(B3, B4, B5, B6, B7)" });
    expect(["B3", "B4", "B5", "B6", "B7"].map((cell) => at(plan, cell))).toEqual([
      "-7d",
      undefined,
      25,
      "companies",
      "totalPageViews",
    ]);
  });
});

describe("a plan of a heat map", () => {
  it("has columns as wide as their headings", () => {
    for (const [, { cells, widths, frozenRows }] of PLANS) {
      for (const { at: cell, content } of cells) {
        const [, column = "", row] = /^([A-Z])(\d+)$/.exec(cell) ?? [];
        if (Number(row) !== frozenRows || typeof content !== "string" || column > "I") continue;
        expect([content, widths[column]]).toEqual([content, expect.any(Number)]);
        expect(content.length * 1.15).toBeLessThanOrEqual(widths[column] as number);
      }
    }
  });

  it("compares two periods of equal length, one after the other", () => {
    const plan = toPlan("heat");
    expect(["Z11", "AA11", "AB11"].map((cell) => at(plan, cell))).toEqual([
      { formula: '="-"&B3&"d"' },
      { formula: '="-"&2*B3&"d"' },
      { formula: '="-"&B3+1&"d"' },
    ]);
    expect(at(plan, "A15")).toEqual({ formula: "=FEED.RANKING.PAGES(Z11, , , AC11, , FALSE)" });
    expect(at(plan, "Z15")).toEqual({ formula: "=FEED.RANKING.PAGES(AA11, AB11, , AC11, , FALSE)" });
  });

  it("has colours that exclude each other", () => {
    const limits = toPlan("heat").rules.filter(({ style }) => ["hot", "warm", "cool", "cold"].includes(style));
    expect(limits.map(({ formula }) => formula.replace(/.*ISNUMBER\(F\$11\),/, ""))).toEqual([
      "F15/$E15>=2*F$11)",
      "F15/$E15>=1.25*F$11,F15/$E15<2*F$11)",
      "F15/$E15>=0.5*F$11,F15/$E15<0.8*F$11)",
      "F15/$E15<0.5*F$11)",
    ]);
  });
});

describe("a plan of an industry rotation", () => {
  it("reads all industries of any period, since a share is of all of them", () => {
    const plan = toPlan("rotation");
    expect(at(plan, "K12")).toEqual({ formula: '="any"' });
    expect(at(plan, "K14")).toEqual({ formula: '=FEED.RANKING.TREND(K12, B3, O12, "industries")' });
    expect(at(plan, "M13")).toEqual({ formula: '=IF(M14="","",SUMIF(M15:M1014,">0"))' });
  });
});
