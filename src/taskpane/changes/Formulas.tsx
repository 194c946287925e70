import { Button, Caption1, Link, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { FeedError } from "../../client/errors";
import type { Place } from "../../contract/workbook";
import type { Call } from "../../session/calls";
import { countRows, type LiveCall, type SheetCalls, toLabel } from "../activity/live-calls";
import { RequestList } from "../activity/RequestList";
import type { Snapshot } from "../activity/snapshot";
import { showPlace } from "../addresses";
import { namePlaces } from "../commands/freezing";
import { FixButtons } from "../FixButtons";
import { FoldLine } from "../Fold";
import { type Fix, toFixes, toWhy } from "../fix";
import { FoldedList, LongList } from "../LongList";
import { Heading, Hint } from "../layout";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { useVisit } from "./visit";

const useSheetStyles = makeStyles({ failed: { color: tokens.colorStatusDangerForeground3 } });

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
  const styles = useSheetStyles();
  const { sheet, calls, counts } = group;
  const { unknown } = snapshot.notes;
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
      hint={sheet === null && <Hint>{ofActivity.elsewhereHint(namePlaces(unknown)[0])}</Hint>}
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

const useLineStyles = makeStyles({
  line: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) auto",
    columnGap: tokens.spacingHorizontalXS,
    alignItems: "baseline",
  },
  words: { display: "grid", minWidth: 0, lineHeight: tokens.lineHeightBase200 },
  name: { fontSize: tokens.fontSizeBase200, fontWeight: tokens.fontWeightSemibold },
  label: {
    overflow: "hidden",
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  state: {
    marginInlineStart: "auto",
    whiteSpace: "nowrap",
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
  failed: { color: tokens.colorStatusDangerForeground3 },
  stale: { color: tokens.colorStatusWarningForeground1 },
  cell: {
    minWidth: "3em",
    textAlign: "end",
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: "tabular-nums",
  },
  actions: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalXS },
  details: { gridColumn: "1 / -1", padding: `0 0 ${tokens.spacingVerticalS} 16px`, fontSize: tokens.fontSizeBase200 },
});

interface DetailsProps {
  live: LiveCall;
  snapshot: Snapshot;
}

interface FormulaLineProps extends DetailsProps {
  isOpen: boolean;
  toggle: () => void;
}

/** A formula with its state; it unfolds to the reason and the requests. */
function FormulaLine({ live, snapshot, isOpen, toggle }: FormulaLineProps) {
  const { session, texts } = usePane();
  const { ofActivity, ofBuild } = texts;
  const styles = useLineStyles();
  const { call, place, state, asOfMs } = live;
  const label = toLabel(call);
  const { rows, expected } = countRows(call.queries, session.feed.queryCache);
  const stateText = rows > 0 ? ofBuild.progress(rows, expected) : ofActivity.states[state];
  const age = asOfMs === null ? "" : ofActivity.ago(snapshot.nowMs - asOfMs);
  const look = mergeClasses(styles.state, state === "failed" && styles.failed, state === "stale" && styles.stale);
  return (
    <div className={styles.line}>
      <FoldLine isOpen={isOpen} toggle={toggle}>
        <span className={styles.words}>
          <span className={styles.name}>{call.name}</span>{" "}
          <span className={styles.label} title={label}>
            {label}
          </span>
        </span>{" "}
        <span className={look}>{state === "answered" && age !== "" ? age : stateText}</span>
      </FoldLine>
      {place !== null && <Jump name={call.name} place={place} />}
      {isOpen && (
        <div className={styles.details}>
          <Details live={live} snapshot={snapshot} />
        </div>
      )}
    </div>
  );
}

/** Selects the cell. @param isLong whether it names the sheet too; default no */
function Jump({ name, place, isLong = false }: { name: string; place: Place; isLong?: boolean }) {
  const { ofActivity } = usePane().texts;
  const styles = useLineStyles();
  const visit = useVisit();
  return (
    <Link
      as="button"
      className={styles.cell}
      title={ofActivity.goTo(showPlace(place))}
      onClick={() => void visit(name, place)}
    >
      {isLong ? showPlace(place) : place.address}
    </Link>
  );
}

/** Opens the formula under Build. */
function Edit({ name, place }: { name: string; place: Place }) {
  const { open, texts } = usePane();
  const visit = useVisit();
  const edit = async () => {
    const formula = await visit(name, place);
    if (formula !== null) open("build", { formula, place });
  };
  return (
    <Button size="small" onClick={() => void edit()}>
      {texts.ofActivity.edit(place.address)}
    </Button>
  );
}

/** The fixes of a formula, and its way into Build. */
function FormulaActions({ live: { call, place }, fixes }: { live: LiveCall; fixes: readonly Fix[] }) {
  const styles = useLineStyles();
  return (
    <div className={styles.actions}>
      <FixButtons fixes={fixes} />
      {place !== null && <Edit name={call.name} place={place} />}
    </div>
  );
}

function Details({ live, snapshot }: DetailsProps) {
  const pane = usePane();
  const { ofActivity } = pane.texts;
  const { error, requests, call } = live;
  const fixes = error === null ? [] : toFixes(live, pane);
  const known = snapshot.requests.filter(({ number }) => requests.includes(number));
  return (
    <>
      {error !== null && <Reason error={error} hasFixes />}
      <FormulaActions live={live} fixes={fixes} />
      {call.queries.length === 0 ? (
        <Caption1 block>{ofActivity.noQueries}</Caption1>
      ) : (
        <>
          <Caption1 block>{ofActivity.behind}</Caption1>
          {known.length === 0 ? (
            <Caption1 block>{ofActivity.noneBehind}</Caption1>
          ) : (
            <RequestList requests={known} served={snapshot.served} />
          )}
        </>
      )}
    </>
  );
}

const useWrongStyles = makeStyles({
  line: {
    display: "grid",
    rowGap: tokens.spacingVerticalXXS,
    padding: `${tokens.spacingVerticalXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  head: { display: "flex", alignItems: "baseline", columnGap: tokens.spacingHorizontalXS, minWidth: 0 },
  name: { fontWeight: tokens.fontWeightSemibold },
  label: {
    flex: "1 1 0",
    minWidth: 0,
    overflow: "hidden",
    color: tokens.colorNeutralForeground2,
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  code: { color: tokens.colorStatusDangerForeground3, whiteSpace: "nowrap" },
  why: { overflowWrap: "anywhere", "::first-letter": { textTransform: "uppercase" } },
  trace: { color: tokens.colorNeutralForeground3, overflowWrap: "anywhere" },
});

/** Of a line with a reason of two rows, in pixels. */
const WRONG_HEIGHT = 96;

/** The formulas that only a person can mend, each with its cell, its reason and its fix; no refresh has failed by them. */
export function Attention({ snapshot: { wrong } }: { snapshot: Snapshot }) {
  const { ofActivity } = usePane().texts;
  if (wrong.length === 0) return null;
  const title = ofActivity.attention(wrong.length);
  return (
    <section>
      <Heading gap="XXS" isSmall>
        {title}
      </Heading>
      <LongList label={title} items={wrong} toKey={readKey} rowHeight={WRONG_HEIGHT}>
        {(live) => <WrongLine live={live} />}
      </LongList>
    </section>
  );
}

/** What support needs of the provider's refusal. */
const toFacts = (error: unknown): { code?: string; traceId?: string | undefined } =>
  error instanceof FeedError ? { code: error.code, traceId: error.facts.traceId } : {};

function WrongLine({ live }: { live: LiveCall }) {
  const pane = usePane();
  const styles = useWrongStyles();
  const { call, place, hiddenBy } = live;
  const label = toLabel(call);
  const { code, traceId } = toFacts(call.error);
  return (
    <div className={styles.line}>
      <div className={styles.head}>
        {place !== null && <Jump name={call.name} place={place} isLong />}
        <span className={styles.name}>{call.name}</span>
        <span className={styles.label} title={label}>
          {label}
        </span>
        {hiddenBy !== null && <span className={styles.code}>{hiddenBy}</span>}
      </div>
      <div className={styles.why}>{toWhy(live, pane)}</div>
      {traceId !== undefined && (
        <div className={styles.trace}>
          {code} · traceId {traceId}
        </div>
      )}
      <FormulaActions live={live} fixes={toFixes(live, pane)} />
    </div>
  );
}
