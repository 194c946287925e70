import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { useId, useRef } from "react";
import { showPlace } from "../addresses";
import { type Handoffs, useHandoff, usePane } from "../pane";
import { Reason } from "../Reason";
import { Heading, Hint } from "../typography";
import { toLabel } from "./live-calls";
import { QueryFacts } from "./provenance/QueryFacts";
import { readProvenance } from "./provenance/queries";
import { type SelectedCell, type SelectedFormula, useSelectedCell } from "./provenance/selected-formulas";
import type { Snapshot } from "./snapshot";

const useStyles = makeStyles({
  section: {
    display: "grid",
    rowGap: tokens.spacingVerticalXS,
    minWidth: 0,
    scrollMarginTop: "8em", // below the sticky head
    ":focus": { outline: "none" }, // it takes focus only for screen readers
  },
  place: { fontWeight: tokens.fontWeightRegular, color: tokens.colorNeutralForeground2, overflowWrap: "anywhere" },
  formula: { display: "grid", rowGap: tokens.spacingVerticalXS, minWidth: 0 },
  line: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "baseline",
    columnGap: tokens.spacingHorizontalS,
    minWidth: 0,
  },
  name: { fontSize: tokens.fontSizeBase200, fontWeight: tokens.fontWeightSemibold },
  label: { minWidth: 0, fontSize: tokens.fontSizeBase200, overflowWrap: "anywhere" },
  edit: { marginInlineStart: "auto" },
  reason: { fontSize: tokens.fontSizeBase200 },
});

/** The queries, answers and requests behind the selected cell's value. */
export function Provenance({ snapshot, handoff }: { snapshot: Snapshot; handoff: Handoffs["activity"] | undefined }) {
  const { ofProvenance } = usePane().texts;
  const styles = useStyles();
  const section = useRef<HTMLElement>(null);
  const id = useId();
  const cell = useSelectedCell(section);
  useHandoff(handoff, () => section.current?.focus());
  return (
    <section ref={section} tabIndex={-1} aria-labelledby={id} className={styles.section}>
      <Heading id={id} isSmall>
        {ofProvenance.title} {cell !== null && <span className={styles.place}>{showPlace(cell.place)}</span>}
      </Heading>
      {(cell === null || cell.formulas.length === 0) && <Empty cell={cell} />}
      {cell?.formulas.map((formula, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell's formulas have no other key
        <Formula key={index} formula={formula} snapshot={snapshot} />
      ))}
    </section>
  );
}

/** Advice for a cell without provenance. */
function Empty({ cell }: { cell: SelectedCell | null }) {
  const { ofProvenance } = usePane().texts;
  const notify = cell?.isUnknown ? ofProvenance.unknown : ofProvenance.none;
  return <Hint>{cell === null ? ofProvenance.empty : notify(showPlace(cell.place))}</Hint>;
}

interface FormulaProps {
  formula: SelectedFormula;
  snapshot: Snapshot;
}

/** More would push the sections below out of sight. */
const MOST_QUERIES = 5;

function Formula({ formula, snapshot }: FormulaProps) {
  const { session, texts } = usePane();
  const { ofProvenance } = texts;
  const styles = useStyles();
  const { error, queries } = readProvenance(formula, session, snapshot);
  const left = queries.length - MOST_QUERIES;
  const failed = queries.flatMap(({ state }) => (state.status === "failed" ? [state.error] : []));
  const reason = error ?? failed[0] ?? null;
  return (
    <div className={styles.formula}>
      <Line formula={formula} />
      {formula.at === null && <Hint>{ofProvenance.isPart}</Hint>}
      {reason !== null && (
        <div className={styles.reason}>
          <Reason error={reason} />
        </div>
      )}
      {queries.length > 1 && <Caption1>{ofProvenance.several(queries.length)}</Caption1>}
      {queries.slice(0, MOST_QUERIES).map((known) => (
        <QueryFacts key={JSON.stringify(known.query.key)} known={known} snapshot={snapshot} />
      ))}
      {left > 0 && <Caption1>{ofProvenance.more(left)}</Caption1>}
    </div>
  );
}

/** The formula, the cell's position in its table, and a button to edit it. */
function Line({ formula: { call, cell, at } }: Pick<FormulaProps, "formula">) {
  const { texts, open } = usePane();
  const { ofProvenance } = texts;
  const styles = useStyles();
  const { formula, sheet, address } = cell;
  const isTable = Array.isArray(call.shown) && (call.shown.length > 1 || call.shown[0]?.length > 1);
  return (
    <div className={styles.line}>
      <span className={styles.name}>{call.name}</span>
      <span className={styles.label}>{toLabel(call)}</span>
      {at !== null && isTable && <Hint>{ofProvenance.within(at.row + 1, at.column + 1, address)}</Hint>}
      <Button
        className={styles.edit}
        size="small"
        onClick={() => open("build", { formula, place: { sheet, address } })}
      >
        {ofProvenance.edit(address)}
      </Button>
    </div>
  );
}
