import { Field, Input, makeStyles } from "@fluentui/react-components";
import { useMemo } from "react";
import { usePane } from "../pane";
import { isCompany, isList, listProposals, mayBeSelected, toWritingKind } from "./argument-kinds";
import { CellsButton } from "./CellsButton";
import { CompanyBox } from "./CompanyBox";
import type { Parameter } from "./catalogue";
import { ProposalBox } from "./ProposalBox";
import { isSound, readWritten } from "./written";

const useStyles = makeStyles({
  argument: { position: "relative" },
  // On the line of the label, where there is room.
  cells: { position: "absolute", top: 0, right: 0 },
  input: { minWidth: 0 },
});

interface ArgumentProps {
  parameter: Parameter;
  written: string;
  change: (written: string) => void;
}

/** The field of one argument. */
export function Argument({ parameter, written, change }: ArgumentProps) {
  const { name, description, isRequired } = parameter;
  const styles = useStyles();
  const { session, texts } = usePane();
  const { ofBuild } = texts;
  const label = ofBuild.labels[name] ?? name;
  const nowMs = session.ports.nowMs();
  const today = new Date(nowMs).toDateString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is proposed changes by the day
  const proposals = useMemo(() => listProposals(parameter, ofBuild, nowMs), [parameter, ofBuild, today]);
  const fault = isSound(readWritten(written, toWritingKind(name))) ? undefined : ofBuild.unsound;
  return (
    <div className={styles.argument}>
      <Field
        label={label}
        required={isRequired}
        hint={isCompany(name) ? ofBuild.companyHint : description}
        validationMessage={fault}
      >
        {isCompany(name) ? (
          <CompanyBox written={written} isList={isList(name)} change={change} />
        ) : proposals.length > 0 ? (
          <ProposalBox written={written} proposals={proposals} isList={isList(name)} change={change} />
        ) : (
          <Input className={styles.input} value={written} onChange={(_, { value }) => change(value)} />
        )}
      </Field>
      {mayBeSelected(parameter) && (
        <div className={styles.cells}>
          <CellsButton label={label} change={change} />
        </div>
      )}
    </div>
  );
}
