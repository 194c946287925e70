import { Button, Spinner } from "@fluentui/react-components";
import { type RefObject, useRef, useState, useSyncExternalStore } from "react";
import { LARGEST_CORRECTED_SKEW_MS } from "../contract/companion-api";
import type { SessionState } from "../session/connecting";
import { Message, Row, Stack, useLook } from "./layout";
import { usePane } from "./pane";
import { Diagnostics, Mark, Steps } from "./settings/Diagnostics";
import { Pairing } from "./settings/Pairing";
import { PersistedAnswers } from "./settings/PersistedAnswers";
import { Provider } from "./settings/Provider";
import type { Draft } from "./settings/ProviderForm";
import { type Purpose, SetUp } from "./settings/SetUp";
import { WorkbookSettings } from "./settings/WorkbookSettings";
import { toSpan } from "./texts/quantities";

/** The connection and its configuration, the workbook's settings, the stored data, and diagnostics. */
export function Settings() {
  const { session } = usePane();
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
    <Stack gap="L">
      <Status status={status} isPairingWanted={isPairingWanted} isOffline={isOffline} />
      <Actions status={status} isPairingWanted={isPairingWanted} first={first} />
      {!isWell(status) && !isOffline && <Steps />}
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
    </Stack>
  );
}

/** Whether the steps of connecting are of interest only for diagnostics. */
const isWell = (status: SessionState["status"]) => status === "connected" || status === "disconnected";

/** The sections below the connection, except during set-up. */
function Overview({ first, setUp }: Pick<Parameters<typeof Provider>[0], "first" | "setUp">) {
  const { session, host, persist, texts } = usePane();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const { status, configuration } = state;
  return (
    <>
      {configuration !== null && (
        <Provider configuration={configuration} isOpen={status === "failed"} first={first} setUp={setUp} />
      )}
      <WorkbookSettings session={session} host={host} persist={persist} texts={texts} />
      <PersistedAnswers />
      <Diagnostics isWell={isWell(status)} connectedAtMs={status === "connected" ? state.connectedAtMs : null} />
    </>
  );
}

interface ActionsProps {
  status: SessionState["status"];
  /** Whether the companion wants a pairing code; without one, connecting fails. */
  isPairingWanted: boolean;
  /** The first button; it takes the focus when the focused element disappears. */
  first: RefObject<HTMLButtonElement | null>;
}

/**
 * Connect, or else Connect again and Disconnect. Connect turns into Connect again in its place, so that focus stays
 * and a double click does not disconnect again.
 */
function Actions({ status, isPairingWanted, first }: ActionsProps) {
  const { session, texts } = usePane();
  const isConnected = status === "connected";
  const disconnect = () => {
    session.disconnect();
    first.current?.focus();
  };
  return (
    <div>
      {isPairingWanted && <Pairing session={session} texts={texts} onPaired={() => first.current?.focus()} />}
      <Row>
        <Button
          ref={first}
          appearance={isPairingWanted || isConnected ? "secondary" : "primary"}
          disabledFocusable={status === "connecting"}
          onClick={() => void session.connect()}
        >
          {isConnected ? texts.reconnect : texts.connect}
        </Button>
        {isConnected && <Button onClick={disconnect}>{texts.disconnect}</Button>}
      </Row>
    </div>
  );
}

const INTENTS = { idle: "info", connecting: "info", disconnected: "info", failed: "error" } as const;

interface StatusProps {
  status: SessionState["status"];
  isPairingWanted: boolean;
  /** Whether the connection is missing only for want of a network. */
  isOffline: boolean;
}

/** The state of the connection, in a sentence or a word. */
export function Status({ status, isPairingWanted, isOffline }: StatusProps) {
  const { texts } = usePane();
  const look = useLook();
  const isUnpaired = status === "failed" && isPairingWanted;
  return (
    <div role="status">
      {status === "connected" ? (
        <Row as="span" align="center" className={look.strong}>
          <Mark status="done" sign="" />
          {texts.connected}
        </Row>
      ) : (
        <Message
          intent={isUnpaired ? "warning" : isOffline ? "info" : INTENTS[status]}
          aside={status === "connecting" ? <Spinner size="extra-tiny" aria-hidden /> : undefined}
        >
          {isUnpaired ? texts.unpaired : isOffline ? texts.ofOffline.notConnected : texts[status]}
        </Message>
      )}
      <Clock />
    </div>
  );
}

/** Warns that the companion's clock is off, and how assertions are signed meanwhile. */
function Clock() {
  const { session, texts } = usePane();
  const look = useLook();
  const skewMs = useSyncExternalStore(session.subscribe, session.clockSkewMs);
  if (skewMs === 0) return null;
  const words = texts.ofSettings.clock;
  const off = (skewMs > 0 ? words.ahead : words.behind)(toSpan(Math.abs(skewMs), texts.language));
  const isCorrected = Math.abs(skewMs) <= LARGEST_CORRECTED_SKEW_MS;
  return (
    <Message intent="warning" className={look.aboveS}>
      {isCorrected ? words.corrected(off) : words.tooFar(off)}
    </Message>
  );
}
