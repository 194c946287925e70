import { Button, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { type RefObject, useSyncExternalStore } from "react";
import type { SessionState } from "../../session/connecting";
import { usePane } from "../pane";
import { Pairing } from "./Pairing";

const useStyles = makeStyles({
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

interface ActionsProps {
  status: SessionState["status"];
  /** Whether the companion asks for a pairing code, without which to connect is in vain. */
  isPairingWanted: boolean;
  /** The first button, which focus goes to when what had it is gone. */
  first: RefObject<HTMLButtonElement | null>;
}

/**
 * Connect, or else Refresh all and Disconnect. Connect turns into Refresh all in its place, so that focus stays
 * and a double click does not disconnect again.
 */
export function Actions({ status, isPairingWanted, first }: ActionsProps) {
  const styles = useStyles();
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
