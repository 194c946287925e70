import { Button, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { Pause } from "../../client/http/families";
import { usePane } from "../pane";
import { type Connection, useConnection } from "./connection";
import { toTime } from "./Paused";

const useStyles = makeStyles({
  place: { flexBasis: "100%", minWidth: 0 },
  status: {
    display: "inline-block",
    maxWidth: "100%",
    minWidth: 0,
    margin: `0 0 0 calc(-1 * ${tokens.spacingHorizontalXS})`,
    padding: `0 ${tokens.spacingHorizontalXS}`,
    border: "none",
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    lineHeight: tokens.lineHeightBase200,
    textAlign: "start",
    overflowWrap: "anywhere",
  },
  dot: {
    display: "inline-block",
    marginInlineEnd: tokens.spacingHorizontalXS,
    border: "4px solid currentColor", // a border shows in a contrast theme
    borderRadius: tokens.borderRadiusCircular,
    color: tokens.colorNeutralForeground3,
  },
  good: { color: tokens.colorStatusSuccessForeground3 },
  halting: { color: tokens.colorStatusWarningForeground3 },
  bad: { color: tokens.colorStatusDangerForeground3 },
  sample: {
    padding: `0 ${tokens.spacingHorizontalXS}`,
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: tokens.colorStatusWarningBackground1,
    color: tokens.colorStatusWarningForeground1,
  },
});

const LOOKS = {
  idle: "dot",
  connecting: "dot",
  connected: "good",
  disconnected: "dot",
  failed: "bad",
  unpaired: "bad",
  offline: "halting",
  paused: "halting",
} as const satisfies Record<Connection | "paused", string>;

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
  const client = connection === "connected" ? configuration?.clientId : undefined;
  return (
    <div role="status" className={styles.place}>
      <Button
        appearance="subtle"
        size="small"
        className={styles.status}
        title={isSample ? ofHead.sampleHint : ofHead.settings}
        onClick={() => open("settings")}
      >
        <span aria-hidden className={mergeClasses(styles.dot, styles[LOOKS[isPaused ? "paused" : connection]])} />
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
