import { Caption1, makeStyles, Title3, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { usePane } from "../pane";
import { More } from "./More";
import { Offline } from "./Offline";
import { Paused } from "./Paused";
import { Refresh } from "./Refresh";

const useStyles = makeStyles({
  head: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    columnGap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalS} 0 ${tokens.spacingHorizontalL}`,
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  hint: { order: 1, flexBasis: "100%", margin: `0 0 ${tokens.spacingVerticalXXS}` },
  sample: {
    padding: `0 ${tokens.spacingHorizontalXS}`,
    border: `1px solid ${tokens.colorStatusWarningBorder1}`,
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: tokens.colorStatusWarningBackground1,
    color: tokens.colorStatusWarningForeground1,
  },
});

/** The pane's name, whether what it shows is real and can be asked for, and the commands of the ribbon for whoever has none. */
export function Head() {
  const { session, texts } = usePane();
  const styles = useStyles();
  const isSample = useSyncExternalStore(session.subscribe, session.isSample);
  return (
    <div className={styles.head}>
      <Title3 as="h1" className={styles.title}>
        {texts.product}
      </Title3>
      <More />
      <Offline />
      <Paused />
      <Refresh />
      {isSample && (
        <Caption1 as="p" className={styles.hint}>
          <span className={styles.sample}>{texts.sample}</span> {texts.sampleHint}
        </Caption1>
      )}
    </div>
  );
}
