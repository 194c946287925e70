import { useSyncExternalStore } from "react";
import { Heading, Stack } from "../layout";
import { usePane } from "../pane";
import { Access } from "./Access";
import { Journey } from "./Journey";
import { Requests } from "./Requests";
import { Support } from "./Support";

interface DiagnosticsProps {
  /** Whether the steps of connecting belong here; else they stand beside the connection. */
  isWell: boolean;
  /** Milliseconds since the Unix epoch; null without a connection. */
  connectedAtMs: number | null;
}

/** The steps of connecting, the data that the client may read, the requests, and a text for support. */
export function Diagnostics({ isWell, connectedAtMs }: DiagnosticsProps) {
  const { texts } = usePane();
  return (
    <Stack as="section" gap="M">
      <Heading>{texts.ofSettings.diagnostics}</Heading>
      {isWell && <Steps />}
      {connectedAtMs !== null && <Access connectedAtMs={connectedAtMs} />}
      <Requests />
      <Support />
    </Stack>
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
