import { makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import { Changes } from "./activity/Changes";
import { Formulas } from "./activity/Formulas";
import { Provenance } from "./activity/Provenance";
import { Requests } from "./activity/Requests";
import { Summary } from "./activity/Summary";
import { Support } from "./activity/Support";
import { useSnapshot } from "./activity/snapshot";
import { type Handoffs, usePane } from "./pane";

const useStyles = makeStyles({ part: { display: "grid", rowGap: tokens.spacingVerticalL, minWidth: 0 } });

/** The live formulas with their states, and the requests that serve them. */
export function Activity({ handoff }: { handoff?: Handoffs["activity"] | undefined }) {
  const { session } = usePane();
  const styles = useStyles();
  const part = useRef<HTMLDivElement>(null);
  const snapshot = useSnapshot(session, part);
  return (
    <div ref={part} className={styles.part}>
      {snapshot === null ? (
        <Spinner size="small" />
      ) : (
        <>
          <Changes snapshot={snapshot} />
          <Summary snapshot={snapshot} />
          <Provenance snapshot={snapshot} handoff={handoff} />
          <Formulas snapshot={snapshot} />
          <Requests snapshot={snapshot} />
          <Support />
        </>
      )}
    </div>
  );
}
