import { Button, Caption1, Link, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import type { Place } from "../../contract/workbook";
import { countRows, type LiveCall, toLabel } from "../activity/live-calls";
import { RequestList } from "../activity/RequestList";
import type { Snapshot } from "../activity/snapshot";
import { showPlace } from "../addresses";
import { FixButtons } from "../FixButtons";
import { FoldLine } from "../Fold";
import { type Fix, toFixes } from "../fix";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { useVisit } from "./visit";

const useStyles = makeStyles({
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
export function FormulaLine({ live, snapshot, isOpen, toggle }: FormulaLineProps) {
  const { session, texts } = usePane();
  const { ofActivity, ofBuild } = texts;
  const styles = useStyles();
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
export function Jump({ name, place, isLong = false }: { name: string; place: Place; isLong?: boolean }) {
  const { ofActivity } = usePane().texts;
  const styles = useStyles();
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
export function FormulaActions({ live: { call, place }, fixes }: { live: LiveCall; fixes: readonly Fix[] }) {
  const styles = useStyles();
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
