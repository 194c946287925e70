import { Field, Input, makeStyles, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { PAGE_TYPES } from "../../contract/constants";
import { toPageName } from "../../feed/field-tables";
import { usePane } from "../pane";
import { Checks } from "./Checks";
import { type Drafts, type Mistakes, RANGES, TOPS } from "./drafts";
import { Pick } from "./Pick";
import { listFields, listFirstFields, RANKED, type Ranked } from "./ranking-plan";

const useStyles = makeStyles({
  dates: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS, "> *": { flex: "1 1 120px" } },
  date: { minWidth: 0 },
});

type Draft = Drafts["ranking"];

export interface FormProps<D> {
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

/** What is ranked; each kind has columns of its own. */
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
  const styles = useStyles();
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
        name={(range) => ofSheets.ranges[range]}
        onPick={(range) => change({ range })}
      />
      {draft.range === "dates" && (
        <div className={styles.dates}>
          {(["from", "to"] as const).map((end) => (
            <Field key={end} label={ofSheets[end]} validationMessage={mistakes[end]}>
              <Input
                type="date"
                className={styles.date}
                value={draft[end]}
                onChange={(_, { value }) => change({ [end]: value })}
              />
            </Field>
          ))}
        </div>
      )}
    </>
  );
}
