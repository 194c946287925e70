import { Button, Caption1, Link, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { FeedError } from "../../client/errors";
import type { Place } from "../../contract/workbook";
import type { Call } from "../../session/calls";
import { ArgumentOrder } from "../ArgumentOrder";
import { needsCorrection } from "../activity/formula-state";
import { countRows, type LiveCall, type SheetCalls, toLabel } from "../activity/live-calls";
import { RequestList } from "../activity/RequestList";
import type { Snapshot } from "../activity/snapshot";
import { namePlaces, showPlace } from "../addresses";
import { FoldLine } from "../Fold";
import { toFixes, toWhy } from "../fix";
import { FoldedList, LongList } from "../LongList";
import { type Action, Buttons, Heading, Hint, Row, Stack, useLook } from "../layout";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { useVisit } from "./visit";

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
  const look = useLook();
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
          {counts.failed > 0 && <span className={look.bad}>{ofActivity.of.failed(counts.failed)} · </span>}
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
  words: { display: "grid", minWidth: 0 },
  state: { marginInlineStart: "auto", whiteSpace: "nowrap", fontSize: tokens.fontSizeBase200 },
  stale: { color: tokens.colorStatusWarningForeground1 },
  cell: { minWidth: "3em", textAlign: "end", fontSize: tokens.fontSizeBase200, fontVariantNumeric: "tabular-nums" },
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
  const { ofActivity } = texts;
  const styles = useLineStyles();
  const looks = useLook();
  const { call, place, state, asOfMs } = live;
  const label = toLabel(call);
  const { rows, expected } = countRows(call.queries, session.feed.queryCache);
  const stateText = rows > 0 ? ofActivity.progress(rows, expected) : ofActivity.states[state];
  const age = asOfMs === null ? "" : ofActivity.ago(snapshot.nowMs - asOfMs);
  const look = state === "failed" ? looks.bad : state === "stale" ? styles.stale : looks.muted;
  return (
    <div className={styles.line}>
      <FoldLine isOpen={isOpen} toggle={toggle}>
        <span className={mergeClasses(styles.words, looks.small)}>
          <span className={looks.strong}>{call.name}</span>{" "}
          <span className={mergeClasses(looks.cut, looks.second)} title={label}>
            {label}
          </span>
        </span>{" "}
        <span className={mergeClasses(styles.state, look)}>{state === "answered" && age !== "" ? age : stateText}</span>
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
function FormulaActions({ live: { call, place }, fixes }: { live: LiveCall; fixes: readonly Action[] }) {
  return (
    <Row gap="XS">
      <Buttons actions={fixes} />
      {place !== null && <Edit name={call.name} place={place} />}
    </Row>
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
  line: { padding: `${tokens.spacingVerticalXS} 0`, borderBottom: `1px solid ${tokens.colorNeutralStroke3}` },
  label: { flex: "1 1 0" },
  code: { whiteSpace: "nowrap" },
  why: { "::first-letter": { textTransform: "uppercase" } },
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
  const look = useLook();
  const { call, place, error, hiddenBy } = live;
  const label = toLabel(call);
  const { code, traceId } = toFacts(error);
  return (
    <Stack gap="XXS" className={mergeClasses(styles.line, look.small)}>
      <Row gap="XS" align="baseline" isOneLine>
        {place !== null && <Jump name={call.name} place={place} isLong />}
        <span className={look.strong}>{call.name}</span>
        <span className={mergeClasses(look.cut, look.second, styles.label)} title={label}>
          {label}
        </span>
        {hiddenBy !== null && <span className={mergeClasses(look.bad, styles.code)}>{hiddenBy}</span>}
      </Row>
      <div className={mergeClasses(look.breaking, styles.why)}>{toWhy(live, pane)}</div>
      {hiddenBy === null && needsCorrection(error) && <ArgumentOrder calls={[call]} />}
      {traceId !== undefined && (
        <div className={mergeClasses(look.muted, look.breaking)}>
          {code} · traceId {traceId}
        </div>
      )}
      <FormulaActions live={live} fixes={toFixes(live, pane)} />
    </Stack>
  );
}
