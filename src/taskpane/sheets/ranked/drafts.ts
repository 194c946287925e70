import { PAGE_TYPES } from "../../../contract/parameter-values";
import type { SheetPlan } from "../../../contract/workbook";
import type { Template } from "../../../session/settings";
import type { Texts } from "../../texts";
import { rankedSheetsTexts } from "../../texts/ranked-sheets";
import type { SheetTexts } from "../plan";
import { type LeagueOptions, toLeaguePlan } from "./league-plan";
import type { RankedTexts } from "./words";

/** The input of the forms of sheets that compare rankings. */
export interface RankedDrafts {
  league: LeagueOptions;
}

export type RankedTemplate = keyof RankedDrafts;

/** Number of periods, and their unit. */
export const PERIODS = ["-8w", "-12w", "-6m", "-12m", "-14d"] as const;
export const RANKED_TOPS = [10, 25, 50, 100] as const;
export const RANKINGS: readonly string[] = ["companies", "industries", ...PAGE_TYPES];
export const MEASURES = ["totalPageViews", "totalUniquePageViews"] as const;

export const toFirstRankedDrafts = (): RankedDrafts => ({
  league: { periods: "-8w", top: 25, ranking: "companies", measure: "totalPageViews" },
});

const PLANS: {
  readonly [T in RankedTemplate]: (options: RankedDrafts[T], texts: SheetTexts, ranked: RankedTexts) => SheetPlan;
} = { league: toLeaguePlan };

export const isRanked = (template: Template): template is RankedTemplate => template in PLANS;

/** The sheet of a form, whose choices are all valid. */
export const toRankedPlan = <T extends RankedTemplate>(
  template: T,
  drafts: RankedDrafts,
  texts: SheetTexts,
  ranked: RankedTexts,
): SheetPlan => PLANS[template](drafts[template], texts, ranked);

/** A template's name for the person. */
export const toTemplateName = (template: Template, { ofSheets, language }: Pick<Texts, "ofSheets" | "language">) =>
  isRanked(template) ? rankedSheetsTexts[language].templates[template] : ofSheets.templates[template];

/** The sheet's content and cost, in words. */
export function describeRanked(
  template: RankedTemplate,
  drafts: RankedDrafts,
  { ofSheets, language }: Pick<Texts, "ofSheets" | "language">,
): string {
  const { contents } = rankedSheetsTexts[language];
  const { top, periods } = drafts[template];
  return `${contents[template](top)} ${ofSheets.costs(countPeriods(periods))}`;
}

/** One request for each period: "-8w" are eight. */
const countPeriods = (periods: string): number => Number(/\d+/.exec(periods)?.[0]);
