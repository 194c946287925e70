import { Button, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { type RefObject, useRef, useState, useSyncExternalStore } from "react";
import type { SessionState } from "../session/connecting";
import { Access } from "./connect/Access";
import type { Purpose } from "./connect/guide";
import { Journey } from "./connect/Journey";
import { NextSteps } from "./connect/NextSteps";
import { Pairing } from "./connect/Pairing";
import { PersistedAnswers } from "./connect/PersistedAnswers";
import { Provider } from "./connect/Provider";
import type { Draft } from "./connect/ProviderForm";
import { SetUp } from "./connect/SetUp";
import { Status } from "./connect/Status";
import { WorkbookSettings } from "./connect/WorkbookSettings";
import { usePane } from "./pane";

const useStyles = makeStyles({
  page: { display: "flex", flexDirection: "column", rowGap: tokens.spacingVerticalL },
});

/** The connection: its state, its steps, the data it gives access to, and its configuration. */
export function Connect() {
  const { session } = usePane();
  const styles = useStyles();
  const { status, configuration } = useSyncExternalStore(session.subscribe, session.state);
  const offlineSinceMs = useSyncExternalStore(session.subscribe, session.offlineSinceMs);
  const pairing = useSyncExternalStore(session.subscribe, session.pairing);
  const [purpose, setPurpose] = useState<Purpose | null>(null);
  const [drafts, setDrafts] = useState<Partial<Record<Purpose, Draft | undefined>>>({});
  const first = useRef<HTMLButtonElement>(null);
  const isPairingWanted = pairing === "wanted" && status !== "connected" && purpose === null;
  const isOffline = offlineSinceMs !== null && status === "failed" && !isPairingWanted;
  const leave = () => {
    setPurpose(null);
    first.current?.focus();
  };
  return (
    <div className={styles.page}>
      <Status status={status} isPairingWanted={isPairingWanted} isOffline={isOffline} />
      <Actions status={status} isPairingWanted={isPairingWanted} first={first} />
      {status === "connected" && purpose === null && <NextSteps />}
      {!isOffline && <Steps />}
      {purpose !== null && configuration !== null ? (
        <SetUp
          key={purpose}
          purpose={purpose}
          configuration={configuration}
          draft={drafts[purpose]}
          storeDraft={(draft) => setDrafts((before) => ({ ...before, [purpose]: draft }))}
          end={leave}
        />
      ) : (
        <Overview first={first} setUp={setPurpose} />
      )}
    </div>
  );
}

/** The steps of connecting, with their states. */
function Steps() {
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

/** The sections below the connection, except during set-up. */
function Overview({ first, setUp }: Pick<Parameters<typeof Provider>[0], "first" | "setUp">) {
  const { session, host, persist, texts } = usePane();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const { status, configuration } = state;
  return (
    <>
      {status === "connected" && <Access connectedAtMs={state.connectedAtMs} />}
      {configuration !== null && (
        <Provider configuration={configuration} isOpen={status === "failed"} first={first} setUp={setUp} />
      )}
      <WorkbookSettings session={session} host={host} persist={persist} texts={texts} />
      <PersistedAnswers />
    </>
  );
}

const useActionsStyles = makeStyles({
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

interface ActionsProps {
  status: SessionState["status"];
  /** Whether the companion wants a pairing code; without one, connecting fails. */
  isPairingWanted: boolean;
  /** The first button; it takes the focus when the focused element disappears. */
  first: RefObject<HTMLButtonElement | null>;
}

/**
 * Connect, or else Refresh all and Disconnect. Connect turns into Refresh all in its place, so that focus stays
 * and a double click does not disconnect again.
 */
function Actions({ status, isPairingWanted, first }: ActionsProps) {
  const styles = useActionsStyles();
  const { session, texts, run } = usePane();
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const isConnected = status === "connected";
  const isRefreshing = isConnected && isRunning;
  const disconnect = () => {
    session.disconnect();
    first.current?.focus();
  };
  return (
    <div>
      {isPairingWanted && <Pairing session={session} texts={texts} onPaired={() => first.current?.focus()} />}
      <div className={styles.buttons}>
        <Button
          ref={first}
          appearance={isPairingWanted ? "secondary" : "primary"}
          disabledFocusable={status === "connecting" || isRefreshing}
          icon={isRefreshing ? <Spinner size="extra-tiny" aria-hidden /> : undefined}
          onClick={() => void (isConnected ? run("refreshAll") : session.connect())}
        >
          {isConnected ? texts.refresh : texts.connect}
        </Button>
        {isConnected && <Button onClick={disconnect}>{texts.disconnect}</Button>}
      </div>
    </div>
  );
}
