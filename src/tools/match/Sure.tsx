import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import { LongList } from "../../taskpane/LongList";
import { Hint } from "../../taskpane/layout";
import { CompanyRow } from "../../taskpane/picker/CompanyRow";
import { type Item, listOthers, toProposal } from "./queue";
import { useMatchTexts } from "./use-match-texts";
import { type Review, useMovedFocus } from "./use-review";

const useStyles = makeStyles({
  step: { display: "grid", gridTemplateColumns: "minmax(0, 1fr)", rowGap: tokens.spacingVerticalS },
  actions: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  row: {
    display: "flex",
    columnGap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalXXS}`,
    overflowWrap: "anywhere",
    cursor: "pointer",
  },
  tick: { flexShrink: 0, margin: "4px 0 0", accentColor: tokens.colorCompoundBrandBackground },
  label: { minWidth: 0 },
  text: { color: tokens.colorNeutralForeground2 },
  same: { color: tokens.colorStatusWarningForeground2 },
});

const toKey = ({ text }: Item) => text;

/** The names with one sure company, to accept all at once; each can be taken out. */
export function Sure({ review }: { review: Review }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const button = useRef<HTMLButtonElement>(null);
  const { unticked } = review;
  useMovedFocus(review, () => button.current);
  const items = review.items.filter(({ isProposed }) => isProposed);
  if (items.length === 0) return <Hint block>{ofMatch.noSure}</Hint>;
  return (
    <div className={styles.step}>
      <div className={styles.actions}>
        <Button ref={button} appearance="primary" onClick={review.accept}>
          {ofMatch.accept(items.filter(({ text }) => !unticked.has(text)).length)}
        </Button>
        <Button onClick={review.leaveSure}>{ofMatch.later}</Button>
      </div>
      <Hint block>{ofMatch.sureHint}</Hint>
      <LongList label={ofMatch.sureList(items.length)} items={items} toKey={toKey} rowHeight={64}>
        {(item) => (
          <label className={styles.row}>
            <input
              type="checkbox"
              className={styles.tick}
              checked={!unticked.has(item.text)}
              onChange={({ target }) => review.tick(item.text, target.checked)}
            />
            <span className={styles.label}>
              <Caption1 block className={styles.text}>
                {item.text} →
              </Caption1>
              <CompanyRow company={toProposal(item)} query={item.text} />
              <Others review={review} item={item} />
            </span>
          </label>
        )}
      </LongList>
    </div>
  );
}

/** The other names that lead to the same company. */
function Others({ review: { sames }, item }: { review: Review; item: Item }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const others = listOthers(sames, toProposal(item).id, item.text);
  if (others.length === 0) return null;
  return (
    <Caption1 block className={styles.same}>
      {ofMatch.sameAs(others.join(", "))}
    </Caption1>
  );
}
