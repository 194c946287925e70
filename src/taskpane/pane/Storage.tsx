import { Caption1, Link, makeStyles, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { usePane } from "../pane";
import { Announcement } from "./Announcement";

const useStyles = makeStyles({
  line: { margin: `0 0 ${tokens.spacingVerticalXXS}`, color: tokens.colorNeutralForeground2 },
  link: { fontSize: "inherit" },
});

/** Warns that nothing is stored on this computer, and leads to the remedy. */
export function Storage() {
  const { session, texts, open } = usePane();
  const styles = useStyles();
  const { activity, persistedData } = session.feed;
  const hindrance = useSyncExternalStore(activity.onChange, persistedData.hindrance);
  return (
    <Announcement>
      {hindrance !== null && (
        <Caption1 as="p" block className={styles.line}>
          {texts.ofSettings.persisted.nothing[hindrance].what}{" "}
          <Link as="button" className={styles.link} onClick={() => open("settings")}>
            {texts.cure}
          </Link>
        </Caption1>
      )}
    </Announcement>
  );
}
