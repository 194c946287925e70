import { Body1, Button, makeStyles, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import { Question } from "./Question";
import { isOpen } from "./queue";
import type { MatchTexts } from "./texts";
import { useMatchTexts } from "./use-match-texts";
import { type Review, useMovedFocus } from "./use-review";

const useStyles = makeStyles({
  end: { display: "flex", flexWrap: "wrap", alignItems: "center", gap: tokens.spacingHorizontalS },
});

/** The names to decide on one by one; after the last one, those that were skipped. */
export function Queue({ review }: { review: Review }) {
  const { queue, at, items } = review;
  const text = queue[at];
  const item = items.find((each) => each.text === text);
  return item === undefined ? <End review={review} /> : <Question key={item.text} review={review} item={item} />;
}

function End({ review }: { review: Review }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const { queue, items, counts, go, showSure } = review;
  const open = items.filter(isOpen);
  const isSureLeft = open.length === 0 && counts.sure > 0;
  const button = useRef<HTMLButtonElement>(null);
  useMovedFocus(review, () => button.current);
  return (
    <div role="status" className={styles.end}>
      <Body1>{toSentence(review, open.length, ofMatch)}</Body1>
      {isSureLeft && (
        <Button ref={button} size="small" onClick={showSure}>
          {ofMatch.showSure}
        </Button>
      )}
      {open.length > 0 && (
        <Button ref={button} size="small" onClick={() => go(queue.indexOf(open[0]?.text ?? ""))}>
          {ofMatch.reviewSkipped}
        </Button>
      )}
      {queue.length > 0 && (
        <Button size="small" onClick={() => go(queue.length - 1)}>
          {ofMatch.back}
        </Button>
      )}
    </div>
  );
}

/** What is left to do after the last name. */
function toSentence({ counts }: Review, open: number, ofMatch: MatchTexts): string {
  if (open > 0) return ofMatch.skipped(open);
  return counts.sure > 0 ? ofMatch.sureLeft(counts.sure) : ofMatch.allDecided;
}
