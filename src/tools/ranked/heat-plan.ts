import { PAGE_TYPES } from "../../contract/parameter-values";
import type { SheetPlan } from "../../contract/workbook";
import { toPageName } from "../../feed/field-tables";
import { toLetters } from "../../taskpane/addresses";
import type { Given } from "../../taskpane/formula-text";
import {
  type SheetTexts,
  toCells,
  toDates,
  toFormula,
  toHead,
  toHeadingWidth,
  toParameterCell,
  toTableRow,
  toTextArgument,
  toWidths,
} from "../../taskpane/sheets/plan";
import { choose, MOST_ROWS, SHARE_CHANGE, toChangeRules, toMoved, toRows } from "./tables";
import type { RankedTexts } from "./texts";

export interface HeatOptions {
  /** Length of each period in days. */
  days: number;
  top: number;
}

/** Columns before the page types: rank, company, ticker, headquarters and all page views. */
const LEADING = 5;
const TOTAL = "E";
const LETTERS = PAGE_TYPES.map((_, index) => toLetters(LEADING + index));
const [FROM = "", TO = ""] = [LETTERS[0], LETTERS.at(-1)];

/** The columns of the period before, beyond what is printed. */
const FORMER = LEADING + PAGE_TYPES.length + 2;
const [FORMER_FIRST, FORMER_TOTAL] = [toLetters(FORMER), toLetters(FORMER + LEADING - 1)];

/** Rows above the headings: the line, the share of all shown, the same of the period before, and the change. */
const SUMMARY_ROWS = 4;

/** Plans a heat map: companies down, page types across; a colour compares a company's share with that of all shown. */
export function toHeatPlan({ days, top }: HeatOptions, texts: SheetTexts, ranked: RankedTexts): SheetPlan {
  const toParameters = (dates: string) => [
    { label: ranked.days, value: days, hint: ranked.daysHint },
    { label: texts.rows, value: top, hint: ranked.rowsHint(MOST_ROWS) },
    toDates(toParameterCell(0), dates, texts),
  ];
  const row = toTableRow(toParameters("")) + SUMMARY_ROWS + 1;
  const [first, last] = [row + 1, row + MOST_ROWS];
  const name = ranked.names.heat;
  const [start, count] = [0, ROWS].map((place) => toCells(toHelper(place, row)));
  const dates = `INDEX(${toRanking(start, null, count, toTextArgument("period")).formula.slice(1)},1)`;
  const head = toHead(name, ranked.titles.heat, ranked.heatHint, toParameters(dates), texts.asOf);
  return {
    name,
    cells: [...head.cells, ...toSummary(row, ranked), ...toTables(row, ranked)],
    styles: [
      ...head.styles,
      { range: `A${row - 4}`, style: "label" },
      { range: `A${row - 3}:${TO}${row - 1}`, style: "section" },
      { range: `A${row}:${TO}${row}`, style: "heading" },
      { range: `A${row}`, style: "numberHeading" },
      { range: `${TOTAL}${row}:${TO}${row}`, style: "numberHeading" },
      { range: `${FORMER_FIRST}${row - 4}`, style: "note" },
    ],
    formats: [
      ...head.formats,
      { range: `${FROM}${row - 3}:${TO}${row - 2}`, format: "0.00%" },
      { range: `${FROM}${row - 1}:${TO}${row - 1}`, format: SHARE_CHANGE },
      { range: `${TOTAL}${first}:${TO}${last}`, format: "#,##0" },
    ],
    widths: toWidths([10, 38, 12, 16, 20, ...PAGE_TYPES.map((type) => Math.max(12, toHeadingWidth(toPageName(type))))]),
    grouped: ["D"],
    rules: [...toChangeRules(`${FROM}${row - 1}:${TO}${row - 1}`), ...toHeatRules(row)],
    headingRow: row,
    frozenRows: 1,
    printed: `A2:${TO}${row + top}`,
    selected: toParameterCell(0),
  };
}

/** The line on what moved, and the shares of all companies shown. */
function toSummary(row: number, texts: RankedTexts): SheetPlan["cells"] {
  const [now, before, change] = [row - 3, row - 2, row - 1];
  const toRange = (of: number) => `$${FROM}$${of}:$${TO}$${of}`;
  const ranges = { change: toRange(change), name: toRange(row), before: toRange(before), now: toRange(now) };
  const moved = toMoved(
    { ...ranges, format: "0.00%", isAcross: true },
    `${toParameterCell(0)}&IF(${toParameterCell(0)}=1,"${texts.dayUnit}","${texts.daysUnit}")`,
    texts,
  );
  const head = `$A$${row + 1}`;
  const cases = [
    [`ISNA(${toHelper(ROWS, row)})`, `"${texts.noRows}"`],
    [`ISERROR(${head})`, head],
    [`COUNT(${ranges.change})=0`, `"${texts.noFormer}"`],
  ] as const;
  return [
    {
      at: `A${row - 4}`,
      content: { formula: `=${choose(cases, moved)}` },
    },
    ...[texts.heatShare, texts.heatFormer, texts.heatChange].map((content, index) => ({
      at: `A${now + index}`,
      content,
    })),
    ...LETTERS.flatMap((letter, index) => {
      const former = toLetters(FORMER + LEADING + index);
      return [
        { at: `${letter}${now}`, content: toShare(letter, TOTAL, row) },
        { at: `${letter}${before}`, content: toShare(former, FORMER_TOTAL, row) },
        {
          at: `${letter}${change}`,
          content: {
            formula: `=IF(COUNT(${letter}${now}:${letter}${before})<2,"",${letter}${now}-${letter}${before})`,
          },
        },
      ];
    }),
  ];
}

function toShare(letter: string, total: string, row: number): { formula: string } {
  const [part, all] = [letter, total].map((each) => `SUM(${each}$${row + 1}:${each}$${row + MOST_ROWS})`);
  return { formula: `=IF(${all}=0,"",${part}/${all})` };
}

/** The cells that the formulas read, above the period before; the last of them has the number of rows. */
const toHelper = (place: number, row: number) => `${toLetters(FORMER + place)}${row - 3}`;
const ROWS = 3;

/** The rankings of both periods. The days of the one before end a day before the others begin. */
function toTables(row: number, texts: RankedTexts): SheetPlan["cells"] {
  const [days, rows] = [toParameterCell(0), toRows(toParameterCell(1))];
  const helpers = [`"-"&${days}&"d"`, `"-"&2*${days}&"d"`, `"-"&${days}+1&"d"`, rows];
  const [start, formerStart, formerEnd, top] = helpers.map((_, place) => toCells(toHelper(place, row)));
  return [
    { at: `${FORMER_FIRST}${row - 4}`, content: texts.heatData },
    ...helpers.map((expression, place) => ({ at: toHelper(place, row), content: { formula: `=${expression}` } })),
    ...toHeadings(texts).map((content, column) => ({ at: `${toLetters(column)}${row}`, content })),
    { at: `A${row + 1}`, content: toRanking(start, null, top) },
    { at: `${FORMER_FIRST}${row + 1}`, content: toRanking(formerStart, formerEnd, top) },
  ];
}

/** All fields, without the formula's headings, which say "page views" in each. */
const toRanking = (start: Given = null, end: Given = null, top: Given = null, fields: Given = null) =>
  toFormula("RANKING.PAGES", [start, end, null, top, fields, { kind: "flag", value: false }]);

const toHeadings = ({ heatHeadings }: RankedTexts): string[] => [...heatHeadings, ...PAGE_TYPES.map(toPageName)];

/** From and below which multiple of the share of all shown a colour counts; without end for the first and the last. */
const COLOURS = [
  { style: "hot", from: 2 },
  { style: "warm", from: 1.25, below: 2 },
  { style: "cool", from: 0.5, below: 0.8 },
  { style: "cold", below: 0.5 },
] as const satisfies readonly { style: string; from?: number; below?: number }[];

function toHeatRules(row: number): SheetPlan["rules"] {
  const [cell, total, share] = [`${FROM}${row + 1}`, `$${TOTAL}${row + 1}`, `${FROM}$${row - 3}`];
  const range = `${FROM}${row + 1}:${TO}${row + MOST_ROWS}`;
  return COLOURS.map(({ style, ...limits }) => {
    const conditions = [
      ...("from" in limits ? [`${cell}/${total}>=${limits.from}*${share}`] : []),
      ...("below" in limits ? [`${cell}/${total}<${limits.below}*${share}`] : []),
    ];
    return { range, style, formula: `=AND(ISNUMBER(${cell}),ISNUMBER(${share}),${conditions.join(",")})` };
  });
}
