import { makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import { TOOLS } from "../tools";
import { useSnapshot } from "./activity/snapshot";
import { Attention } from "./changes/Attention";
import { Ended } from "./changes/Ended";
import { Formulas } from "./changes/Formulas";
import { LastRefresh } from "./changes/LastRefresh";
import { Summary } from "./changes/Summary";
import { ToolSection } from "./changes/ToolSection";
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
      <Ended />
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
      {TOOLS.changes.map((tool) => (
        <ToolSection key={tool.id} tool={tool} handoff={handoff} />
      ))}
    </div>
  );
}
