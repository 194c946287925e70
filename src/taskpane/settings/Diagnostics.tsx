import { makeStyles, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { usePane } from "../pane";
import { Heading } from "../typography";
import { Access } from "./Access";
import { Journey } from "./Journey";
import { Requests } from "./Requests";
import { Support } from "./Support";

const useStyles = makeStyles({ section: { display: "grid", rowGap: tokens.spacingVerticalM, minWidth: 0 } });

interface DiagnosticsProps {
  /** Whether the steps of connecting belong here; else they stand beside the connection. */
  isWell: boolean;
  /** Milliseconds since the Unix epoch; null without a connection. */
  connectedAtMs: number | null;
}

/** The steps of connecting, the data that the client may read, the requests, and a text for support. */
export function Diagnostics({ isWell, connectedAtMs }: DiagnosticsProps) {
  const { texts } = usePane();
  const styles = useStyles();
  return (
    <section className={styles.section}>
      <Heading>{texts.ofSettings.diagnostics}</Heading>
      {isWell && <Steps />}
      {connectedAtMs !== null && <Access connectedAtMs={connectedAtMs} />}
      <Requests />
      <Support />
    </section>
  );
}

/** The steps of connecting, with their states. */
export function Steps() {
  const { session } = usePane();
  const { status, configuration } = useSyncExternalStore(session.subscribe, session.state);
  return (
    <Journey
      steps={useSyncExternalStore(session.subscribe, session.journey)}
      mode={configuration?.mode ?? "sign"}
      isWell={status === "connected" || status === "disconnected"}
    />
  );
}
