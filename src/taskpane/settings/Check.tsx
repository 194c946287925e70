import { Caption1, makeStyles, mergeClasses, Spinner, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";
import { PlainList, useLook } from "../layout";
import { Reason } from "../Reason";

const useStyles = makeStyles({
  check: { display: "grid", gridTemplateColumns: "20px 1fr auto", columnGap: tokens.spacingHorizontalS },
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
    color: tokens.colorStatusSuccessForeground3,
    backgroundColor: tokens.colorStatusSuccessBackground1,
    border: `1px solid ${tokens.colorStatusSuccessForeground3}`,
  },
  failed: {
    color: tokens.colorStatusDangerForeground3,
    backgroundColor: tokens.colorStatusDangerBackground1,
    border: `1px solid ${tokens.colorStatusDangerForeground3}`,
  },
  state: { color: tokens.colorNeutralForeground3, whiteSpace: "nowrap", lineHeight: tokens.lineHeightBase300 },
  reason: { gridColumn: "2 / -1" },
});

/** The status of a check; a refusal is an answer, not a failure. */
export type CheckStatus = "waiting" | "running" | "done" | "refused" | "failed";

interface CheckProps {
  status: CheckStatus;
  /** The mark's text before the check has run. */
  sign: string;
  label: ReactNode;
  /** The status in words, with its time. */
  state: ReactNode;
  /** Why it failed. */
  error: unknown;
}

/** A list of checks. */
export function Checks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <PlainList gap="S" aria-label={label}>
      {children}
    </PlainList>
  );
}

/** A check with its status, and on failure the reason and the remedy. */
export function Check({ status, sign, label, state, error }: CheckProps) {
  const styles = useStyles();
  const look = useLook();
  return (
    <li className={styles.check}>
      <Mark status={status} sign={sign} />
      <span className={look.breaking}>{label}</span>
      <Caption1 className={styles.state}>{state}</Caption1>
      {status === "failed" && (
        <div className={styles.reason}>
          <Reason error={error} />
        </div>
      )}
    </li>
  );
}

/** The status as a sign, with words beside it. */
export function Mark({ status, sign }: { status: CheckStatus; sign: string }) {
  const styles = useStyles();
  if (status === "running") return <Spinner size="extra-tiny" aria-hidden />;
  const look = mergeClasses(styles.mark, status === "done" && styles.done, status === "failed" && styles.failed);
  return (
    <span aria-hidden className={look}>
      {{ waiting: sign, done: "✓", refused: "–", failed: "!" }[status]}
    </span>
  );
}
