import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import type { SheetPlan } from "../../contract/workbook";
import type { NameChoice } from "../../feed/names/preferred";
import type { Template } from "../../session/settings";
import { TOOLS } from "../../tools";
import { isCompanyText, listWritten } from "../picker/company-writing";
import type { Texts } from "../texts";
import type { SheetDraft, SheetKind } from "../tool";
import { MOST_YEARS, toCapacity, toComparisonPlan, type Unit, type Years } from "./comparison-plan";
import type { SheetTexts } from "./plan";
import { findChartColumns, listFields, listFirstFields, type Ranked, toRankingPlan } from "./ranking-plan";
import { toStatementPlan } from "./statement-plan";
import { sheetWords } from "./words";

/** Ranges relative to today, and the word for fixed dates. */
export const RANGES = ["-7d", "-28d", "MTD", "-1m", "YTD", "dates"] as const;
export const TOPS = [10, 25, 50, 100, "all"] as const;
export const YEARS = [3, 5, 10] as const;
/** Numbers of years up to the latest, and the word for a first and a last year. */
export const SPANS = [1, ...YEARS, "years"] as const;
export const UNITS = ["", "k", "m", "bn"] as const;
export const BASES = ["", "CONSOLIDATED"] as const;

/** More companies would take hundreds of requests, and as many rows for each metric of several years. */
const [MOST_COMPANIES, MOST_OF_SEVERAL_YEARS] = [500, 100];

/** The input of all forms; each keeps its own. */
export interface Drafts {
  ranking: {
    ranked: Ranked;
    pageType: string;
    range: (typeof RANGES)[number];
    from: string;
    to: string;
    top: (typeof TOPS)[number];
    fields: readonly string[];
  };
  comparison: {
    companies: string;
    metrics: readonly string[];
    years: (typeof SPANS)[number];
    from: string;
    to: string;
    unit: Unit;
  };
  statement: { company: string; years: number; unit: Unit; basis: (typeof BASES)[number] };
  /** Those of tools, by template. */
  ofTools: Readonly<Partial<Record<Template, SheetDraft>>>;
}

/** The messages of invalid fields, by their names. */
export type Mistakes = Readonly<Record<string, string>>;

/** @param ofTools the first drafts of the tools' sheets; default none */
export function toFirstDrafts(ofTools: Drafts["ofTools"] = {}): Drafts {
  return {
    ofTools,
    ranking: {
      ranked: "companies",
      pageType: "",
      range: "-7d",
      from: "",
      to: "",
      top: 25,
      fields: listFirstFields("companies", ""),
    },
    comparison: {
      companies: "",
      metrics: ["Revenue", "EBITDA", "EBIT", "Net Income", "Total Assets"],
      years: 1,
      from: "FY-4",
      to: "FY0",
      unit: "m",
    },
    statement: { company: "", years: 5, unit: "m", basis: "" },
  };
}

/** The drafts with a statement of a company. */
export const withStatement = ({ statement, ...others }: Drafts, company: string): Drafts => ({
  ...others,
  statement: { ...statement, company },
});

/**
 * The sheet of a form, or its mistakes.
 *
 * @param nameOf the name of a company, if known
 */
export function readDraft(
  template: Template,
  drafts: Drafts,
  texts: Texts,
  nameOf: (company: string) => string | undefined = () => undefined,
): { plan: SheetPlan } | { mistakes: Mistakes } {
  const sheet = sheetWords[texts.language];
  const ofTool = drafts.ofTools[template];
  if (ofTool !== undefined) return { plan: ofTool.toPlan(sheet, texts.language) };
  const mistakes = Object.entries(FINDERS[template as OwnTemplate](drafts, texts.ofSheets)).filter(
    ([, found]) => found !== null,
  );
  if (mistakes.length > 0) return { mistakes: Object.fromEntries(mistakes) as Mistakes };
  if (template === "ranking") return { plan: toPlanOfRanking(drafts.ranking, sheet) };
  if (template === "comparison") return { plan: toPlanOfComparison(drafts.comparison, sheet) };
  const company = drafts.statement.company.trim();
  return { plan: toStatementPlan({ ...drafts.statement, company, companyName: nameOf(company) ?? "" }, sheet) };
}

function toPlanOfRanking({ range, from, to, ...options }: Drafts["ranking"], texts: SheetTexts): SheetPlan {
  const span = range === "dates" ? { start: from, end: to } : { start: range, end: "" };
  return toRankingPlan({ ...options, ...span }, texts);
}

function toPlanOfComparison(draft: Drafts["comparison"], texts: SheetTexts): SheetPlan {
  const { metrics, unit } = draft;
  const years = readYears(draft) ?? { from: draft.from, to: draft.to, count: 1 }; // a mistake is found before
  return toComparisonPlan({ companies: listWritten(draft.companies), metrics, years, unit }, texts);
}

type Finder = (drafts: Drafts, texts: Texts["ofSheets"]) => Record<string, string | null>;

/** The templates of this part. */
export type OwnTemplate = Exclude<keyof Drafts, "ofTools">;

const FINDERS: Readonly<Record<OwnTemplate, Finder>> = {
  ranking: ({ ranking: { range, from, to, fields } }, texts) => ({
    from: range === "dates" && from === "" ? texts.noDate : null,
    to: range === "dates" && to === "" ? texts.noDate : null,
    fields: fields.length === 0 ? texts.noColumns : null,
  }),
  comparison: ({ comparison }, texts) => {
    const { companies, metrics, years, from, to } = comparison;
    const given = readYears(comparison);
    const most = (given?.count ?? 1) === 1 ? MOST_COMPANIES : MOST_OF_SEVERAL_YEARS;
    const noYear = (year: string) => (years === "years" && readYear(year) === null ? texts.noYear : null);
    return {
      companies: findCompanyMistake(listWritten(companies), texts, most),
      metrics: metrics.length === 0 ? texts.noFigures : null,
      from: noYear(from),
      to: noYear(to) ?? (noYear(from) === null && given === null ? texts.noYears(MOST_YEARS) : null),
    };
  },
  statement: ({ statement: { company } }, texts) => {
    const companies = listWritten(company);
    if (companies.length === 0) return { company: texts.noCompany };
    return { company: companies.length > 1 ? texts.severalCompanies : findCompanyMistake(companies, texts, 1) };
  },
};

function findCompanyMistake(companies: readonly string[], texts: Texts["ofSheets"], most: number): string | null {
  if (companies.length === 0) return texts.noCompanies;
  if (companies.length > most) return texts.tooManyCompanies(most);
  const wrong = companies.find((each) => !isCompanyText(each));
  return wrong === undefined ? null : texts.notCompany(wrong);
}

/** Reads "2023", "FY2023" or "FY-1"; null for anything else. */
function readYear(written: string): { text: string; number: number; isRelative: boolean } | null {
  const text = written.trim().toUpperCase();
  const [, year, offset] = /^(?:FY\s?)?((?:19|2\d)\d{2})$|^FY\s?(0|-\d{1,2})$/.exec(text) ?? [];
  if (year !== undefined) return { text: year, number: Number(year), isRelative: false };
  return offset === undefined ? null : { text: `FY${offset}`, number: Number(offset), isRelative: true };
}

/** The years of a comparison; null where they are no years, of two kinds, in the wrong order, or too many. */
function readYears({ years, from, to }: Drafts["comparison"]): Years | null {
  if (years !== "years") return { from: `FY${1 - years}`, to: "FY0", count: years };
  const [first, last] = [readYear(from), readYear(to)];
  if (first === null || last === null || first.isRelative !== last.isRelative) return null;
  const count = last.number - first.number + 1;
  return count < 1 || count > MOST_YEARS ? null : { from: first.text, to: last.text, count };
}

type TextsOfSheets = Pick<Texts, "ofSheets" | "language">;

/**
 * The sheet's content and cost, in words; empty for a comparison without companies.
 *
 * @param names of companies, of which each in a language may take a request of its own
 */
export function describeDraft(template: Template, drafts: Drafts, texts: TextsOfSheets, names: NameChoice): string {
  const { ofSheets } = texts;
  const ofTool = drafts.ofTools[template];
  if (ofTool !== undefined) return ofTool.describe(texts);
  const { ranking, comparison, statement } = drafts;
  const { contents, costs, costsAll, costsMost } = ofSheets;
  const perName = names === "provider" ? 0 : 1;
  if (template === "statement") return `${contents.statement(statement.years)} ${costs(2 + perName)}`;
  if (template === "ranking") {
    const { ranked, pageType, top, fields } = ranking;
    const shown = listFields(ranked, pageType).filter(({ name }) => fields.includes(name));
    const rows = top === "all" ? null : top;
    return `${contents.ranking(rows, shown.length, findChartColumns(shown) !== null)} ${rows === null ? costsAll : costs(1)}`;
  }
  const count = listWritten(comparison.companies).length;
  if (count === 0) return "";
  const years = readYears(comparison)?.count ?? 1;
  const requests = count * (1 + perName) + Math.ceil(count / DEFAULT_PAGE_SIZE); // one request per page of companies for figures (§8)
  // A provider may give year-ends for single companies alone (§2.3).
  const cost = years === 1 ? costs(requests) : costsMost(requests + (count === 1 ? 0 : count));
  return `${contents.comparison(count, comparison.metrics.length, years, toCapacity(count, years))} ${cost}`;
}

/** The kinds of sheets that tools make, by template. Their scripts load with the part for sheets. */
export const listKinds = (): Partial<Readonly<Record<Template, SheetKind>>> =>
  Object.assign({}, ...TOOLS.sheets.map(({ loaded }) => loaded));

/** A template's name for the person; empty where the tool that made the sheet is no longer there. */
export function toTemplateName(template: Template, { ofSheets, language }: TextsOfSheets) {
  const own: Readonly<Partial<Record<Template, string>>> = ofSheets.templates;
  return own[template] ?? listKinds()[template]?.title[language] ?? "";
}
