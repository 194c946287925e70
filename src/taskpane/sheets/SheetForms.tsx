import { Field, Input, makeStyles } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { METRICS, PAGE_TYPES, STATEMENT_TYPES } from "../../contract/parameter-values";
import { toPageName } from "../../feed/field-tables";
import { Row, useLook } from "../layout";
import { usePane } from "../pane";
import { BASES, type Drafts, type Mistakes, RANGES, SPANS, TOPS, UNITS, YEARS } from "./drafts";
import { Checks, CompanyField, Pick } from "./fields";
import { toPeriodName } from "./plan";
import { listFields, listFirstFields, RANKED, type Ranked } from "./ranking-plan";
import { sheetWords } from "./words";

const useStyles = makeStyles({
  ends: { "> *": { flex: "1 1 120px" } },
});

type Draft = Drafts["ranking"];

interface FormProps<D> {
  draft: D;
  change: (changed: Partial<D>) => void;
  mistakes: Mistakes;
}

export function RankingForm(props: FormProps<Draft>) {
  const { ofSheets } = usePane().texts;
  const { draft, change, mistakes } = props;
  const fields = listFields(draft.ranked, draft.pageType);
  return (
    <>
      <RankedChoice {...props} />
      <Range {...props} />
      <Pick
        label={ofSheets.rows}
        value={draft.top}
        values={TOPS}
        name={(top) => (top === "all" ? ofSheets.all : String(top))}
        onPick={(top) => change({ top })}
      />
      <Checks
        title={ofSheets.columns(draft.fields.length, fields.length)}
        options={fields.map(({ name, header }) => ({ value: name, label: header }))}
        chosen={draft.fields}
        mistake={mistakes.fields}
        onChoose={(chosen) => change({ fields: chosen })}
      />
    </>
  );
}

/** The subject of the ranking; each has columns of its own. */
function RankedChoice({ draft, change }: FormProps<Draft>) {
  const { ofSheets } = usePane().texts;
  const rank = (ranked: Ranked, pageType: string) =>
    change({ ranked, pageType, fields: listFirstFields(ranked, pageType) });
  return (
    <>
      <Pick
        label={ofSheets.ranked}
        value={draft.ranked}
        values={RANKED}
        name={(ranked) => ofSheets.rankedKinds[ranked]}
        onPick={(ranked) => rank(ranked, "")}
      />
      {draft.ranked === "pages" && (
        <Pick
          label={ofSheets.pageType}
          value={draft.pageType}
          values={["", ...PAGE_TYPES]}
          name={(type) => (type === "" ? ofSheets.allPageTypes : toPageName(type))}
          onPick={(pageType) => rank("pages", pageType)}
        />
      )}
    </>
  );
}

function Range({ draft, change, mistakes }: FormProps<Draft>) {
  const { session, texts } = usePane();
  const { ofSheets } = texts;
  const { timeZone } = useSyncExternalStore(session.subscribe, () => session.settings);
  return (
    <>
      <Pick
        label={ofSheets.range}
        {...(draft.range !== "dates" && { hint: ofSheets.rangeHint(timeZone) })}
        value={draft.range}
        values={RANGES}
        name={(range) => (range === "dates" ? ofSheets.dates : toPeriodName(range, sheetWords[texts.language]))}
        onPick={(range) => change({ range })}
      />
      {draft.range === "dates" && <Ends type="date" draft={draft} change={change} mistakes={mistakes} />}
    </>
  );
}

/** Two fields for the first and the last day or year. */
function Ends({ type, draft, change, mistakes }: FormProps<Record<"from" | "to", string>> & { type: "date" | "text" }) {
  const styles = useStyles();
  const look = useLook();
  const { ofSheets } = usePane().texts;
  return (
    <Row align="start" className={styles.ends}>
      {(["from", "to"] as const).map((end) => (
        <Field key={end} label={ofSheets[end]} validationMessage={mistakes[end]}>
          <Input
            type={type}
            className={look.wide}
            value={draft[end]}
            onChange={(_, { value }) => change({ [end]: value })}
          />
        </Field>
      ))}
    </Row>
  );
}

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
      <Pick
        label={ofSheets.years}
        {...(draft.years === "years" && { hint: ofSheets.yearHint })}
        value={draft.years}
        values={SPANS}
        name={(years) => (years === "years" ? ofSheets.fromYear : ofSheets.lastYears(years))}
        onPick={(years) => change({ years })}
      />
      {draft.years === "years" && <Ends type="text" draft={draft} change={change} mistakes={mistakes} />}
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
