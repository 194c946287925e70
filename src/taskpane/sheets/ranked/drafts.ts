import { PAGE_TYPES } from "../../../contract/parameter-values";
import type { SheetPlan } from "../../../contract/workbook";
import type { Template } from "../../../session/settings";
import type { Texts } from "../../texts";
import { rankedSheetsTexts } from "../../texts/ranked-sheets";
import type { SheetTexts } from "../plan";
import { type HeatOptions, toHeatPlan } from "./heat-plan";
import { type LeagueOptions, toLeaguePlan } from "./league-plan";
import { type MoversOptions, toMoversPlan } from "./movers-plan";
import { type RotationOptions, toRotationPlan } from "./rotation-plan";
import type { RankedTexts } from "./words";

/** The input of the forms of sheets that compare rankings. */
export interface RankedDrafts {
  league: LeagueOptions;
  movers: MoversOptions;
  heat: HeatOptions;
  rotation: RotationOptions;
}

export type RankedTemplate = keyof RankedDrafts;

/** Number of periods, and their unit. */
export const PERIODS = ["-8w", "-12w", "-6m", "-12m", "-14d"] as const;
/** Periods of which the one before is compared. */
export const MOVED_PERIODS = ["-7d", "-28d", "-1m", "-1d"] as const;

/** Lengths of the periods of a heat map. */
export const DAYS = [1, 7, 28] as const;

export const RANKED_TOPS = [10, 25, 50, 100] as const;
export const RANKINGS: readonly string[] = ["companies", "industries", ...PAGE_TYPES];
export const MEASURES = ["totalPageViews", "totalUniquePageViews"] as const;
export const ORDERS = [...MEASURES, "rank"] as const;

export const toFirstRankedDrafts = (): RankedDrafts => ({
  league: { periods: "-8w", top: 25, ranking: "companies", measure: "totalPageViews" },
  movers: { period: "-7d", top: 25, ranking: "companies", by: "totalPageViews" },
  heat: { days: 7, top: 25 },
  rotation: { periods: "-8w", top: 50, measure: "totalPageViews" },
});

const PLANS: {
  readonly [T in RankedTemplate]: (options: RankedDrafts[T], texts: SheetTexts, ranked: RankedTexts) => SheetPlan;
} = { league: toLeaguePlan, movers: toMoversPlan, heat: toHeatPlan, rotation: toRotationPlan };

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
  const { contents, costsWhole, costsEach } = rankedSheetsTexts[language];
  const content = contents[template](drafts[template].top);
  if (template === "movers") return `${content} ${costsWhole}`;
  if (template === "rotation") return `${content} ${costsEach(countPeriods(drafts.rotation.periods))}`;
  return `${content} ${ofSheets.costs(template === "heat" ? 2 : countPeriods(drafts[template].periods))}`;
}

/** One request for each period: "-8w" are eight. */
const countPeriods = (periods: string): number => Number(/\d+/.exec(periods)?.[0]);
