import { Caption1, makeStyles, ProgressBar, tokens } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import type { RefreshProgress } from "../../../session/refreshing";
import type { Desk } from "../desk";

/** Thousands of queries may be answered in that time. */
const LOOK_AGAIN_MS = 250;

const useStyles = makeStyles({
  bar: { marginTop: tokens.spacingVerticalXS, minWidth: "160px" },
  count: { fontVariantNumeric: "tabular-nums" },
});

const NOTHING: RefreshProgress = { total: 0, done: 0, requests: 0 };

/** The progress of a refresh; its sentence stays, so that it is read out once. */
export function RefreshBar({ session, texts }: Pick<Desk, "session" | "texts">) {
  const styles = useStyles();
  const { done, total, requests } = useProgress(session) ?? NOTHING;
  const { ofRefresh } = texts;
  return (
    <>
      {ofRefresh.refetching}
      {total > 0 && (
        <Caption1 block aria-hidden className={styles.count}>
          {ofRefresh.done(done, total, requests)}
        </Caption1>
      )}
      <ProgressBar className={styles.bar} aria-label={ofRefresh.progress} {...toBar(done, total)} />
    </>
  );
}

/** Before the first answer the bar is indeterminate, since an empty one looks idle. */
export const toBar = (done: number, total: number) => (done === 0 ? {} : { value: done, max: total });

/** Progress of the running refresh, else of the last one seen; null before any. */
function useProgress({ refreshing, subscribe, feed, ports }: Desk["session"]): RefreshProgress | null {
  const [seen, setSeen] = useState(() => refreshing.state().running);
  useEffect(() => {
    let callOff: (() => void) | null = null;
    const look = () => {
      callOff = null;
      setSeen((before) => refreshing.state().running ?? before);
    };
    const lookSoon = () => {
      callOff ??= ports.after(LOOK_AGAIN_MS, look);
    };
    const stops = [subscribe(lookSoon), feed.activity.onChange(lookSoon)];
    look();
    return () => {
      for (const stop of stops) stop();
      callOff?.();
    };
  }, [refreshing, subscribe, feed, ports]);
  return seen;
}
