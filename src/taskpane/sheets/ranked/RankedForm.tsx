import { toPageName } from "../../../feed/field-tables";
import { usePane } from "../../pane";
import { rankedSheetsTexts } from "../../texts/ranked-sheets";
import { Pick } from "../Pick";
import { MEASURES, PERIODS, RANKED_TOPS, RANKINGS, type RankedDrafts, type RankedTemplate } from "./drafts";
import { Preview } from "./Preview";

interface RankedFormProps {
  template: RankedTemplate;
  drafts: RankedDrafts;
  change: <T extends RankedTemplate>(template: T, changed: Partial<RankedDrafts[T]>) => void;
}

/** The form of a sheet that compares rankings, with a preview. */
export function RankedForm({ template, drafts, change }: RankedFormProps) {
  return (
    <>
      <LeagueForm draft={drafts.league} change={(changed) => change("league", changed)} />
      <Preview template={template} />
    </>
  );
}

interface FormProps<D> {
  draft: D;
  change: (changed: Partial<D>) => void;
}

function LeagueForm({ draft, change }: FormProps<RankedDrafts["league"]>) {
  const texts = rankedSheetsTexts[usePane().texts.language];
  return (
    <>
      <RankingPick value={draft.ranking} pick={(ranking) => change({ ranking })} />
      <Pick
        label={texts.periods}
        hint={texts.periodsHint}
        value={draft.periods}
        values={PERIODS}
        name={(each) => texts.periodNames[each] ?? each}
        onPick={(periods) => change({ periods })}
      />
      <RowsPick value={draft.top} pick={(top) => change({ top })} />
      <Pick
        label={texts.measure}
        value={draft.measure}
        values={MEASURES}
        name={(each) => texts.measures[each as keyof typeof texts.measures]}
        onPick={(measure) => change({ measure })}
      />
    </>
  );
}

function RankingPick({ value, pick }: { value: string; pick: (ranking: string) => void }) {
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

function RowsPick({ value, pick }: { value: number; pick: (top: number) => void }) {
  const { ofSheets } = usePane().texts;
  return <Pick label={ofSheets.rows} value={value} values={RANKED_TOPS} name={String} onPick={pick} />;
}
