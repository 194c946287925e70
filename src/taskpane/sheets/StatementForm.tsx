import { Field, Input } from "@fluentui/react-components";
import { usePane } from "../pane";
import { CompanyWays } from "./CompanyWays";
import { BASES, type Drafts, UNITS, YEARS } from "./drafts";
import { Pick } from "./Pick";
import type { FormProps } from "./RankingForm";

export function StatementForm({ draft, change, mistakes }: FormProps<Drafts["statement"]>) {
  const { ofSheets } = usePane().texts;
  const choose = (company = "") => change({ company, companyName: "" });
  const hint = draft.companyName === "" ? ofSheets.companyHint : draft.companyName;
  return (
    <>
      <Field label={ofSheets.company} hint={hint} validationMessage={mistakes.company}>
        <Input value={draft.company} onChange={(_, { value }) => choose(value)} />
      </Field>
      <CompanyWays onTake={([first]) => choose(first)} />
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
