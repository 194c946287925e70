import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import type { SheetPlan } from "../../contract/workbook";
import type { Template } from "../../session/settings";
import { TOOLS } from "../../tools";
import { isCompanyText, listWritten } from "../picker/company-writing";
import type { Texts } from "../texts";
import type { SheetDraft, SheetKind } from "../tool";
import { toCapacity, toComparisonPlan, type Unit } from "./comparison-plan";
import type { SheetTexts } from "./plan";
import { findChartColumns, listFields, listFirstFields, type Ranked, toRankingPlan } from "./ranking-plan";
import { toStatementPlan } from "./statement-plan";

/** Ranges relative to today, and the word for fixed dates. */
export const RANGES = ["-7d", "-28d", "MTD", "-1m", "YTD", "dates"] as const;
export const TOPS = [10, 25, 50, 100, "all"] as const;
export const YEARS = [3, 5, 10] as const;
export const UNITS = ["", "k", "m", "bn"] as const;
export const BASES = ["", "CONSOLIDATED"] as const;

/** More companies would take hundreds of requests. */
const MOST_COMPANIES = 500;

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
  comparison: { companies: string; metrics: readonly string[]; year: string; unit: Unit };
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
      year: "FY0",
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
  const ofTool = drafts.ofTools[template];
  if (ofTool !== undefined) return { plan: ofTool.toPlan(texts.ofSheets.sheet, texts.language) };
  const mistakes = Object.entries(FINDERS[template as OwnTemplate](drafts, texts.ofSheets)).filter(
    ([, found]) => found !== null,
  );
  if (mistakes.length > 0) return { mistakes: Object.fromEntries(mistakes) as Mistakes };
  const { sheet } = texts.ofSheets;
  if (template === "ranking") return { plan: toPlanOfRanking(drafts.ranking, sheet) };
  if (template === "comparison") return { plan: toPlanOfComparison(drafts.comparison, sheet) };
  const company = drafts.statement.company.trim();
  return { plan: toStatementPlan({ ...drafts.statement, company, companyName: nameOf(company) ?? "" }, sheet) };
}

function toPlanOfRanking({ range, from, to, ...options }: Drafts["ranking"], texts: SheetTexts): SheetPlan {
  const span = range === "dates" ? { start: from, end: to } : { start: range, end: "" };
  return toRankingPlan({ ...options, ...span }, texts);
}

function toPlanOfComparison({ companies, year, ...options }: Drafts["comparison"], texts: SheetTexts): SheetPlan {
  const written = { companies: listWritten(companies), year: year.trim().toUpperCase() };
  return toComparisonPlan({ ...options, ...written }, texts);
}

type Finder = (drafts: Drafts, texts: Texts["ofSheets"]) => Record<string, string | null>;

/** The templates of this part. */
export type OwnTemplate = Exclude<keyof Drafts, "ofTools">;

const FINDERS: Readonly<Record<OwnTemplate, Finder>> = {
  ranking: ({ ranking: { range, from, to, fields } }, texts) => ({
    from: range === "dates" && from === "" ? texts.noDate : null,
    to: range !== "dates" ? null : to === "" ? texts.noDate : from > to ? texts.datesSwapped : null,
    fields: fields.length === 0 ? texts.noColumns : null,
  }),
  comparison: ({ comparison: { companies, metrics, year } }, texts) => ({
    companies: findCompanyMistake(listWritten(companies), texts),
    metrics: metrics.length === 0 ? texts.noFigures : null,
    year: isYear(year) ? null : texts.noYear,
  }),
  statement: ({ statement: { company } }, texts) => {
    const companies = listWritten(company);
    if (companies.length === 0) return { company: texts.noCompany };
    return { company: companies.length > 1 ? texts.severalCompanies : findCompanyMistake(companies, texts) };
  },
};

function findCompanyMistake(companies: readonly string[], texts: Texts["ofSheets"]): string | null {
  if (companies.length === 0) return texts.noCompanies;
  if (companies.length > MOST_COMPANIES) return texts.tooManyCompanies(MOST_COMPANIES);
  const wrong = companies.find((each) => !isCompanyText(each));
  return wrong === undefined ? null : texts.notCompany(wrong);
}

const isYear = (written: string): boolean => /^((FY\s?)?(19|2\d)\d{2}|FY\s?(0|-\d{1,2}))$/i.test(written.trim());

/** The sheet's content and cost, in words; empty for a comparison without companies. */
export function describeDraft(template: Template, drafts: Drafts, texts: Pick<Texts, "ofSheets" | "language">): string {
  const { ofSheets } = texts;
  const ofTool = drafts.ofTools[template];
  if (ofTool !== undefined) return ofTool.describe(texts);
  const { ranking, comparison, statement } = drafts;
  const { contents, costs, costsAll } = ofSheets;
  if (template === "statement") return `${contents.statement(statement.years)} ${costs(2)}`;
  if (template === "ranking") {
    const { ranked, pageType, top, fields } = ranking;
    const shown = listFields(ranked, pageType).filter(({ name }) => fields.includes(name));
    const rows = top === "all" ? null : top;
    return `${contents.ranking(rows, shown.length, findChartColumns(shown) !== null)} ${rows === null ? costsAll : costs(1)}`;
  }
  const count = listWritten(comparison.companies).length;
  if (count === 0) return "";
  const requests = count + Math.ceil(count / DEFAULT_PAGE_SIZE); // one request per page of companies for figures (§8)
  return `${contents.comparison(count, comparison.metrics.length, toCapacity(count))} ${costs(requests)}`;
}

/** The kinds of sheets that tools make, by template. Their scripts load with the part for sheets. */
export const listKinds = (): Partial<Readonly<Record<Template, SheetKind>>> =>
  Object.assign({}, ...TOOLS.sheets.map(({ loaded }) => loaded));

/** A template's name for the person; empty where the tool that made the sheet is no longer there. */
export function toTemplateName(template: Template, { ofSheets, language }: Pick<Texts, "ofSheets" | "language">) {
  const own: Readonly<Partial<Record<Template, string>>> = ofSheets.templates;
  return own[template] ?? listKinds()[template]?.title[language] ?? "";
}
