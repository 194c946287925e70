import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { PAGE_TYPES } from "../../contract/parameter-values";
import type { SheetPlan } from "../../contract/workbook";
import { toPageName } from "../../feed/field-tables";
import { Hint } from "../../taskpane/layout";
import { usePane } from "../../taskpane/pane";
import { Pick } from "../../taskpane/sheets/fields";
import { type SheetTexts, toPeriodName } from "../../taskpane/sheets/plan";
import { sheetWords } from "../../taskpane/sheets/words";
import type { Texts } from "../../taskpane/texts";
import type { SheetDraft, SheetKind } from "../../taskpane/tool";
import { type HeatOptions, toHeatPlan } from "./heat-plan";
import { type LeagueOptions, toLeaguePlan } from "./league-plan";
import { type MoversOptions, toMoversPlan } from "./movers-plan";
import { type RotationOptions, toRotationPlan } from "./rotation-plan";
import { type RankedTemplate, type RankedTexts, rankedSheetsTexts, rankedWords } from "./texts";

interface Options {
  league: LeagueOptions;
  movers: MoversOptions;
  heat: HeatOptions;
  rotation: RotationOptions;
}

interface Kind<O> {
  /** The options in the order of the form. */
  first: O;
  toPlan(options: O, texts: SheetTexts, ranked: RankedTexts): SheetPlan;
  /** The requests it takes, in words. */
  toCost(options: O, texts: Pick<Texts, "ofSheets" | "language">): string;
}

/** One request for each period: "-8w" are eight. */
const readCount = ({ periods }: { periods: string }): number => Number(/\d+/.exec(periods)?.[0]);

const KINDS: { readonly [T in RankedTemplate]: Kind<Options[T]> } = {
  league: {
    first: { ranking: "companies", periods: "-8w", top: 25, measure: "totalPageViews" },
    toPlan: toLeaguePlan,
    toCost: (options, { ofSheets }) => ofSheets.costs(readCount(options)),
  },
  movers: {
    first: { ranking: "companies", period: "-7d", by: "rank", top: 25 },
    toPlan: toMoversPlan,
    toCost: (_options, { language }) => rankedSheetsTexts[language].costsWhole,
  },
  heat: {
    first: { days: 7, top: 25 },
    toPlan: toHeatPlan,
    toCost: (_options, { ofSheets }) => ofSheets.costs(2),
  },
  rotation: {
    first: { periods: "-8w", top: 50, measure: "totalPageViews" },
    toPlan: toRotationPlan,
    toCost: (options, { language }) => rankedSheetsTexts[language].costsEach(readCount(options)),
  },
};

function toDraft<T extends RankedTemplate>(template: T, options: Options[T]): SheetDraft {
  const { toPlan, toCost } = KINDS[template];
  return {
    toPlan: (texts, language) => toPlan(options, texts, rankedWords[language]),
    describe: (texts) =>
      `${rankedSheetsTexts[texts.language].contents[template](options.top)} ${toCost(options, texts)}`,
    form: (change) => (
      <>
        {(Object.keys(options) as (keyof typeof CHOICES)[]).map((name) => (
          <Choice
            key={name}
            name={name}
            value={options[name as keyof Options[T]] as string | number}
            pick={(value) => change(toDraft(template, { ...options, [name]: value }))}
          />
        ))}
        <Preview template={template} />
      </>
    ),
  };
}

/** The values of each option. */
const CHOICES = {
  ranking: ["companies", "industries", ...PAGE_TYPES],
  /** Number of periods, and their unit. */
  periods: ["-8w", "-12w", "-6m", "-12m", "-14d"],
  /** Periods of which the one before is compared. */
  period: ["-7d", "-28d", "-1m", "-1d"],
  /** Lengths of the periods of a heat map. */
  days: [1, 7, 28],
  by: ["rank", "totalPageViews", "totalUniquePageViews"],
  measure: ["totalPageViews", "totalUniquePageViews"],
  top: [10, 25, 50, 100],
} as const satisfies Record<string, readonly (string | number)[]>;

interface ChoiceProps {
  name: keyof typeof CHOICES;
  value: string | number;
  pick: (value: string | number) => void;
}

/** An option of a sheet. */
function Choice({ name, value, pick }: ChoiceProps) {
  const { ofSheets, language } = usePane().texts;
  const texts = rankedSheetsTexts[language];
  const { ranked, rows } = ofSheets;
  const { rank, measures } = rankedWords[language];
  const { names, ...field } = {
    ranking: { label: ranked, names: texts.rankings },
    periods: { label: texts.periods, hint: texts.periodsHint },
    period: { label: texts.days, hint: texts.movedHint },
    days: { label: texts.days, hint: texts.movedHint },
    by: { label: texts.order, names: { rank, ...measures } },
    measure: { label: texts.measure, names: measures },
    top: { label: rows },
  }[name] as { label: string; hint?: string; names?: Readonly<Record<string, string>> };
  const toName = (each: string | number) => {
    if (name === "ranking") return names?.[each] ?? `${texts.rankings.companies}: ${toPageName(String(each))}`;
    const code = name === "days" ? `-${each}d` : String(each);
    return names?.[each] ?? (name === "top" ? code : toPeriodName(code, sheetWords[language]));
  };
  return <Pick<string | number> {...field} value={value} values={CHOICES[name]} name={toName} onPick={pick} />;
}

const useStyles = makeStyles({
  preview: { margin: 0, minWidth: 0, overflowX: "auto", fontSize: tokens.fontSizeBase200 },
  line: { margin: `${tokens.spacingVerticalXS} 0`, color: tokens.colorNeutralForeground2 },
  table: { borderCollapse: "collapse", width: "100%" },
  cell: {
    padding: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalXS}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    textAlign: "start",
    whiteSpace: "nowrap",
    fontVariantNumeric: "tabular-nums",
  },
  heading: { whiteSpace: "normal", verticalAlign: "bottom" },
  up: { color: tokens.colorStatusSuccessForeground3 },
  down: { color: tokens.colorStatusDangerForeground3 },
});

/** A sheet's look on made-up data, before it is made. */
function Preview({ template }: { template: RankedTemplate }) {
  const styles = useStyles();
  const { preview, previews } = rankedSheetsTexts[usePane().texts.language];
  const { line, rows } = previews[template];
  const [headings = [], ...others] = rows;
  return (
    <figure className={styles.preview}>
      <figcaption>
        <Hint>{preview}</Hint>
      </figcaption>
      <p className={styles.line}>{line}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col" className={mergeClasses(styles.cell, styles.heading)}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {others.map((row) => (
            <tr key={row.join()}>
              {row.map((value, column) => (
                <td
                  key={headings[column]}
                  className={mergeClasses(
                    styles.cell,
                    /^[▲+]/.test(value) && styles.up,
                    /^[▼-]/.test(value) && styles.down,
                  )}
                >
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

const toKind = (template: RankedTemplate): SheetKind => {
  const { en, ja } = rankedSheetsTexts;
  return {
    title: { en: rankedWords.en.names[template], ja: rankedWords.ja.names[template] },
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
