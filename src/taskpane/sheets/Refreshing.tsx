import { Button, Caption1, makeStyles, Subtitle2, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { ScheduleState } from "../../session/schedule";
import { REFRESH_MINUTES, type RefreshMinutes } from "../../session/settings";
import { usePane } from "../pane";
import type { Texts } from "../texts";
import { useKept } from "./made";
import { Pick } from "./Pick";

const useStyles = makeStyles({
  section: { display: "flex", flexDirection: "column", rowGap: tokens.spacingVerticalS },
  heading: { margin: 0 },
  now: { alignSelf: "flex-start" },
  hint: { color: tokens.colorNeutralForeground3 },
});

/** Refresh everything now, or by itself every few minutes. */
export function Refreshing() {
  const styles = useStyles();
  const pane = usePane();
  const { session, workbook, tell, texts } = pane;
  const { ofSheets, ofCommands } = texts;
  const { refreshMinutes } = useSyncExternalStore(session.subscribe, () => session.settings);
  const schedule = useSyncExternalStore(session.subscribe, session.schedule.state);
  const kept = useKept();
  const choose = async (minutes: RefreshMinutes) => {
    await kept({ refreshMinutes: minutes });
    if (minutes > 0 && (await workbook.isManual())) tell({ intent: "warning", text: ofCommands.manual });
  };
  return (
    <section className={styles.section}>
      <Subtitle2 as="h2" block className={styles.heading}>
        {ofSheets.refreshing}
      </Subtitle2>
      <Button className={styles.now} disabledFocusable={schedule.isRunning} onClick={() => pane.run("refreshAll")}>
        {ofSheets.refreshAll}
      </Button>
      <Pick
        label={ofSheets.interval}
        hint={ofSheets.intervalHint}
        value={refreshMinutes}
        values={REFRESH_MINUTES}
        name={(minutes) => ofSheets.intervals[minutes]}
        onPick={(minutes) => void choose(minutes)}
      />
      <Caption1 className={styles.hint}>
        {listSayings(schedule, refreshMinutes > 0, texts).map((saying) => (
          <div key={saying}>{saying}</div>
        ))}
      </Caption1>
    </section>
  );
}

/** When everything was last refreshed, with what came of it, and when it will be next. */
function listSayings({ isRunning, last, nextAtMs }: ScheduleState, isOn: boolean, texts: Texts): string[] {
  const { ofSheets, refreshed, partlyRefreshed, language } = texts;
  const toTime = (ms: number) => new Date(ms).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  const said = ({ asked, failures }: NonNullable<ScheduleState["last"]>) =>
    failures.length === 0 ? refreshed(asked) : partlyRefreshed(asked, failures.length);
  return [
    ...(last === null ? [] : [ofSheets.lastAt(toTime(last.atMs), said(last))]),
    ...(isRunning ? [ofSheets.running] : nextAtMs !== null ? [ofSheets.nextAt(toTime(nextAtMs))] : []),
    ...(isOn && !isRunning && nextAtMs === null ? [ofSheets.paused] : []),
  ];
}
