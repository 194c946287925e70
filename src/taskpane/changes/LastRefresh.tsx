import { Body1, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import type { Snapshot } from "../activity/snapshot";
import { Hint } from "../layout";
import { usePane } from "../pane";
import { ChangeList } from "./ChangeList";
import { toShownTime } from "./shown-values";
import { useChangedCells } from "./use-changed-cells";

const useStyles = makeStyles({
  section: { display: "grid", rowGap: tokens.spacingVerticalXS, minWidth: 0 },
  heading: {
    margin: 0,
    fontSize: tokens.fontSizeBase300,
    fontWeight: tokens.fontWeightSemibold,
    lineHeight: tokens.lineHeightBase300,
    ":focus-visible": { outlineStyle: "none" },
  },
});

/** The changes of the last refresh, cell by cell, and their undo. */
export function LastRefresh({ snapshot }: { snapshot: Snapshot }) {
  const { session, texts } = usePane();
  const { ofChanges } = texts;
  const styles = useStyles();
  const heading = useRef<HTMLHeadingElement>(null);
  const { sinceMs, isUndone, isRunning, list } = snapshot.changes;
  const { cells, look } = useChangedCells(snapshot.changes);
  if (snapshot.calls.length === 0) return null;
  const time = sinceMs === null ? "" : toShownTime(sinceMs, snapshot.nowMs, texts);
  const undo = () => {
    session.undoRefresh();
    heading.current?.focus(); // the button goes
  };
  return (
    <section className={styles.section}>
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {ofChanges.title}
      </h2>
      {sinceMs === null ? (
        <Hint>{ofChanges.none}</Hint>
      ) : isRunning ? (
        <Body1>{ofChanges.running(list.length)}</Body1>
      ) : (
        <>
          <Outcome time={time} isUndone={isUndone} count={cells?.count ?? null} />
          {cells !== null && cells.count > 0 && (
            <ChangeList key={`${sinceMs}`} cells={cells} time={time} look={look} undo={isUndone ? null : undo} />
          )}
        </>
      )}
    </section>
  );
}

interface OutcomeProps {
  /** When the refresh began. */
  time: string;
  isUndone: boolean;
  /** Number of changed cells; null until their places are known. */
  count: number | null;
}

/** The refresh's result in a sentence, or that it was undone. */
function Outcome({ time, isUndone, count }: OutcomeProps) {
  const { ofChanges } = usePane().texts;
  if (count === null) return <Spinner size="tiny" label={ofChanges.looking} />;
  const isAny = count > 0;
  return (
    <div role="status">
      {isUndone && <Body1 block>{ofChanges.undone(time)}</Body1>}
      {isUndone && isAny && <Body1 block>{ofChanges.staying(count)}</Body1>}
      {!isUndone && <Body1 block>{isAny ? ofChanges.since(count, time) : ofChanges.nothing(time)}</Body1>}
    </div>
  );
}
