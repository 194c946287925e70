import { Button, Input, makeStyles, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { attempt } from "../../taskpane/commands/desk";
import { usePane } from "../../taskpane/pane";
import type { Finding } from "./finding";
import { type Choice, type Mendable, useMend } from "./mending";
import { REFRESHING, refreshFigures } from "./refresh-figures";
import { toCheckTexts, toShown } from "./wording";

const useStyles = makeStyles({
  actions: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalXS },
  whole: { flex: "1 1 100%" },
});

interface FindingActionsProps {
  finding: Finding;
  dismiss: ((reason: string) => void) | undefined;
  /** Of a dismissed finding. */
  restore: (() => void) | undefined;
  recheck: () => void;
}

/** What a person can do about a finding. */
export function FindingActions({ finding, dismiss, restore, recheck }: FindingActionsProps) {
  const pane = usePane();
  const words = toCheckTexts(pane.texts);
  const styles = useStyles();
  const mend = useMend();
  const [step, setStep] = useState<"none" | "reason" | Choice>("none");
  if (restore !== undefined) {
    return (
      <div className={styles.actions}>
        <Action label={words.restore} act={restore} />
      </div>
    );
  }
  if (step === "reason") return <ReasonForm dismiss={dismiss} back={() => setStep("none")} />;
  const mendable = isMendable(finding) ? finding : null;
  if (step !== "none" && mendable !== null) {
    const use = () => {
      setStep("none");
      void mend(mendable, true);
    };
    return (
      <div className={styles.actions}>
        <span className={styles.whole}>
          {step.value === null
            ? words.unknownValue(toShown(step.typed, pane.texts))
            : words.choose(toShown(step.typed, pane.texts), toShown(step.value, pane.texts))}
        </span>
        <Action label={words.useFormula} act={use} />
        <Action label={words.keepTyped} act={() => setStep("reason")} />
        <Action label={words.back} act={() => setStep("none")} />
      </div>
    );
  }
  const fix = async (found: Mendable) => setStep((await mend(found)) ?? "none");
  const refresh = () => void attempt(pane, () => refreshFigures(pane, finding)).then(recheck);
  return (
    <div className={styles.actions}>
      {mendable !== null && <Action label={words.fix} act={() => void fix(mendable)} />}
      {REFRESHING.has(finding.rule) && <Action label={words.refresh} act={refresh} />}
      {dismiss !== undefined && <Action label={words.dismiss} act={() => setStep("reason")} />}
    </div>
  );
}

const isMendable = (finding: Finding): finding is Mendable => finding.fix !== null;

function Action({ label, act }: { label: string; act: () => void }) {
  return (
    <Button size="small" onClick={act}>
      {label}
    </Button>
  );
}

/** Asks why a finding is right as it is. */
function ReasonForm({ dismiss, back }: { dismiss: ((reason: string) => void) | undefined; back: () => void }) {
  const words = toCheckTexts(usePane().texts);
  const styles = useStyles();
  const [reason, setReason] = useState("");
  return (
    <form
      className={styles.actions}
      onSubmit={(event) => {
        event.preventDefault();
        dismiss?.(reason);
      }}
    >
      <Input
        size="small"
        className={styles.whole}
        aria-label={words.reason}
        placeholder={words.reason}
        value={reason}
        onChange={(_, { value }) => setReason(value)}
      />
      <Button size="small" type="submit">
        {words.keep}
      </Button>
      <Action label={words.back} act={back} />
    </form>
  );
}
