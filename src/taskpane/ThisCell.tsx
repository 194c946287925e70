import { Button, Caption1, makeStyles, mergeClasses, Spinner, tokens } from "@fluentui/react-components";
import { type RefObject, useId, useRef } from "react";
import type { FrozenCell } from "../contract/workbook";
import { ArgumentOrder } from "./ArgumentOrder";
import { isPassed, mayRefreshMend, needsCorrection } from "./activity/formula-state";
import { toLabel } from "./activity/live-calls";
import { type Snapshot, useSnapshot } from "./activity/snapshot";
import { showPlace } from "./addresses";
import { isCut, showsTable } from "./cells";
import { CellNotes } from "./changes/CellNotes";
import { refresh } from "./commands/refresh";
import { Fold } from "./Fold";
import { type Failing, toFixes, toWhy } from "./fix";
import { readShownFormula } from "./formula-text";
import { Buttons, Heading, Hint, Row, Stack, useLook } from "./layout";
import { attempt, type Handoffs, isWorkbookError, toFaultText, useCopy, useHandoff, usePane } from "./pane";
import { Reason } from "./Reason";
import { toLocalFormula } from "./separators";
import { readLine } from "./this-cell/line";
import { type KnownQuery, listResolutions, readHiding, readProvenance } from "./this-cell/provenance";
import { QueryFacts } from "./this-cell/QueryFacts";
import { Resolved } from "./this-cell/Resolved";
import { type SelectedCell, type SelectedFormula, useFrozen, useSelectedCell } from "./this-cell/selected-formulas";

/** Where the selected cell's value comes from. */
export function ThisCell({ handoff }: { handoff?: Handoffs["cell"] | undefined }) {
  const { session, texts } = usePane();
  const part = useRef<HTMLDivElement>(null);
  const snapshot = useSnapshot(session, part);
  return (
    <div ref={part}>
      {snapshot === null ? (
        <Spinner size="small" aria-label={texts.running} />
      ) : (
        <CellOrigin snapshot={snapshot} handoff={handoff} />
      )}
    </div>
  );
}

const useStyles = makeStyles({
  place: { fontWeight: tokens.fontWeightRegular, color: tokens.colorNeutralForeground2, overflowWrap: "anywhere" },
  small: { fontSize: tokens.fontSizeBase200 },
});

/** Where the selected cell's value comes from, in a line; the queries and requests behind it are folded. */
function CellOrigin({ snapshot, handoff }: { snapshot: Snapshot; handoff: Handoffs["cell"] | undefined }) {
  const { ofProvenance } = usePane().texts;
  const styles = useStyles();
  const section = useRef<HTMLElement>(null);
  const id = useId();
  const cell = useSelectedCell(section);
  useHandoff(handoff, () => section.current?.focus());
  return (
    <Stack as="section" gap="XS" ref={section} tabIndex={-1} aria-labelledby={id} className={useLook().target}>
      <Heading id={id} isSmall>
        {ofProvenance.title} {cell !== null && <span className={styles.place}>{showPlace(cell.place)}</span>}
      </Heading>
      {cell !== null && <CellNotes notes={cell.notes} />}
      {(cell === null || cell.formulas.length + cell.notes.dead.length === 0) && <Empty cell={cell} />}
      {cell?.formulas.map((formula, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell's formulas have no other key
        <Formula key={index} formula={formula} snapshot={snapshot} />
      ))}
    </Stack>
  );
}

/** Advice for a cell without provenance. */
function Empty({ cell }: { cell: SelectedCell | null }) {
  const { texts } = usePane();
  const { ofProvenance, running } = texts;
  const frozen = useFrozen(cell);
  if (frozen instanceof Error || isWorkbookError(frozen)) return <Hint>{toFaultText(frozen, texts)}</Hint>;
  if (frozen) return <Frozen cell={frozen} />;
  if (cell !== null && frozen === undefined) return <Spinner size="tiny" aria-label={running} />;
  if (cell === null) return <Hint>{ofProvenance.empty}</Hint>;
  const place = showPlace(cell.place);
  if (cell.unknown.length === 0) return <Hint>{ofProvenance.none(place)}</Hint>;
  return <ArgumentOrder calls={cell.unknown} otherwise={<Hint>{ofProvenance.unknown(place)}</Hint>} />;
}

/** What a frozen cell asked for, and the way back. */
function Frozen({ cell: { formula, frozenAtMs, isAsFrozen } }: { cell: FrozenCell }) {
  const { texts, run } = usePane();
  const { frozen, frozenChanged } = texts.ofProvenance;
  const date =
    frozenAtMs === undefined ? null : new Date(frozenAtMs).toLocaleDateString(texts.language, { dateStyle: "medium" });
  return (
    <>
      <div className={useLook().breaking}>{frozen(date, toLocalFormula(formula))}</div>
      {!isAsFrozen && <Hint block>{frozenChanged}</Hint>}
      <Button size="small" className={useLook().atStart} onClick={() => run("thaw")}>
        {texts.ofCommands.commands.thaw}
      </Button>
    </>
  );
}

interface FormulaProps {
  formula: SelectedFormula;
  snapshot: Snapshot;
}

/** More would push the sections below out of sight. */
const MOST_QUERIES = 5;

function Formula({ formula, snapshot }: FormulaProps) {
  const pane = usePane();
  const { session, texts } = pane;
  const { ofProvenance } = texts;
  const styles = useStyles();
  const { call, cell } = formula;
  const provenance = readProvenance(formula, session, snapshot);
  const { error, queries } = provenance;
  const failed = queries.flatMap(({ state }) => (state.status === "failed" ? [state.error] : []));
  const reason = error ?? failed[0] ?? null;
  const hiddenBy = reason === null ? readHiding(formula, snapshot) : null;
  const failing = { call, place: cell, formula: cell.formula, error: reason, hiddenBy };
  const known = error === null && queries.length === 1 ? (queries[0] ?? null) : null;
  const line = readLine(provenance, call.given.unit, pane);
  const resolutions = listResolutions(queries, session);
  const text = useRef<HTMLDivElement>(null);
  return (
    <Stack gap="XS">
      {line !== null && <div ref={text}>{line}</div>}
      {known !== null && <AnswerNotes known={known} />}
      {resolutions.map((resolution) => (
        <Resolved key={resolution.name} resolution={resolution} />
      ))}
      {queries.length > 1 && <Hint block>{ofProvenance.several(queries.length)}</Hint>}
      <Position formula={formula} />
      {formula.at === null && !isCut(formula) && <Hint block>{ofProvenance.isPart}</Hint>}
      {cell.expanded !== undefined && (
        <Hint block>{ofProvenance.expanded(toLocalFormula(readShownFormula(cell.expanded, null) ?? ""))}</Hint>
      )}
      {reason !== null && (
        <div className={styles.small}>
          {isPassed(call, reason) ? toWhy(failing, pane) : <Reason error={reason} hasFixes />}
          {needsCorrection(reason) && <ArgumentOrder calls={[call]} />}
        </div>
      )}
      {hiddenBy !== null && (
        <div className={styles.small}>
          {hiddenBy} {toWhy(failing, pane)}
        </div>
      )}
      <Actions
        formula={formula}
        failing={reason === null && hiddenBy === null ? null : failing}
        isResolved={resolutions.length > 0}
        line={line}
        text={text}
      />
      <Diagnostics formula={formula} queries={queries} snapshot={snapshot} />
    </Stack>
  );
}

/** The cell's position in the table of its formula. */
function Position({ formula: { call, cell, at } }: Pick<FormulaProps, "formula">) {
  const { ofProvenance } = usePane().texts;
  if (at === null || !showsTable(call)) return null;
  return <Hint block>{ofProvenance.within(at.row + 1, at.column + 1, cell.address)}</Hint>;
}

interface ActionsProps extends Pick<FormulaProps, "formula"> {
  /** Null where it shows its value. */
  failing: Failing | null;
  /** Whether what its names mean is shown, with a button that chooses another company. */
  isResolved: boolean;
  /** The value's origin, to copy; null where it is not known. */
  line: string | null;
  /** The element that shows it. */
  text: RefObject<HTMLElement | null>;
}

/** Opens the formula in Build, refetches its queries alone, or copies its line. */
function Actions({ formula: { call, cell }, failing, isResolved, line, text }: ActionsProps) {
  const pane = usePane();
  const copy = useCopy();
  const { ofProvenance, ofPicker } = pane.texts;
  const { formula, sheet, address } = cell;
  const others = [ofProvenance.refresh, ...(isResolved ? [ofPicker.chooseInFind] : [])];
  const fixes = failing === null ? [] : toFixes(failing, pane);
  return (
    <Row>
      <Buttons actions={fixes.filter(({ label }) => !others.includes(label))} />
      <Button size="small" onClick={() => pane.open("build", { formula, place: { sheet, address } })}>
        {ofProvenance.edit(address)}
      </Button>
      {call.queries.length > 0 && (showsTable(call) || mayRefreshMend(failing?.error)) && (
        <Button size="small" onClick={() => void attempt(pane, (desk) => refresh(desk, { calls: [call] }))}>
          {ofProvenance.refresh}
        </Button>
      )}
      {line !== null && (
        <Button size="small" onClick={() => void copy(line, text.current)}>
          {pane.texts.ofActivity.copy}
        </Button>
      )}
    </Row>
  );
}

interface DiagnosticsProps extends FormulaProps {
  queries: readonly KnownQuery[];
}

/** The formula's queries with their requests and answers, in the terms of the API. */
function Diagnostics({ formula: { call }, queries, snapshot }: DiagnosticsProps) {
  const { ofProvenance, ofSettings } = usePane().texts;
  const styles = useStyles();
  const left = queries.length - MOST_QUERIES;
  return (
    <Fold isPlain title={ofSettings.diagnostics}>
      <Stack gap="XS">
        <div className={mergeClasses(styles.small, useLook().breaking)}>
          <strong>{call.name}</strong> {toLabel(call)}
        </div>
        {queries.slice(0, MOST_QUERIES).map((known) => (
          <QueryFacts key={JSON.stringify(known.query.key)} known={known} snapshot={snapshot} />
        ))}
        {left > 0 && <Caption1>{ofProvenance.more(left)}</Caption1>}
      </Stack>
    </Fold>
  );
}

/** What else is known of an answer: how far it is, and the cells that share it. */
export function AnswerNotes({ known }: { known: KnownQuery }) {
  const { ofActivity, ofProvenance } = usePane().texts;
  const { state, shared } = known;
  const progress = state.status === "pending" ? state.progress : undefined;
  return (
    <>
      {state.status === "pending" && <Caption1 block>{ofProvenance.pending}</Caption1>}
      {progress && <Caption1 block>{ofActivity.progress(progress.rows.length, progress.expected)}</Caption1>}
      {shared > 0 && <Hint block>{ofProvenance.alsoFrom(shared)}</Hint>}
      {state.status === "answered" && state.error !== null && (
        <div>
          {ofProvenance.notRefreshed}
          <Reason error={state.error} />
        </div>
      )}
    </>
  );
}
