import { Caption1, makeStyles, mergeClasses, Spinner, Subtitle2, tokens } from "@fluentui/react-components";
import { STEPS, type Step, type Journey as Steps } from "../../session/journey";
import { Reason } from "../Reason";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  heading: { margin: `0 0 ${tokens.spacingVerticalS}` },
  hint: { marginTop: tokens.spacingVerticalS },
  list: { listStyleType: "none", margin: 0, padding: 0, display: "grid", rowGap: tokens.spacingVerticalS },
  step: { display: "grid", gridTemplateColumns: "20px 1fr auto", columnGap: tokens.spacingHorizontalS },
  mark: {
    boxSizing: "border-box",
    width: "20px",
    height: "20px",
    border: `1px solid ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusCircular,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    lineHeight: "18px",
    textAlign: "center",
  },
  done: {
    color: tokens.colorStatusSuccessForeground1,
    backgroundColor: tokens.colorStatusSuccessBackground1,
    border: `1px solid ${tokens.colorStatusSuccessForeground1}`,
  },
  failed: {
    color: tokens.colorStatusDangerForeground1,
    backgroundColor: tokens.colorStatusDangerBackground1,
    border: `1px solid ${tokens.colorStatusDangerForeground1}`,
  },
  state: { color: tokens.colorNeutralForeground3, whiteSpace: "nowrap", lineHeight: tokens.lineHeightBase300 },
  reason: { gridColumn: "2 / -1" },
});

/** The credentials' way as steps, each with its state, its time, and on failure the reason and the cure. */
export function Journey({ steps, mode, texts }: { steps: Steps; mode: "sign" | "relay"; texts: Texts }) {
  const styles = useStyles();
  return (
    <section>
      <Subtitle2 as="h2" block className={styles.heading}>
        {texts.journey}
      </Subtitle2>
      {/* biome-ignore lint/a11y/noRedundantRoles: without list markers VoiceOver takes it for no list */}
      <ol className={styles.list} role="list">
        {STEPS.map((name, index) => (
          <li key={name} className={styles.step}>
            <Mark step={steps[name]} number={index + 1} />
            <span>{texts.steps[mode][name]}</span>
            <Caption1 className={styles.state}>{toStateText(steps[name], texts)}</Caption1>
            {steps[name].status === "failed" && (
              <div className={styles.reason}>
                <Reason error={steps[name].error} texts={texts} />
              </div>
            )}
          </li>
        ))}
      </ol>
      <Caption1 block className={styles.hint}>
        {texts.journeyHint[mode]}
      </Caption1>
    </section>
  );
}

function Mark({ step: { status }, number }: { step: Step; number: number }) {
  const styles = useStyles();
  if (status === "running") return <Spinner size="extra-tiny" aria-hidden />;
  const look = mergeClasses(styles.mark, status === "done" && styles.done, status === "failed" && styles.failed);
  const sign = { waiting: String(number), done: "✓", failed: "!" }[status];
  return (
    <span aria-hidden className={look}>
      {sign}
    </span>
  );
}

function toStateText({ status, tookMs }: Step, texts: Texts): string {
  if (status === "waiting" || status === "running") return texts[status];
  const time = `${Math.round(tookMs ?? 0)} ms`;
  return status === "failed" ? `${texts.stepFailed}, ${time}` : time;
}
