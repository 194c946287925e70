import {
  Badge,
  Body1,
  Caption1,
  MessageBar,
  MessageBarBody,
  makeStyles,
  Spinner,
  Subtitle2,
  Title3,
  tokens,
} from "@fluentui/react-components";
import { type ReactNode, useSyncExternalStore } from "react";
import type { Configuration } from "../session/configuration";
import type { SessionState } from "../session/connecting";
import type { Session } from "../session/session";
import { Actions } from "./Actions";
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
  heading: { margin: `0 0 ${tokens.spacingVerticalS}` },
  head: { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: "8px", rowGap: "4px" },
  facts: { margin: 0, display: "grid", rowGap: tokens.spacingVerticalS },
  term: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  fact: { margin: 0, overflowWrap: "anywhere" },
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
  return (
    <main className={styles.page}>
      <div>
        <div className={styles.head}>
          <Title3 as="h1" className={styles.title}>
            {texts.product}
          </Title3>
          {configuration?.sample && (
            <Badge color="warning" appearance="tint">
              {texts.sample}
            </Badge>
          )}
        </div>
        {configuration?.sample && <Caption1 block>{texts.sampleHint}</Caption1>}
      </div>
      <div role="status">
        <Status status={status} texts={texts} />
      </div>
      <Actions session={session} status={status} texts={texts} />
      <Journey steps={steps} texts={texts} />
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
      {configuration !== null && <Facts configuration={configuration} texts={texts} />}
    </main>
  );
}

const INTENTS = {
  idle: "info",
  connecting: "info",
  connected: "success",
  disconnected: "info",
  failed: "error",
} as const;

function Status({ status, texts }: { status: SessionState["status"]; texts: Texts }) {
  return (
    <MessageBar
      intent={INTENTS[status]}
      layout="multiline"
      icon={status === "connecting" ? <Spinner size="extra-tiny" /> : undefined}
    >
      <MessageBarBody>{texts[status]}</MessageBarBody>
    </MessageBar>
  );
}

function Facts({ configuration, texts }: { configuration: Configuration; texts: Texts }) {
  const styles = useStyles();
  const facts: [string, string][] = [
    [texts.provider, configuration.baseUrl],
    [texts.clientId, configuration.clientId],
    [texts.keyId, configuration.keyId],
    [texts.thumbprint, configuration.thumbprint],
    [texts.transport, texts[configuration.transport]],
  ];
  return (
    <section>
      <Subtitle2 as="h2" block className={styles.heading}>
        {texts.connection}
      </Subtitle2>
      <dl className={styles.facts}>
        {facts.map(([term, fact]) => (
          <div key={term}>
            <dt className={styles.term}>{term}</dt>
            <dd className={styles.fact}>{fact}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
