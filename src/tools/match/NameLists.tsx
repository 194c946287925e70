import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import { LongList } from "../../taskpane/LongList";
import { Hint, Row, Stack, useLook } from "../../taskpane/layout";
import { CompanyRow } from "../../taskpane/picker/CompanyRow";
import { type Item, listOthers, toProposal } from "./queue";
import { useMatchTexts } from "./texts";
import { type Review, useMovedFocus } from "./use-review";

const useStyles = makeStyles({
  row: { padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalXXS}` },
  choice: { cursor: "pointer" },
  tick: { flexShrink: 0, margin: "4px 0 0", accentColor: tokens.colorCompoundBrandBackground },
  same: { color: tokens.colorStatusWarningForeground2 },
});

interface ListProps {
  review: Review;
}

const toKey = ({ text }: Item) => text;

/** The names with one sure company, to accept all at once; each can be taken out. */
export function Sure({ review }: ListProps) {
  const look = useLook();
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const button = useRef<HTMLButtonElement>(null);
  const { unticked } = review;
  useMovedFocus(review, () => button.current);
  const items = review.items.filter(({ isProposed }) => isProposed);
  if (items.length === 0) return <Hint block>{ofMatch.noSure}</Hint>;
  return (
    <Stack>
      <Row>
        <Button ref={button} appearance="primary" onClick={review.accept}>
          {ofMatch.accept(items.filter(({ text }) => !unticked.has(text)).length)}
        </Button>
        <Button onClick={review.leaveSure}>{ofMatch.later}</Button>
      </Row>
      <Hint block>{ofMatch.sureHint}</Hint>
      <LongList label={ofMatch.sureList(items.length)} items={items} toKey={toKey} rowHeight={64}>
        {(item) => (
          <Row as="label" isOneLine className={mergeClasses(styles.row, styles.choice, look.breaking)}>
            <input
              type="checkbox"
              className={styles.tick}
              checked={!unticked.has(item.text)}
              onChange={({ target }) => review.tick(item.text, target.checked)}
            />
            <span className={look.breaking}>
              <Caption1 block className={look.second}>
                {item.text} →
              </Caption1>
              <CompanyRow company={toProposal(item)} query={item.text} />
              <SameCompany review={review} id={toProposal(item).id} text={item.text} />
            </span>
          </Row>
        )}
      </LongList>
    </Stack>
  );
}

/** The names with a decision, to change one. */
export function Decided({ review }: ListProps) {
  const ofMatch = useMatchTexts();
  const items = review.items.filter(({ decision }) => decision !== null);
  if (items.length === 0) return <Hint block>{ofMatch.nothingDecided}</Hint>;
  return (
    <LongList label={ofMatch.decidedList(items.length)} items={items} toKey={toKey} rowHeight={48}>
      {(item) => <DecidedName review={review} item={item} />}
    </LongList>
  );
}

function DecidedName({ review, item: { text, decision } }: ListProps & { item: Item }) {
  const look = useLook();
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const company = decision?.kind === "company" ? decision.company : null;
  return (
    <Row isSpread isOneLine align="start" className={mergeClasses(styles.row, look.breaking)}>
      <div>
        <Caption1 block className={look.second}>
          {text} →
        </Caption1>
        {company === null ? <span className={look.muted}>{ofMatch.none}</span> : company.name}
        {company !== null && <SameCompany review={review} id={company.id} text={text} />}
      </div>
      <Button
        size="small"
        appearance="subtle"
        className={look.fixed}
        aria-label={ofMatch.changeOf(text)}
        onClick={() => review.reopen(text)}
      >
        {ofMatch.change}
      </Button>
    </Row>
  );
}

/** The other names that a company has already; nothing without any. */
export function SameCompany({ review: { sames }, id, text }: ListProps & { id: string; text: string }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const others = listOthers(sames, id, text);
  if (others.length === 0) return null;
  return (
    <Caption1 block className={styles.same}>
      {ofMatch.sameAs(others.join(", "))}
    </Caption1>
  );
}
