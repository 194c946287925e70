import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { LongList } from "../../taskpane/LongList";
import { Hint } from "../../taskpane/layout";
import { type Item, listOthers } from "./queue";
import { useMatchTexts } from "./use-match-texts";
import type { Review } from "./use-review";

const useStyles = makeStyles({
  row: {
    display: "flex",
    alignItems: "start",
    justifyContent: "space-between",
    columnGap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalXXS}`,
    overflowWrap: "anywhere",
  },
  text: { color: tokens.colorNeutralForeground2 },
  none: { color: tokens.colorNeutralForeground3 },
  same: { color: tokens.colorStatusWarningForeground2 },
  change: { flexShrink: 0 },
});

const toKey = ({ text }: Item) => text;

/** The names with a decision, to change one. */
export function Decided({ review }: { review: Review }) {
  const ofMatch = useMatchTexts();
  const items = review.items.filter(({ decision }) => decision !== null);
  if (items.length === 0) return <Hint block>{ofMatch.nothingDecided}</Hint>;
  return (
    <LongList label={ofMatch.decidedList(items.length)} items={items} toKey={toKey} rowHeight={48}>
      {(item) => <Line review={review} item={item} />}
    </LongList>
  );
}

function Line({ review: { sames, reopen }, item: { text, decision } }: { review: Review; item: Item }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const company = decision?.kind === "company" ? decision.company : null;
  const others = company === null ? [] : listOthers(sames, company.id, text);
  return (
    <div className={styles.row}>
      <div>
        <Caption1 block className={styles.text}>
          {text} →
        </Caption1>
        {company === null ? <span className={styles.none}>{ofMatch.none}</span> : company.name}
        {others.length > 0 && (
          <Caption1 block className={styles.same}>
            {ofMatch.sameAs(others.join(", "))}
          </Caption1>
        )}
      </div>
      <Button
        size="small"
        appearance="subtle"
        className={styles.change}
        aria-label={ofMatch.changeOf(text)}
        onClick={() => reopen(text)}
      >
        {ofMatch.change}
      </Button>
    </div>
  );
}
