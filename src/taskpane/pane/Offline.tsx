import { Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { usePane } from "../pane";
import { Told } from "./Told";

const useStyles = makeStyles({
  line: { margin: `0 0 ${tokens.spacingVerticalXXS}`, color: tokens.colorNeutralForeground2 },
});

/** That there is no network, and since when. */
export function Offline() {
  const { session, texts } = usePane();
  const styles = useStyles();
  const sinceMs = useSyncExternalStore(session.subscribe, session.offlineSinceMs);
  return (
    <Told>
      {sinceMs !== null && (
        <Caption1 as="p" block className={styles.line}>
          {texts.ofOffline.since(toTime(sinceMs, session.ports.nowMs(), texts.language))}
        </Caption1>
      )}
    </Told>
  );
}

/** The time of day, with its date unless that is today's. */
function toTime(ms: number, nowMs: number, language: string): string {
  const [time, now] = [new Date(ms), new Date(nowMs)];
  const isToday = time.toDateString() === now.toDateString();
  const date = isToday ? {} : ({ month: "short", day: "numeric" } as const);
  return time.toLocaleString(language, { ...date, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}
