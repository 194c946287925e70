import { makeStyles, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { Call } from "../../session/calls";
import type { LiveCall, SheetCalls } from "../activity/live-calls";
import type { Snapshot } from "../activity/snapshot";
import { FoldedList } from "../LongList";
import { Heading, Hint } from "../layout";
import { usePane } from "../pane";
import { FormulaLine } from "./FormulaLine";

const useStyles = makeStyles({ failed: { color: tokens.colorStatusDangerForeground3 } });

/** The live formulas, sheet by sheet. */
export function Formulas({ snapshot }: { snapshot: Snapshot }) {
  const { texts } = usePane();
  if (snapshot.sheets.length === 0) return null;
  return (
    <section>
      <Heading gap="XXS" isSmall>
        {texts.ofActivity.formulas}
      </Heading>
      {snapshot.sheets.map((group, index) => (
        <Sheet key={group.sheet ?? "\0"} group={group} isFirst={index === 0} snapshot={snapshot} />
      ))}
    </section>
  );
}

/** Of a folded formula, in pixels. */
const LINE_HEIGHT = 38;

/** Up to this many open unfolded; more would push the requests out of sight. */
const FEW = 10;

/** The formulas of one sheet; open where one failed, until the person folds it. */
function Sheet({ group, isFirst, snapshot }: { group: SheetCalls; isFirst: boolean; snapshot: Snapshot }) {
  const { ofActivity } = usePane().texts;
  const styles = useStyles();
  const { sheet, calls, counts } = group;
  const [unfolded, setUnfolded] = useState<ReadonlySet<Call>>(new Set());
  const toggle = ({ call }: LiveCall) => setUnfolded((before) => withToggled(before, call));
  const number = ofActivity.formulasOf(calls.length);
  return (
    <FoldedList
      name={sheet ?? ofActivity.elsewhere}
      counts={
        <>
          {counts.failed > 0 && <span className={styles.failed}>{ofActivity.of.failed(counts.failed)} · </span>}
          {counts.stale > 0 && `${ofActivity.of.stale(counts.stale)} · `}
          {number}
        </>
      }
      isOpen={counts.failed > 0 || (isFirst && calls.length <= FEW)}
      hint={sheet === null && <Hint>{ofActivity.elsewhereHint}</Hint>}
      label={`${sheet ?? ofActivity.elsewhere}: ${number}`}
      items={calls}
      toKey={readKey}
      rowHeight={LINE_HEIGHT}
    >
      {(each) => (
        <FormulaLine live={each} snapshot={snapshot} isOpen={unfolded.has(each.call)} toggle={() => toggle(each)} />
      )}
    </FoldedList>
  );
}

function withToggled(calls: ReadonlySet<Call>, call: Call): ReadonlySet<Call> {
  const toggled = new Set(calls);
  if (!toggled.delete(call)) toggled.add(call);
  return toggled;
}

const readKey = ({ key }: LiveCall) => key;
