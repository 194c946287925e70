import { Body1, Button, makeStyles, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { usePane } from "../pane";
import { useConnection } from "./connection";

const useStyles = makeStyles({
  place: {
    display: "grid",
    rowGap: tokens.spacingVerticalS,
    justifyItems: "start",
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL} 0`,
  },
});

/** Above each tab while there is no connection: why, and the way to one. */
export function NotConnected() {
  const { session, texts, open } = usePane();
  const styles = useStyles();
  const connection = useConnection();
  const { configuration } = useSyncExternalStore(session.subscribe, session.state);
  const { notConnected, connectTo } = texts.ofHead;
  if (connection !== "failed" && connection !== "unpaired" && connection !== "disconnected") return null;
  return (
    <div className={styles.place}>
      <Body1>{notConnected[connection]}</Body1>
      <Button appearance="primary" onClick={() => open("settings")}>
        {connectTo(configuration && toProviderName(configuration, texts.ofHead.sample))}
      </Button>
    </div>
  );
}

const toProviderName = ({ sample, baseUrl }: { sample: boolean; baseUrl: string }, ofSample: string): string =>
  sample ? ofSample : baseUrl.replace(/^https?:\/\/([^/]+).*$/, "$1");
