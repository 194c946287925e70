import { Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";
import { Mark } from "./Check";

const useStyles = makeStyles({
  stage: { display: "grid", gridTemplateColumns: "20px 1fr", columnGap: tokens.spacingHorizontalS },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  waiting: { color: tokens.colorNeutralForeground3, fontWeight: tokens.fontWeightRegular },
  content: { gridColumn: 2, minWidth: 0 },
  hint: { color: tokens.colorNeutralForeground3, marginBottom: tokens.spacingVerticalS },
});

/** What lies behind, what is to be done now, and what comes when that is done. */
type StageStatus = "done" | "current" | "waiting";

interface StageProps {
  number: number;
  title: string;
  hint: string;
  status: StageStatus;
  /** What there is to do, or what came of it; a stage that waits shows nothing. */
  children: ReactNode;
}

/** A stage of setting up. */
export function Stage({ number, title, hint, status, children }: StageProps) {
  const styles = useStyles();
  return (
    <li className={styles.stage} aria-current={status === "current" ? "step" : undefined}>
      <Mark status={status === "done" ? "done" : "waiting"} sign={String(number)} />
      <h3 className={mergeClasses(styles.title, status === "waiting" && styles.waiting)}>{title}</h3>
      {status !== "waiting" && (
        <div className={styles.content}>
          {status === "current" && (
            <Caption1 block className={styles.hint}>
              {hint}
            </Caption1>
          )}
          {children}
        </div>
      )}
    </li>
  );
}
