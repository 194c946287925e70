import { Body1, MessageBar, MessageBarBody, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useRef, useSyncExternalStore } from "react";
import type { SessionState } from "../session/connecting";
import { Actions } from "./connect/Actions";
import { Facts } from "./connect/Facts";
import { Journey } from "./connect/Journey";
import { WorkbookSettings } from "./connect/WorkbookSettings";
import { Names } from "./Names";
import { usePane } from "./pane";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  page: { display: "flex", flexDirection: "column", rowGap: tokens.spacingVerticalL },
  argument: { whiteSpace: "nowrap" },
  formula: {
    margin: `${tokens.spacingVerticalS} 0 0`,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    overflowWrap: "anywhere",
    backgroundColor: tokens.colorNeutralBackground3,
    padding: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusMedium,
  },
});

/** The client credentials at work: whether the exchange succeeded, how far it came, and what is configured. */
export function Connect() {
  const { session, texts, host, keep } = usePane();
  const styles = useStyles();
  const { status, configuration } = useSyncExternalStore(session.subscribe, session.state);
  const steps = useSyncExternalStore(session.subscribe, session.journey);
  const pairing = useSyncExternalStore(session.subscribe, session.pairing);
  const isPairingWanted = pairing === "wanted" && status !== "connected";
  const first = useRef<HTMLButtonElement>(null);
  return (
    <div className={styles.page}>
      <div role="status">
        <Status status={status} isPairingWanted={isPairingWanted} texts={texts} />
      </div>
      <Actions session={session} status={status} isPairingWanted={isPairingWanted} first={first} texts={texts} />
      <Journey steps={steps} mode={configuration?.mode ?? "sign"} texts={texts} />
      {status === "connected" && (
        <div>
          <Body1>{texts.formulas}</Body1>
          <p className={styles.formula}>
            =FEED.RANKING(<span className={styles.argument}>"2024-01-01"</span>,{" "}
            <span className={styles.argument}>"2024-01-31"</span>, 10)
          </p>
        </div>
      )}
      <Names session={session} texts={texts} />
      <WorkbookSettings session={session} host={host} keep={keep} texts={texts} />
      {configuration !== null && (
        <Facts
          configuration={configuration}
          pairing={pairing}
          unpair={() => session.unpair().then(() => first.current?.focus())}
          texts={texts}
        />
      )}
    </div>
  );
}

const INTENTS = {
  idle: "info",
  connecting: "info",
  connected: "success",
  disconnected: "info",
  failed: "error",
} as const;

interface StatusProps {
  status: SessionState["status"];
  isPairingWanted: boolean;
  texts: Texts;
}

function Status({ status, isPairingWanted, texts }: StatusProps) {
  const isUnpaired = status === "failed" && isPairingWanted;
  return (
    <MessageBar
      intent={isUnpaired ? "warning" : INTENTS[status]}
      layout="multiline"
      icon={status === "connecting" ? <Spinner size="extra-tiny" /> : undefined}
    >
      <MessageBarBody>{isUnpaired ? texts.unpaired : texts[status]}</MessageBarBody>
    </MessageBar>
  );
}
