import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { FoldLine } from "../Fold";
import { usePane } from "../pane";
import { Heading, Hint } from "../typography";
import { FormulaLine } from "./FormulaLine";
import { countStates, type SheetCalls } from "./live-calls";
import type { Snapshot } from "./snapshot";

const useStyles = makeStyles({
  sheet: { fontWeight: tokens.fontWeightSemibold, overflowWrap: "anywhere" },
  counts: {
    marginInlineStart: "auto",
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    textAlign: "end",
  },
  failed: { color: tokens.colorStatusDangerForeground3 },
  list: { listStyleType: "none", margin: 0, padding: 0 },
});

/** The live formulas, sheet by sheet. */
export function Formulas({ snapshot }: { snapshot: Snapshot }) {
  const { texts } = usePane();
  if (snapshot.calls.length === 0) return null;
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

const SHOWN_AT_ONCE = 50;

/** Up to this many open unfolded; more would push the requests out of sight. */
const FEW = 10;

/** The formulas of one sheet; open where one failed, until the person folds it. */
function Sheet({ group, isFirst, snapshot }: { group: SheetCalls; isFirst: boolean; snapshot: Snapshot }) {
  const { ofActivity } = usePane().texts;
  const styles = useStyles();
  const { sheet, calls } = group;
  const counts = countStates(calls);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const isOpen = chosen ?? (counts.failed > 0 || (isFirst && calls.length <= FEW));
  const left = calls.length - shown;
  return (
    <div>
      <FoldLine isOpen={isOpen} toggle={() => setChosen(!isOpen)}>
        <span className={styles.sheet}>{sheet ?? ofActivity.elsewhere}</span>
        <span className={styles.counts}>
          {counts.failed > 0 && <span className={styles.failed}>{ofActivity.failedOf(counts.failed)} · </span>}
          {counts.stale > 0 && `${ofActivity.staleOf(counts.stale)} · `}
          {ofActivity.formulasOf(calls.length)}
        </span>
      </FoldLine>
      {isOpen && (
        <>
          {sheet === null && <Hint>{ofActivity.elsewhereHint}</Hint>}
          {/* biome-ignore lint/a11y/noRedundantRoles: without list markers VoiceOver takes it for no list */}
          <ul className={styles.list} role="list">
            {calls.slice(0, shown).map((each) => (
              <FormulaLine key={toKey(each.call)} live={each} snapshot={snapshot} />
            ))}
          </ul>
          {left > 0 && (
            <Button size="small" appearance="subtle" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
              {ofActivity.showMore(Math.min(left, SHOWN_AT_ONCE))}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

const keys = new WeakMap<object, number>();
let lastKey = 0;

/** A key that survives a change of state, which moves the formula in the list. */
function toKey(call: object): number {
  const known = keys.get(call);
  if (known !== undefined) return known;
  keys.set(call, ++lastKey);
  return lastKey;
}
