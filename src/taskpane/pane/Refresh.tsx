import { makeStyles, ProgressBar } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { toBar } from "../commands/refresh/Asking";
import { usePane } from "../pane";

const useStyles = makeStyles({ bar: { position: "absolute", left: 0, right: 0, bottom: 0, width: "auto" } });

/** A line below the tabs while a refresh is under way, whoever began it: nothing moves, and nothing is read out. */
export function Refresh() {
  const { session, texts } = usePane();
  const styles = useStyles();
  const percent = useSyncExternalStore(session.subscribe, () => {
    const { running } = session.refreshing.state();
    return running && Math.floor((running.done / Math.max(running.asked, 1)) * 100);
  });
  if (percent === null) return null;
  const text = texts.ofRefresh.running(percent);
  return <ProgressBar className={styles.bar} aria-label={text} title={text} {...toBar(percent, 100)} />;
}
