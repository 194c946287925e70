import { toPageName } from "../../../feed/field-tables";
import { usePane } from "../../pane";
import { rankedSheetsTexts } from "../../texts/ranked-sheets";
import { Pick } from "../Pick";
import {
  DAYS,
  MEASURES,
  MOVED_PERIODS,
  ORDERS,
  PERIODS,
  RANKED_TOPS,
  RANKINGS,
  type RankedDrafts,
  type RankedTemplate,
} from "./drafts";
import { Preview } from "./Preview";

interface RankedFormProps {
  template: RankedTemplate;
  drafts: RankedDrafts;
  change: (changed: Partial<RankedDrafts>) => void;
}

/** The form of a sheet that compares rankings, with a preview. */
export function RankedForm({ template, drafts, change }: RankedFormProps) {
  const { league, movers, heat, rotation } = drafts;
  return (
    <>
      {template === "league" && (
        <LeagueForm draft={league} change={(changed) => change({ league: { ...league, ...changed } })} />
      )}
      {template === "movers" && (
        <MoversForm draft={movers} change={(changed) => change({ movers: { ...movers, ...changed } })} />
      )}
      {template === "heat" && <HeatForm draft={heat} change={(changed) => change({ heat: { ...heat, ...changed } })} />}
      {template === "rotation" && (
        <RotationForm draft={rotation} change={(changed) => change({ rotation: { ...rotation, ...changed } })} />
      )}
      <Preview template={template} />
    </>
  );
}

interface FormProps<D> {
  draft: D;
  change: (changed: Partial<D>) => void;
}

function LeagueForm({ draft, change }: FormProps<RankedDrafts["league"]>) {
  return (
    <>
      <RankingPick value={draft.ranking} pick={(ranking) => change({ ranking })} />
      <PeriodsPick value={draft.periods} pick={(periods) => change({ periods })} />
      <RowsPick value={draft.top} pick={(top) => change({ top })} />
      <MeasurePick value={draft.measure} pick={(measure) => change({ measure })} />
    </>
  );
}

function MoversForm({ draft, change }: FormProps<RankedDrafts["movers"]>) {
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

function HeatForm({ draft, change }: FormProps<RankedDrafts["heat"]>) {
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

function RotationForm({ draft, change }: FormProps<RankedDrafts["rotation"]>) {
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
  return <Pick label={ofSheets.rows} value={value} values={RANKED_TOPS} name={String} onPick={pick} />;
}
