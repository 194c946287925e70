import { PAGE_TYPES } from "../../contract/parameter-values";
import { toPageName } from "../../feed/field-tables";
import { usePane } from "../../taskpane/pane";
import { Pick } from "../../taskpane/sheets/Pick";
import type { HeatOptions } from "./heat-plan";
import type { LeagueOptions } from "./league-plan";
import type { MoversOptions } from "./movers-plan";
import type { RotationOptions } from "./rotation-plan";
import { rankedSheetsTexts } from "./texts";

/** Number of periods, and their unit. */
const PERIODS = ["-8w", "-12w", "-6m", "-12m", "-14d"] as const;
/** Periods of which the one before is compared. */
const MOVED_PERIODS = ["-7d", "-28d", "-1m", "-1d"] as const;

/** Lengths of the periods of a heat map. */
const DAYS = [1, 7, 28] as const;

const TOPS = [10, 25, 50, 100] as const;
const RANKINGS: readonly string[] = ["companies", "industries", ...PAGE_TYPES];
const MEASURES = ["totalPageViews", "totalUniquePageViews"] as const;
const ORDERS = [...MEASURES, "rank"] as const;

interface FormProps<D> {
  draft: D;
  change: (changed: Partial<D>) => void;
}

export function LeagueForm({ draft, change }: FormProps<LeagueOptions>) {
  return (
    <>
      <RankingPick value={draft.ranking} pick={(ranking) => change({ ranking })} />
      <PeriodsPick value={draft.periods} pick={(periods) => change({ periods })} />
      <RowsPick value={draft.top} pick={(top) => change({ top })} />
      <MeasurePick value={draft.measure} pick={(measure) => change({ measure })} />
    </>
  );
}

export function MoversForm({ draft, change }: FormProps<MoversOptions>) {
  const texts = rankedSheetsTexts[usePane().texts.language];
  return (
    <>
      <RankingPick value={draft.ranking} pick={(ranking) => change({ ranking })} />
      <Pick<string>
        label={texts.days}
        hint={texts.movedHint}
        value={draft.period}
        values={MOVED_PERIODS}
        name={(each) => texts.movedPeriods[each] ?? each}
        onPick={(period) => change({ period })}
      />
      <Pick<string>
        label={texts.order}
        value={draft.by}
        values={ORDERS}
        name={(each) => texts.orders[each as keyof typeof texts.orders]}
        onPick={(by) => change({ by })}
      />
      <RowsPick value={draft.top} pick={(top) => change({ top })} />
    </>
  );
}

export function HeatForm({ draft, change }: FormProps<HeatOptions>) {
  const texts = rankedSheetsTexts[usePane().texts.language];
  return (
    <>
      <Pick<number>
        label={texts.days}
        hint={texts.movedHint}
        value={draft.days}
        values={DAYS}
        name={texts.lastDays}
        onPick={(days) => change({ days })}
      />
      <RowsPick value={draft.top} pick={(top) => change({ top })} />
    </>
  );
}

export function RotationForm({ draft, change }: FormProps<RotationOptions>) {
  return (
    <>
      <PeriodsPick value={draft.periods} pick={(periods) => change({ periods })} />
      <RowsPick value={draft.top} pick={(top) => change({ top })} />
      <MeasurePick value={draft.measure} pick={(measure) => change({ measure })} />
    </>
  );
}

interface PickProps<V> {
  value: V;
  pick: (value: V) => void;
}

function PeriodsPick({ value, pick }: PickProps<string>) {
  const { periods, periodsHint, periodNames } = rankedSheetsTexts[usePane().texts.language];
  return (
    <Pick<string>
      label={periods}
      hint={periodsHint}
      value={value}
      values={PERIODS}
      name={(each) => periodNames[each] ?? each}
      onPick={pick}
    />
  );
}

function MeasurePick({ value, pick }: PickProps<string>) {
  const { measure, measures } = rankedSheetsTexts[usePane().texts.language];
  return (
    <Pick<string>
      label={measure}
      value={value}
      values={MEASURES}
      name={(each) => measures[each as keyof typeof measures]}
      onPick={pick}
    />
  );
}

function RankingPick({ value, pick }: PickProps<string>) {
  const { ofSheets, language } = usePane().texts;
  const { rankings } = rankedSheetsTexts[language];
  return (
    <Pick
      label={ofSheets.ranked}
      value={value}
      values={RANKINGS}
      name={(each) => rankings[each] ?? `${rankings.companies}: ${toPageName(each)}`}
      onPick={pick}
    />
  );
}

function RowsPick({ value, pick }: PickProps<number>) {
  const { ofSheets } = usePane().texts;
  return <Pick label={ofSheets.rows} value={value} values={TOPS} name={String} onPick={pick} />;
}
