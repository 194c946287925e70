import { Button, Caption1, makeStyles, Subtitle2, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { RefreshPolicies } from "../../session/freshness";
import type { LastRefresh } from "../../session/refreshing";
import { usePane } from "../pane";
import { toRefreshedText } from "../refreshed";
import type { Texts } from "../texts";
import { useKept } from "./made";
import { RefreshPolicy } from "./RefreshPolicy";

const useStyles = makeStyles({
  section: { display: "flex", flexDirection: "column", rowGap: tokens.spacingVerticalS },
  heading: { margin: 0 },
  now: { alignSelf: "flex-start" },
  hint: { color: tokens.colorNeutralForeground3 },
});

/** Refresh everything now, or by itself: when the workbook opens, or every few minutes. */
export function Refreshing() {
  const styles = useStyles();
  const pane = usePane();
  const { session, workbook, notify, texts } = pane;
  const { ofSheets, ofRefresh } = texts;
  const { refresh } = useSyncExternalStore(session.subscribe, () => session.settings);
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const last = useSyncExternalStore(session.subscribe, () => session.refreshing.state().last);
  const nextAtMs = useSyncExternalStore(session.subscribe, session.schedule.nextAtMs);
  const stored = useKept();
  const choose = async (policies: RefreshPolicies) => {
    await stored({ refresh: policies });
    if (isTimed(policies) && (await workbook.isManual())) notify({ intent: "warning", text: ofRefresh.manualSchedule });
  };
  return (
    <section className={styles.section}>
      <Subtitle2 as="h2" block className={styles.heading}>
        {ofSheets.refreshing}
      </Subtitle2>
      <Button className={styles.now} disabledFocusable={isRunning} onClick={() => pane.run("refreshAll")}>
        {ofSheets.refreshAll}
      </Button>
      <RefreshPolicy policies={refresh} onChoose={(policies) => void choose(policies)} texts={texts} />
      <Caption1 className={styles.hint}>
        {listSayings({ isRunning, last, nextAtMs, isOn: isTimed(refresh) }, texts).map((saying) => (
          <div key={saying}>{saying}</div>
        ))}
      </Caption1>
    </section>
  );
}

const isTimed = (policies: RefreshPolicies) => Object.values(policies).some((policy) => policy.startsWith("every"));

interface Known {
  isRunning: boolean;
  last: LastRefresh | null;
  nextAtMs: number | null;
  /** Whether it runs every few minutes. */
  isOn: boolean;
}

/** When something was last refreshed, with what came of it, and when it will be next. */
function listSayings({ isRunning, last, nextAtMs, isOn }: Known, texts: Texts): string[] {
  const { ofSheets, language } = texts;
  const toTime = (ms: number) => new Date(ms).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  return [
    ...(last === null ? [] : [ofSheets.lastAt(toTime(last.atMs), toRefreshedText(last, texts))]),
    ...(isRunning ? [ofSheets.running] : nextAtMs !== null ? [ofSheets.nextAt(toTime(nextAtMs))] : []),
    ...(isOn && !isRunning && nextAtMs === null ? [ofSheets.paused] : []),
  ];
}
