import { Body1, Button, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useId, useRef, useState } from "react";
import { showPlace } from "../addresses";
import { attempt } from "../commands/desk";
import { takeFocus } from "../focus";
import { usePane } from "../pane";
import { Heading, Hint } from "../typography";
import type { NameList } from "./names-in-cells";
import { useMatchTexts } from "./use-match-texts";
import type { Review } from "./use-review";
import {
  planFormula,
  planIds,
  toBesideAddress,
  undo,
  type Writing,
  type WritingKind,
  type Written,
  write,
} from "./writing";

const useStyles = makeStyles({
  result: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr)",
    rowGap: tokens.spacingVerticalS,
    paddingTop: tokens.spacingVerticalM,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  actions: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  said: { display: "flex", flexWrap: "wrap", alignItems: "center", gap: tokens.spacingHorizontalS },
});

/** Writes the companies beside the names, as ids or as a formula, and takes that back. */
export function Result({ review }: { review: Review }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const id = useId();
  const { counts, items, list, queue, at, step, takesFocus } = review;
  const { write, said, undo } = useWriting(review);
  const ids = useRef<HTMLButtonElement>(null);
  const isAtEnd = step === "open" && at >= queue.length && counts.doubtful + counts.unknown === 0;
  useEffect(() => {
    if (isAtEnd && takesFocus()) takeFocus(ids.current);
  }, [isAtEnd, takesFocus]);
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
      <div role="status" className={styles.said}>
        {said !== null && <Body1>{said}</Body1>}
        {undo !== null && (
          <Button size="small" onClick={undo}>
            {ofMatch.undo}
          </Button>
        )}
      </div>
    </section>
  );
}

/** Writes, after a confirmation where cells hold something else, and can undo the last writing. */
function useWriting({ list, items, country }: Review) {
  const pane = usePane();
  const ofMatch = useMatchTexts();
  const { session, workbook, texts, notify } = pane;
  const [written, setWritten] = useState<Written | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const tell = (sentence: string, undoable: Written | null = null) => {
    setSaid(sentence);
    setWritten(undoable);
  };
  const decided = new Map(
    items.flatMap(({ text, decision }) => (decision?.kind === "company" ? [[text, decision.company.id] as const] : [])),
  );
  const plan = (kind: WritingKind, names: NameList) =>
    kind === "ids"
      ? planIds(workbook, names, (text) => decided.get(text) ?? null)
      : planFormula(workbook, names, country === session.settings.country ? null : country);
  const finish = (writing: Writing) =>
    attempt(pane, async () => {
      const done = await write(workbook, writing);
      tell(ofMatch.written[done.kind](done.swaps.length, showPlace(done)), done);
    });
  return {
    said,
    write: (kind: WritingKind) =>
      void attempt(pane, async () => {
        if (list === null) return;
        const writing = await plan(kind, list);
        const place = showPlace(writing);
        if (writing.isSpilled) return notify({ intent: "warning", text: ofMatch.spilled(place) });
        if (writing.swaps.length === 0) return notify({ intent: "info", text: ofMatch.sameAlready(place) });
        if (writing.occupied === 0) return finish(writing);
        const replace = { label: texts.replace, act: () => void finish(writing) };
        notify({ intent: "warning", text: ofMatch.occupied(writing.occupied, place), actions: [replace] });
      }),
    undo:
      written &&
      (() =>
        void attempt(pane, async () => {
          const left = await undo(workbook, written);
          const place = showPlace(written);
          tell(left === 0 ? ofMatch.undone(place) : ofMatch.partlyUndone(left, place));
        })),
  };
}
