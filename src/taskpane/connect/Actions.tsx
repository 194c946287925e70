import { Body1, Button, MessageBar, MessageBarBody, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { type RefObject, useState } from "react";
import type { Refreshed } from "../../feed/watch";
import type { SessionState } from "../../session/connecting";
import type { Session } from "../../session/session";
import { Reason } from "../Reason";
import type { Texts } from "../texts";
import { Pairing } from "./Pairing";

const useStyles = makeStyles({
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  outcome: { ":not(:empty)": { marginTop: tokens.spacingVerticalS } },
});

interface ActionsProps {
  session: Session;
  status: SessionState["status"];
  /** Whether the companion asks for a pairing code, without which to connect is in vain. */
  isPairingWanted: boolean;
  /** The first button, which focus goes to when what had it is gone. */
  first: RefObject<HTMLButtonElement | null>;
  texts: Texts;
}

type Refresh = { status: "idle" } | { status: "running"; questions: number } | ({ status: "ended" } & Refreshed);

/**
 * Connect, or else Refresh all and Disconnect. Connect turns into Refresh all in its place, so that focus stays
 * and a double click does not disconnect again.
 */
export function Actions({ session, status, isPairingWanted, first, texts }: ActionsProps) {
  const styles = useStyles();
  const [refresh, setRefresh] = useState<Refresh>({ status: "idle" });
  const isConnected = status === "connected";
  const isBusy = status === "connecting" || refresh.status === "running";

  const start = async () => {
    setRefresh({ status: "running", questions: session.feed.watch.size() });
    setRefresh({ status: "ended", ...(await session.refresh()) });
  };
  const disconnect = () => {
    session.disconnect();
    setRefresh({ status: "idle" });
    first.current?.focus();
  };
  return (
    <div>
      {isPairingWanted && <Pairing session={session} texts={texts} onPaired={() => first.current?.focus()} />}
      <div className={styles.buttons}>
        <Button
          ref={first}
          appearance={isPairingWanted ? "secondary" : "primary"}
          disabledFocusable={isBusy}
          icon={refresh.status === "running" ? <Spinner size="extra-tiny" aria-hidden /> : undefined}
          onClick={() => void (isConnected ? start() : session.connect())}
        >
          {isConnected ? texts.refresh : texts.connect}
        </Button>
        {isConnected && <Button onClick={disconnect}>{texts.disconnect}</Button>}
      </div>
      <div role="status" className={styles.outcome}>
        <Outcome refresh={refresh} texts={texts} />
      </div>
    </div>
  );
}

/** Says in a sentence what a refresh is doing or did. */
function Outcome({ refresh, texts }: { refresh: Refresh; texts: Texts }) {
  if (refresh.status === "idle") return null;
  if (refresh.status === "running") return <Body1>{texts.refreshing(refresh.questions)}</Body1>;
  const { asked, failures } = refresh;
  if (asked === 0) return <Body1>{texts.nothingToRefresh}</Body1>;
  if (failures.length === 0) return <Body1>{texts.refreshed(asked)}</Body1>;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {texts.partlyRefreshed(asked, failures.length)}
        <Reason error={failures[0]} texts={texts} />
      </MessageBarBody>
    </MessageBar>
  );
}
