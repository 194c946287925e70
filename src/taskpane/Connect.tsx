import {
  Badge,
  Body1,
  Caption1,
  MessageBar,
  MessageBarBody,
  makeStyles,
  Spinner,
  Title3,
  tokens,
} from "@fluentui/react-components";
import { type ReactNode, useRef, useSyncExternalStore } from "react";
import type { SessionState } from "../session/connecting";
import type { Session } from "../session/session";
import { Actions } from "./Actions";
import { Facts } from "./Facts";
import { Journey } from "./Journey";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  page: {
    display: "flex",
    flexDirection: "column",
    rowGap: tokens.spacingVerticalL,
    padding: tokens.spacingHorizontalL,
    minHeight: "100vh",
    boxSizing: "border-box",
  },
  title: { margin: 0 },
  head: { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: "8px", rowGap: "4px" },
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

interface ConnectProps {
  session: Session;
  texts: Texts;
  /** What stands between the journey and what is configured. */
  children?: ReactNode;
}

/** The client credentials at work: whether the exchange succeeded, how far it came, and what is configured. */
export function Connect({ session, texts, children }: ConnectProps) {
  const styles = useStyles();
  const { status, configuration } = useSyncExternalStore(session.subscribe, session.state);
  const steps = useSyncExternalStore(session.subscribe, session.journey);
  const pairing = useSyncExternalStore(session.subscribe, session.pairing);
  const isPairingWanted = pairing === "wanted" && status !== "connected";
  const first = useRef<HTMLButtonElement>(null);
  return (
    <main className={styles.page}>
      <Head isSample={configuration?.sample === true} texts={texts} />
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
      {children}
      {configuration !== null && (
        <Facts
          configuration={configuration}
          pairing={pairing}
          unpair={() => session.unpair().then(() => first.current?.focus())}
          texts={texts}
        />
      )}
    </main>
  );
}

function Head({ isSample, texts }: { isSample: boolean; texts: Texts }) {
  const styles = useStyles();
  return (
    <div>
      <div className={styles.head}>
        <Title3 as="h1" className={styles.title}>
          {texts.product}
        </Title3>
        {isSample && (
          <Badge color="warning" appearance="tint">
            {texts.sample}
          </Badge>
        )}
      </div>
      {isSample && <Caption1 block>{texts.sampleHint}</Caption1>}
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
