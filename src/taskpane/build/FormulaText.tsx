import { Caption1, makeStyles, Subtitle2, tokens } from "@fluentui/react-components";
import type { Cost } from "../../feed/cost";
import { usePane } from "../pane";

const useStyles = makeStyles({
  heading: { margin: `0 0 ${tokens.spacingVerticalXS}` },
  formula: {
    display: "block",
    padding: tokens.spacingHorizontalS,
    backgroundColor: tokens.colorNeutralBackground3,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    overflowWrap: "anywhere",
  },
  cost: { color: tokens.colorNeutralForeground3, marginTop: tokens.spacingVerticalXS },
});

/** The formula as the cell will hold it, and what it costs. */
export function FormulaText({ text, cost }: { text: string; cost: Cost | null }) {
  const styles = useStyles();
  const { ofBuild } = usePane().texts;
  return (
    <section>
      <Subtitle2 as="h2" block className={styles.heading}>
        {ofBuild.formula}
      </Subtitle2>
      <code className={styles.formula}>{text}</code>
      {cost !== null && (
        <Caption1 block className={styles.cost}>
          {ofBuild.cost(cost)}
        </Caption1>
      )}
    </section>
  );
}
