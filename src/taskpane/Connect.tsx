import {
  Badge,
  Body1,
  Button,
  Caption1,
  MessageBar,
  MessageBarBody,
  makeStyles,
  Spinner,
  Title3,
  tokens,
} from "@fluentui/react-components";
import { useState, useSyncExternalStore } from "react";
import { FeedError } from "../feed/errors";
import type { Configuration } from "../session/configuration";
import type { Session, SessionState } from "../session/session";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  page: {
    display: "flex",
    flexDirection: "column",
    rowGap: "16px",
    padding: "16px",
    minHeight: "100vh",
    boxSizing: "border-box",
  },
  head: { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: "8px", rowGap: "4px" },
  buttons: { display: "flex", flexWrap: "wrap", gap: "8px" },
  facts: { display: "grid", gridTemplateColumns: "auto 1fr", columnGap: "12px", rowGap: "4px", margin: 0 },
  term: { color: tokens.colorNeutralForeground3 },
  fact: { margin: 0, overflowWrap: "anywhere" },
  formula: {
    fontFamily: tokens.fontFamilyMonospace,
    overflowWrap: "anywhere",
    backgroundColor: tokens.colorNeutralBackground3,
    padding: "8px",
    borderRadius: tokens.borderRadiusMedium,
  },
});

/** The client credentials at work: what is configured, whether the exchange succeeded, and how to mend it. */
export function Connect({ session, texts }: { session: Session; texts: Texts }) {
  const styles = useStyles();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const { configuration } = state;
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <Title3 as="h1">{texts.product}</Title3>
        {configuration?.sample && (
          <Badge color="warning" appearance="tint">
            {texts.sample}
          </Badge>
        )}
      </div>
      <Status state={state} texts={texts} />
      <div className={styles.buttons}>
        <ConnectButton session={session} state={state} texts={texts} />
        <RefreshButton session={session} isEnabled={state.status === "connected"} texts={texts} />
      </div>
      {configuration !== null && <Facts configuration={configuration} texts={texts} />}
      {configuration?.sample && <Caption1>{texts.sampleHint}</Caption1>}
      <Caption1>{texts.journey}</Caption1>
      <div>
        <Body1>{texts.formulas}</Body1>
        <p className={styles.formula}>=FEED.RANKING("2024-01-01", "2024-01-31", 10)</p>
      </div>
    </main>
  );
}

function Status({ state, texts }: { state: SessionState; texts: Texts }) {
  if (state.status === "connecting") return <Spinner size="tiny" label={texts.connecting} labelPosition="after" />;
  if (state.status === "failed") return <Failure error={state.error} texts={texts} />;
  const intent = state.status === "connected" ? "success" : "info";
  return (
    <MessageBar intent={intent}>
      <MessageBarBody>{texts[state.status]}</MessageBarBody>
    </MessageBar>
  );
}

function Failure({ error, texts }: { error: unknown; texts: Texts }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <MessageBar intent="error" layout="multiline">
      <MessageBarBody>
        {texts.failed}: {message} {error instanceof FeedError && <Caption1>({error.code})</Caption1>}
      </MessageBarBody>
    </MessageBar>
  );
}

function ConnectButton({ session, state, texts }: { session: Session; state: SessionState; texts: Texts }) {
  if (state.status === "connected") return <Button onClick={session.disconnect}>{texts.disconnect}</Button>;
  return (
    <Button appearance="primary" disabled={state.status === "connecting"} onClick={() => void session.connect()}>
      {texts.connect}
    </Button>
  );
}

function RefreshButton({ session, isEnabled, texts }: { session: Session; isEnabled: boolean; texts: Texts }) {
  const [isRefreshing, setRefreshing] = useState(false);
  const refresh = async () => {
    setRefreshing(true);
    await session.refresh();
    setRefreshing(false);
  };
  return (
    <Button disabled={!isEnabled || isRefreshing} onClick={() => void refresh()}>
      {isRefreshing ? texts.refreshing : texts.refresh}
    </Button>
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
    <dl className={styles.facts}>
      {facts.map(([term, fact]) => (
        <div key={term} style={{ display: "contents" }}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.fact}>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
