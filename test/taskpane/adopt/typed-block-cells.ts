import type { CellState } from "../../../src/contract/workbook";

/** A company of the provider, read without the feed. */
export interface SourceCompany {
  id: string;
  registrationNumber: string;
  /** Its name, where no other company of the index has it. */
  name: string | null;
  /** Figures by fiscal year, consolidation and metric. */
  years: ReadonlyMap<number, Readonly<Record<string, Readonly<Record<string, number>>>>>;
}

export const LAYOUTS = ["companiesByYears", "companiesByMetrics", "statement", "long", "groups"] as const;
export type Layout = (typeof LAYOUTS)[number];
export type CompanyLabel = "id" | "number" | "name";
export const YEAR_STYLES = ["number", "FY", "ja", "end"] as const;
export type YearStyle = (typeof YEAR_STYLES)[number];

const NAMES: Record<string, { en: string; ja: string }> = {
  Revenue: { en: "Net sales", ja: "売上高" },
  "Cost of Goods Sold": { en: "COGS", ja: "売上原価" },
  "Gross Profit": { en: "Gross profit", ja: "売上総利益" },
  "Operating Expenses": { en: "SG&A", ja: "販管費" },
  EBITDA: { en: "EBITDA", ja: "EBITDA" },
  EBIT: { en: "Operating income", ja: "営業利益" },
  "Net Income": { en: "Net Income", ja: "当期純利益" },
  "Total Assets": { en: "Total assets", ja: "総資産" },
  "Total Liabilities": { en: "Total liabilities", ja: "負債合計" },
  "Cash and equivalents": { en: "Cash & cash equivalents", ja: "現金及び現金同等物" },
  "Operating Cash Flow": { en: "Cash flow from operations", ja: "営業キャッシュフロー" },
};
export const METRICS = Object.keys(NAMES);
export const UNIT_TITLES: Record<number, readonly string[]> = {
  1: ["(JPY)", "単位:円"],
  1000: ["(¥k)", "(千円)"],
  1000000: ["(¥m)", "(百万円)"],
  100000000: ["(億円)", "単位:億円"],
  1000000000: ["(JPY bn)", "(十億円)"],
};

export const state = (value: CellState["value"], format = ""): CellState => ({ value, formula: "", format });
export const EMPTY = state(null);
export const round = (value: number, digits: number) => Number(value.toFixed(digits));

export interface Plan {
  layout: Layout;
  companies: readonly SourceCompany[];
  years: readonly number[];
  metrics: readonly string[];
  consolidation: string;
}

export interface Labels {
  metrics: "en" | "ja" | "none";
  years: YearStyle;
  kind: CompanyLabel;
}

export function toYearLabel(year: number, style: YearStyle): CellState {
  if (style === "number") return state(year);
  if (style === "FY") return state(`FY${year}`);
  return state(style === "ja" ? `${year}年度` : `${year}年3月期`);
}

export const toCompanyLabel = ({ id, registrationNumber, name }: SourceCompany, kind: CompanyLabel): CellState =>
  state(kind === "id" ? id : kind === "number" ? registrationNumber : name);

export const toMetricLabel = (metric: string, language: Labels["metrics"]): CellState =>
  language === "none" ? EMPTY : state(NAMES[metric]?.[language] ?? metric);
