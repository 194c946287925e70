import { Body1, Button, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { Pause } from "../../client/http/families";
import type { Session } from "../../session/session";
import { Stack, useLook } from "../layout";
import { usePane } from "../pane";
import { toTime } from "../texts/quantities";

const useStyles = makeStyles({
  place: { flexBasis: "100%", minWidth: 0 },
  status: {
    display: "inline-block",
    maxWidth: "100%",
    margin: `0 0 0 calc(-1 * ${tokens.spacingHorizontalXS})`,
    padding: `0 ${tokens.spacingHorizontalXS}`,
    border: "none",
    fontWeight: tokens.fontWeightRegular,
    textAlign: "start",
  },
  dot: {
    display: "inline-block",
    marginInlineEnd: tokens.spacingHorizontalXS,
    border: "4px solid currentColor", // a border shows in a contrast theme
    borderRadius: tokens.borderRadiusCircular,
  },
  halting: { color: tokens.colorStatusWarningForeground3 },
  sample: {
    padding: `0 ${tokens.spacingHorizontalXS}`,
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: tokens.colorStatusWarningBackground1,
    color: tokens.colorStatusWarningForeground1,
  },
});

/** The state of the connection and its client, in a line that leads to the settings. */
export function Status({ pauses }: { pauses: readonly Pause[] }) {
  const { session, texts, open } = usePane();
  const { ofHead, language } = texts;
  const styles = useStyles();
  const connection = useConnection();
  const isSample = useSyncExternalStore(session.subscribe, session.isSample);
  const { configuration } = useSyncExternalStore(session.subscribe, session.state);
  const isPaused = connection === "connected" && pauses.length > 0;
  const untilMs = Math.max(...pauses.map((pause) => pause.untilMs));
  const text = isPaused
    ? ofHead.pausedUntil(toTime(untilMs, session.ports.nowMs(), language))
    : ofHead.states[connection];
  const look = useLook();
  const colours: Partial<Record<Connection | "paused", string>> = {
    connected: look.good,
    failed: look.bad,
    unpaired: look.bad,
    offline: styles.halting,
    paused: styles.halting,
  };
  const colour = colours[isPaused ? "paused" : connection] ?? look.muted;
  const client = connection === "connected" ? configuration?.clientId : undefined;
  return (
    <div role="status" className={styles.place}>
      <Button
        appearance="subtle"
        size="small"
        className={mergeClasses(look.small, look.breaking, styles.status)}
        title={isSample ? ofHead.sampleHint : ofHead.settings}
        onClick={() => open("settings")}
      >
        <span aria-hidden className={mergeClasses(styles.dot, colour)} />
        {text}
        {isSample ? (
          <>
            {" · "}
            <span className={styles.sample}>{ofHead.sample}</span>
          </>
        ) : (
          client !== undefined && ` · ${client}`
        )}
      </Button>
    </div>
  );
}

const useNoticeStyles = makeStyles({
  place: { padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL} 0` },
});

/** Above each tab while there is no connection: why, and the way to one. */
export function NotConnected() {
  const { session, texts, open } = usePane();
  const styles = useNoticeStyles();
  const connection = useConnection();
  const { configuration } = useSyncExternalStore(session.subscribe, session.state);
  const { notConnected, connectTo } = texts.ofHead;
  if (connection !== "failed" && connection !== "unpaired" && connection !== "disconnected") return null;
  return (
    <Stack isAtStart className={styles.place}>
      <Body1>{notConnected[connection]}</Body1>
      <Button appearance="primary" onClick={() => open("settings")}>
        {connectTo(configuration && toProviderName(configuration, texts.ofHead.sample))}
      </Button>
    </Stack>
  );
}

const toProviderName = ({ sample, baseUrl }: { sample: boolean; baseUrl: string }, ofSample: string): string =>
  sample ? ofSample : baseUrl.replace(/^https?:\/\/([^/]+).*$/, "$1");

/** The state of the connection, as the pane tells it. */
type Connection = "idle" | "connecting" | "connected" | "disconnected" | "failed" | "unpaired" | "offline";

/** The present state of the connection. */
function useConnection(): Connection {
  const { session } = usePane();
  return useSyncExternalStore(session.subscribe, () => readConnection(session));
}

function readConnection(session: Session): Connection {
  const { status } = session.state();
  if (status === "failed" && session.pairing() === "wanted") return "unpaired";
  const isOffline = session.offlineSinceMs() !== null && status !== "disconnected";
  return isOffline ? "offline" : status;
}
