import { makeStyles, tokens } from "@fluentui/react-components";
import { useRef, useState } from "react";
import type { Call } from "../../session/calls";
import type { LiveCall, SheetCalls } from "../activity/live-calls";
import type { Snapshot } from "../activity/snapshot";
import { FoldLine } from "../Fold";
import { LongList } from "../LongList";
import { usePane } from "../pane";
import { Heading, Hint } from "../typography";
import { FormulaLine } from "./FormulaLine";

const useStyles = makeStyles({
  sheet: { fontWeight: tokens.fontWeightSemibold, overflowWrap: "anywhere" },
  counts: {
    marginInlineStart: "auto",
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    textAlign: "end",
  },
  failed: { color: tokens.colorStatusDangerForeground3 },
});

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
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<Call>>(new Set());
  const scroll = useRef(0);
  const isOpen = chosen ?? (counts.failed > 0 || (isFirst && calls.length <= FEW));
  const toggle = ({ call }: LiveCall) => setUnfolded((before) => withToggled(before, call));
  return (
    <div>
      <FoldLine isOpen={isOpen} toggle={() => setChosen(!isOpen)}>
        <span className={styles.sheet}>{sheet ?? ofActivity.elsewhere}</span>
        <span className={styles.counts}>
          {counts.failed > 0 && <span className={styles.failed}>{ofActivity.of.failed(counts.failed)} · </span>}
          {counts.stale > 0 && `${ofActivity.of.stale(counts.stale)} · `}
          {ofActivity.formulasOf(calls.length)}
        </span>
      </FoldLine>
      {isOpen && (
        <>
          {sheet === null && <Hint>{ofActivity.elsewhereHint}</Hint>}
          <LongList
            label={`${sheet ?? ofActivity.elsewhere}: ${ofActivity.formulasOf(calls.length)}`}
            items={calls}
            toKey={readKey}
            rowHeight={LINE_HEIGHT}
            scroll={scroll}
          >
            {(each) => (
              <FormulaLine
                live={each}
                snapshot={snapshot}
                isOpen={unfolded.has(each.call)}
                toggle={() => toggle(each)}
              />
            )}
          </LongList>
        </>
      )}
    </div>
  );
}

function withToggled(calls: ReadonlySet<Call>, call: Call): ReadonlySet<Call> {
  const toggled = new Set(calls);
  if (!toggled.delete(call)) toggled.add(call);
  return toggled;
}

const readKey = ({ key }: LiveCall) => key;
