import { Field, Input } from "@fluentui/react-components";
import { METRICS, STATEMENT_TYPES } from "../../contract/constants";
import { usePane } from "../pane";
import { Checks } from "./Checks";
import { CompanyField } from "./CompanyField";
import { type Drafts, UNITS } from "./drafts";
import { Pick } from "./Pick";
import type { FormProps } from "./RankingForm";

const ALL_METRICS = STATEMENT_TYPES.flatMap((type) => METRICS[type]);

export function ComparisonForm({ draft, change, mistakes }: FormProps<Drafts["comparison"]>) {
  const { ofSheets } = usePane().texts;
  return (
    <>
      <CompanyField
        label={ofSheets.companies}
        hint={ofSheets.companiesHint}
        written={draft.companies}
        isList
        mistake={mistakes.companies}
        change={(companies) => change({ companies })}
      />
      <Checks
        title={ofSheets.figures(draft.metrics.length, ALL_METRICS.length)}
        options={ALL_METRICS.map((name) => ({ value: name, label: name }))}
        chosen={draft.metrics}
        mistake={mistakes.metrics}
        onChoose={(metrics) => change({ metrics })}
      />
      <Field label={ofSheets.year} hint={ofSheets.yearHint} validationMessage={mistakes.year}>
        <Input value={draft.year} onChange={(_, { value }) => change({ year: value })} />
      </Field>
      <Pick
        label={ofSheets.unit}
        value={draft.unit}
        values={UNITS}
        name={(unit) => ofSheets.units[unit]}
        onPick={(unit) => change({ unit })}
      />
    </>
  );
}
