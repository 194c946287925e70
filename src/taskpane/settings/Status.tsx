import { MessageBar, MessageBarBody, makeStyles, mergeClasses, Spinner, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { LARGEST_CORRECTED_SKEW_MS } from "../../contract/companion-api";
import type { SessionState } from "../../session/connecting";
import { Row, useLook } from "../layout";
import { usePane } from "../pane";
import { toSpan } from "../texts/quantities";

const useStyles = makeStyles({
  connected: {
    "::before": {
      content: '"✓"',
      boxSizing: "border-box",
      width: "20px",
      lineHeight: "18px",
      border: `1px solid ${tokens.colorStatusSuccessForeground3}`,
      borderRadius: tokens.borderRadiusCircular,
      textAlign: "center",
      fontSize: tokens.fontSizeBase200,
      color: tokens.colorStatusSuccessForeground3,
      backgroundColor: tokens.colorStatusSuccessBackground1,
    },
  },
});

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
  const styles = useStyles();
  const look = useLook();
  const isUnpaired = status === "failed" && isPairingWanted;
  return (
    <div role="status">
      {status === "connected" ? (
        <Row as="span" align="center" className={mergeClasses(styles.connected, look.strong)}>
          {texts.connected}
        </Row>
      ) : (
        <MessageBar
          intent={isUnpaired ? "warning" : isOffline ? "info" : INTENTS[status]}
          layout="multiline"
          icon={status === "connecting" ? <Spinner size="extra-tiny" aria-hidden /> : undefined}
        >
          <MessageBarBody>
            {isUnpaired ? texts.unpaired : isOffline ? texts.ofOffline.notConnected : texts[status]}
          </MessageBarBody>
        </MessageBar>
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
    <MessageBar intent="warning" layout="multiline" className={look.aboveS}>
      <MessageBarBody>{isCorrected ? words.corrected(off) : words.tooFar(off)}</MessageBarBody>
    </MessageBar>
  );
}
