import { Field, Input } from "@fluentui/react-components";
import { METRICS, STATEMENT_TYPES } from "../../contract/constants";
import { usePane } from "../pane";
import { TextArea } from "../TextArea";
import { Checks } from "./Checks";
import { CompanyWays } from "./CompanyWays";
import { type Drafts, listCompanies, UNITS } from "./drafts";
import { Pick } from "./Pick";
import type { FormProps } from "./RankingForm";

const ALL_METRICS = STATEMENT_TYPES.flatMap((type) => METRICS[type]);

export function ComparisonForm({ draft, change, mistakes }: FormProps<Drafts["comparison"]>) {
  const { ofSheets } = usePane().texts;
  const add = (companies: string[]) =>
    change({ companies: [...new Set([...listCompanies(draft.companies), ...companies])].join("\n") });
  return (
    <>
      <Field label={ofSheets.companies} hint={ofSheets.companiesHint} validationMessage={mistakes.companies}>
        {(field) => (
          <TextArea
            {...field}
            rows={4}
            value={draft.companies}
            onChange={({ target }) => change({ companies: target.value })}
          />
        )}
      </Field>
      <CompanyWays onTake={add} />
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
