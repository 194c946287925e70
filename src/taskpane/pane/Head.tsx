import { Caption1, makeStyles, Title3, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { CommandId } from "../commands/command";
import type { PaneContext } from "../pane";
import { More } from "./More";

const useStyles = makeStyles({
  head: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    columnGap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalS} 0 ${tokens.spacingHorizontalL}`,
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  sample: {
    padding: `0 ${tokens.spacingHorizontalSNudge}`,
    border: `1px solid ${tokens.colorPaletteYellowBorder1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorPaletteYellowBackground1,
    color: tokens.colorNeutralForeground1,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  hint: { order: 1, flexBasis: "100%", paddingBottom: tokens.spacingVerticalXXS },
});

type HeadProps = Pick<PaneContext, "session" | "texts"> & { run: (command: CommandId) => void };

/** The pane's name, whether what it shows is real, and the commands of the ribbon for whoever has none. */
export function Head({ session, texts, run }: HeadProps) {
  const styles = useStyles();
  const { configuration } = useSyncExternalStore(session.subscribe, session.state);
  const isSample = configuration?.sample === true;
  return (
    <div className={styles.head}>
      <Title3 as="h1" className={styles.title}>
        {texts.product}
      </Title3>
      {isSample && <span className={styles.sample}>{texts.sample}</span>}
      <More texts={texts} run={run} />
      {isSample && <Caption1 className={styles.hint}>{texts.sampleHint}</Caption1>}
    </div>
  );
}
