import { usePane } from "../pane";
import { CompanyField } from "./CompanyField";
import { BASES, type Drafts, UNITS, YEARS } from "./drafts";
import { Pick } from "./Pick";
import type { FormProps } from "./RankingForm";

export function StatementForm({ draft, change, mistakes }: FormProps<Drafts["statement"]>) {
  const { ofSheets } = usePane().texts;
  return (
    <>
      <CompanyField
        label={ofSheets.company}
        hint={ofSheets.companyHint}
        written={draft.company}
        isList={false}
        mistake={mistakes.company}
        change={(company) => change({ company })}
      />
      <Pick
        label={ofSheets.years}
        value={draft.years}
        values={YEARS}
        name={ofSheets.lastYears}
        onPick={(years) => change({ years })}
      />
      <Pick
        label={ofSheets.unit}
        value={draft.unit}
        values={UNITS}
        name={(unit) => ofSheets.units[unit]}
        onPick={(unit) => change({ unit })}
      />
      <Pick
        label={ofSheets.basis}
        value={draft.basis}
        values={BASES}
        name={(basis) => ofSheets.bases[basis]}
        onPick={(basis) => change({ basis })}
      />
    </>
  );
}
