import type { ComponentType } from "react";
import type { SheetPlan } from "../../contract/workbook";
import type { SheetTexts } from "../../taskpane/sheets/plan";
import type { Texts } from "../../taskpane/texts";
import type { SheetDraft, SheetKind } from "../../taskpane/tool";
import { HeatForm, LeagueForm, MoversForm, RotationForm } from "./Forms";
import { type HeatOptions, toHeatPlan } from "./heat-plan";
import { type LeagueOptions, toLeaguePlan } from "./league-plan";
import { type MoversOptions, toMoversPlan } from "./movers-plan";
import { Preview } from "./Preview";
import { type RotationOptions, toRotationPlan } from "./rotation-plan";
import { type RankedTemplate, type RankedTexts, rankedSheetsTexts, rankedWords } from "./texts";

interface Options {
  league: LeagueOptions;
  movers: MoversOptions;
  heat: HeatOptions;
  rotation: RotationOptions;
}

interface Kind<O> {
  first: O;
  toPlan(options: O, texts: SheetTexts, ranked: RankedTexts): SheetPlan;
  /** The requests it takes, in words. */
  toCost(options: O, texts: Pick<Texts, "ofSheets" | "language">): string;
  Form: ComponentType<{ draft: O; change: (changed: Partial<O>) => void }>;
}

/** One request for each period: "-8w" are eight. */
const readCount = ({ periods }: { periods: string }): number => Number(/\d+/.exec(periods)?.[0]);

const KINDS: { readonly [T in RankedTemplate]: Kind<Options[T]> } = {
  league: {
    first: { periods: "-8w", top: 25, ranking: "companies", measure: "totalPageViews" },
    toPlan: toLeaguePlan,
    toCost: (options, { ofSheets }) => ofSheets.costs(readCount(options)),
    Form: LeagueForm,
  },
  movers: {
    first: { period: "-7d", top: 25, ranking: "companies", by: "totalPageViews" },
    toPlan: toMoversPlan,
    toCost: (_options, { language }) => rankedSheetsTexts[language].costsWhole,
    Form: MoversForm,
  },
  heat: {
    first: { days: 7, top: 25 },
    toPlan: toHeatPlan,
    toCost: (_options, { ofSheets }) => ofSheets.costs(2),
    Form: HeatForm,
  },
  rotation: {
    first: { periods: "-8w", top: 50, measure: "totalPageViews" },
    toPlan: toRotationPlan,
    toCost: (options, { language }) => rankedSheetsTexts[language].costsEach(readCount(options)),
    Form: RotationForm,
  },
};

function toDraft<T extends RankedTemplate>(template: T, options: Options[T]): SheetDraft {
  const { toPlan, toCost, Form } = KINDS[template];
  return {
    toPlan: (texts, language) => toPlan(options, texts, rankedWords[language]),
    describe: (texts) =>
      `${rankedSheetsTexts[texts.language].contents[template](options.top)} ${toCost(options, texts)}`,
    form: (change) => (
      <>
        <Form draft={options} change={(changed) => change(toDraft(template, { ...options, ...changed }))} />
        <Preview template={template} />
      </>
    ),
  };
}

const toKind = (template: RankedTemplate): SheetKind => {
  const { en, ja } = rankedSheetsTexts;
  return {
    title: { en: en.templates[template], ja: ja.templates[template] },
    hint: { en: en.templateHints[template], ja: ja.templateHints[template] },
    first: toDraft(template, KINDS[template].first),
  };
};

/** The sheets that compare rankings, by template. */
export const RANKED_SHEETS: Readonly<Record<RankedTemplate, SheetKind>> = {
  league: toKind("league"),
  movers: toKind("movers"),
  heat: toKind("heat"),
  rotation: toKind("rotation"),
};
