import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import type { Pause } from "../../feed/families";
import type { Session } from "../../session/session";
import { usePane } from "../pane";

const useStyles = makeStyles({
  place: { order: 1, flexBasis: "100%", minWidth: 0 },
  line: {
    display: "flex",
    alignItems: "baseline",
    columnGap: tokens.spacingHorizontalS,
    margin: `0 0 ${tokens.spacingVerticalXXS}`,
    color: tokens.colorNeutralForeground2,
  },
  text: { flexGrow: 1, minWidth: 0 },
  time: { fontVariantNumeric: "tabular-nums" },
  now: { flexShrink: 0, minWidth: 0 },
});

/** Which data is left alone, why, and until when; its place is always there, so that screen readers hear of it. */
export function Paused() {
  const { session } = usePane();
  const styles = useStyles();
  const pauses = usePauses(session);
  // Without a network nothing is tried, which another line says.
  const shown = session.offlineSinceMs() === null ? pauses : [];
  return (
    <div role={shown.length === 0 ? undefined : "status"} aria-live="polite" className={styles.place}>
      {shown.map((pause) => (
        <Line key={pause.family} {...pause} />
      ))}
    </div>
  );
}

/** The time is a timer, which screen readers read when asked to, and not each second. */
function Line({ family, untilMs, code }: Pause) {
  const { session, texts } = usePane();
  const styles = useStyles();
  const { ofPauses, ofSheets } = texts;
  const leftMs = untilMs - session.ports.nowMs();
  const reason = code === "FEED_RATE_LIMITED" ? "asked" : code === "FEED_SERVER_FAILED" ? "failing" : "unreachable";
  return (
    <div className={styles.line}>
      <Caption1 className={styles.text}>
        {ofPauses.reasons[reason](ofSheets.families[family])}{" "}
        <span role="timer" className={styles.time}>
          {leftMs > 0 ? ofPauses.goesOn(toClock(leftMs)) : ofPauses.trying}
        </span>
      </Caption1>
      {reason !== "asked" && leftMs > 0 && (
        <Button size="small" appearance="subtle" className={styles.now} onClick={session.pauses.tryNow}>
          {ofPauses.tryNow}
        </Button>
      )}
    </div>
  );
}

const TICK_MS = 1_000;

/** What pauses, looked at again each second for as long as anything does. */
function usePauses({ ports, pauses, subscribe }: Session): readonly Pause[] {
  const [shown, show] = useState(pauses.list);
  useEffect(() => {
    let callOff = () => {};
    const look = () => {
      callOff();
      const list = pauses.list();
      show((before) => (before.length === 0 && list.length === 0 ? before : list));
      callOff = list.length === 0 ? () => {} : ports.after(TICK_MS, look);
    };
    look();
    const stop = subscribe(look);
    return () => {
      stop();
      callOff();
    };
  }, [ports, pauses, subscribe]);
  return shown;
}

/** Minutes and seconds, as a kitchen timer has them: "1:05". */
function toClock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
