import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useId, useRef } from "react";
import { Heading, Hint } from "../../taskpane/layout";
import { useMatchTexts } from "./use-match-texts";
import { type Review, useMovedFocus } from "./use-review";
import { toBesideAddress, type WritingKind } from "./writing";

const useStyles = makeStyles({
  result: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr)",
    rowGap: tokens.spacingVerticalS,
    paddingTop: tokens.spacingVerticalM,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  actions: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

interface ResultProps {
  review: Review;
  write: (kind: WritingKind) => void;
}

/** Writes the companies beside the names, as ids or as a formula. */
export function Result({ review, write }: ResultProps) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const id = useId();
  const { counts, items, list, queue, at, step } = review;
  const ids = useRef<HTMLButtonElement>(null);
  const isAtEnd = step === "open" && at >= queue.length && counts.sure + counts.doubtful + counts.unknown === 0;
  useMovedFocus(review, () => (isAtEnd ? ids.current : null));
  if (list === null) return null;
  const address = toBesideAddress(list.area);
  return (
    <section aria-labelledby={id} className={styles.result}>
      <Heading isSmall id={id}>
        {ofMatch.result}
      </Heading>
      <Hint block>{ofMatch.resultHint(counts.decided, items.length)}</Hint>
      <div className={styles.actions}>
        <Button
          ref={ids}
          size="small"
          appearance={isAtEnd ? "primary" : "secondary"}
          disabledFocusable={counts.decided === 0}
          onClick={() => write("ids")}
        >
          {ofMatch.ids(address)}
        </Button>
        <Button size="small" onClick={() => write("formula")}>
          {ofMatch.formula(address.split(":")[0] ?? "")}
        </Button>
      </div>
    </section>
  );
}
