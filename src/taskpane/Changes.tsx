import { makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import { useSnapshot } from "./activity/snapshot";
import { Attention } from "./changes/Attention";
import { CheckSection } from "./changes/CheckSection";
import { Formulas } from "./changes/Formulas";
import { LastRefresh } from "./changes/LastRefresh";
import { Summary } from "./changes/Summary";
import { type Handoffs, usePane } from "./pane";

const useStyles = makeStyles({ part: { display: "grid", rowGap: tokens.spacingVerticalL, minWidth: 0 } });

/** What the last refresh changed, and the live formulas with their states. */
export function Changes({ handoff }: { handoff?: Handoffs["changes"] | undefined }) {
  const { session, workbook } = usePane();
  const styles = useStyles();
  const part = useRef<HTMLDivElement>(null);
  const snapshot = useSnapshot(session, part, workbook);
  return (
    <div ref={part} className={styles.part}>
      {snapshot === null ? (
        <Spinner size="small" />
      ) : (
        <>
          <LastRefresh snapshot={snapshot} />
          <Summary snapshot={snapshot} />
          <Attention snapshot={snapshot} />
          <Formulas snapshot={snapshot} />
        </>
      )}
      <CheckSection handoff={handoff} />
    </div>
  );
}
