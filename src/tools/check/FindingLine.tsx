import { Button, Input, Link, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { WorkbookError } from "../../contract/workbook";
import type { Dismissal } from "../../session/settings";
import { showPlace } from "../../taskpane/addresses";
import { findCells } from "../../taskpane/cells";
import { refresh, refreshStale } from "../../taskpane/commands/refresh";
import { attempt, type Desk, usePane } from "../../taskpane/pane";
import type { Evidence, Finding, RuleId } from "./finding";
import { toCheckTexts, toEvidenceLine, toSentence } from "./wording";

const useStyles = makeStyles({
  line: {
    display: "grid",
    rowGap: tokens.spacingVerticalXXS,
    padding: `${tokens.spacingVerticalS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    overflowWrap: "anywhere",
  },
  head: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "baseline",
    columnGap: tokens.spacingHorizontalXS,
    minWidth: 0,
  },
  title: { fontWeight: tokens.fontWeightSemibold },
  error: { color: tokens.colorStatusDangerForeground3 },
  warning: { color: tokens.colorStatusWarningForeground3 },
  note: { color: tokens.colorNeutralForeground3 },
  link: { fontSize: "inherit", fontVariantNumeric: "tabular-nums" },
  facts: {
    display: "grid",
    rowGap: tokens.spacingVerticalXXS,
    margin: 0,
    padding: `0 0 0 ${tokens.spacingHorizontalS}`,
    listStyleType: "none",
    color: tokens.colorNeutralForeground2,
  },
  fact: { margin: 0 },
  actions: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalXS },
  whole: { flex: "1 1 100%" },
});

interface FindingLineProps {
  finding: Finding;
  /** Where it is dismissed; default not. */
  dismissal?: Dismissal | undefined;
  dismiss?: ((reason: string) => void) | undefined;
  restore?: (() => void) | undefined;
  /** Checks again, once what it shows may have changed. */
  recheck: () => void;
}

/** A finding: its cell, what is wrong, the facts of both cells, and what can be done. */
export function FindingLine({ finding, dismissal, dismiss, restore, recheck }: FindingLineProps) {
  const { texts } = usePane();
  const words = toCheckTexts(texts);
  const styles = useStyles();
  const { rule, gravity, place, count, evidence } = finding;
  return (
    <div className={styles.line}>
      <div className={styles.head}>
        <span className={mergeClasses(styles.title, styles[gravity])}>{words.gravities[gravity]}</span>
        <span className={styles.title}>{words.rules[rule].title}</span>
        <Go place={place} />
        {count > 1 && <span className={styles.note}>{words.cells(count)}</span>}
      </div>
      <div>{toSentence(finding, texts)}</div>
      {/* biome-ignore lint/a11y/noRedundantRoles: without list markers VoiceOver takes it for no list */}
      <ul className={styles.facts} role="list">
        {evidence.map((each) => (
          <Fact key={showPlace(each.place)} evidence={each} />
        ))}
      </ul>
      {dismissal !== undefined && <div>{dismissal.reason || words.noReason}</div>}
      <Actions {...{ finding, dismiss, restore, recheck }} />
    </div>
  );
}

/** Selects a cell. */
function Go({ place }: { place: Finding["place"] }) {
  const pane = usePane();
  const styles = useStyles();
  const words = toCheckTexts(pane.texts);
  const go = () =>
    void attempt(pane, async ({ workbook, notify }) => {
      try {
        await workbook.show(place);
      } catch (error) {
        if ((error as Partial<WorkbookError>).fault !== "refused") throw error;
        notify({ intent: "info", text: words.hidden(place.sheet) });
      }
    });
  return (
    <Link as="button" className={styles.link} title={words.goTo(showPlace(place))} onClick={go}>
      {showPlace(place)}
    </Link>
  );
}

function Fact({ evidence }: { evidence: Evidence }) {
  const { session, texts } = usePane();
  const styles = useStyles();
  return (
    <li className={styles.fact}>
      <Go place={evidence.place} /> {toEvidenceLine(evidence, texts, session.ports.nowMs())}
    </li>
  );
}

/** Rules whose finding may end once its figures are refreshed, which edits nothing. */
const REFRESHING: ReadonlySet<RuleId> = new Set(["twoValues", "staleBesideFresh"]);

/** Refreshes the formulas of a finding's cells; where an old one stands beside new ones, all that are stale. */
export async function refreshFigures(desk: Desk, { rule, evidence }: Finding): Promise<void> {
  const { session, workbook } = desk;
  const { pairs } = await findCells(workbook, session.calls.list(), "workbook");
  const places = new Set(evidence.map(({ place }) => showPlace(place)));
  const calls = [...new Set(pairs.filter(({ cell }) => places.has(showPlace(cell))).map(({ call }) => call))];
  if (rule === "staleBesideFresh" || calls.length === 0) await refreshStale(desk);
  else await refresh(desk, { calls });
}

/** What a person can do about a finding. */
function Actions({ finding, dismiss, restore, recheck }: FindingLineProps) {
  const pane = usePane();
  const words = toCheckTexts(pane.texts);
  const styles = useStyles();
  const [isAsking, setAsking] = useState(false);
  if (isAsking) return <ReasonForm dismiss={dismiss} back={() => setAsking(false)} />;
  const refreshBoth = () => void attempt(pane, () => refreshFigures(pane, finding)).then(recheck);
  return (
    <div className={styles.actions}>
      {restore !== undefined && <Action label={words.restore} act={restore} />}
      {restore === undefined && REFRESHING.has(finding.rule) && <Action label={words.refresh} act={refreshBoth} />}
      {dismiss !== undefined && <Action label={words.dismiss} act={() => setAsking(true)} />}
    </div>
  );
}

function Action({ label, act }: { label: string; act: () => void }) {
  return (
    <Button size="small" onClick={act}>
      {label}
    </Button>
  );
}

/** Asks why a finding is right as it is. */
function ReasonForm({ dismiss, back }: Pick<FindingLineProps, "dismiss"> & { back: () => void }) {
  const words = toCheckTexts(usePane().texts);
  const styles = useStyles();
  const [reason, setReason] = useState("");
  return (
    <form
      className={styles.actions}
      onSubmit={(event) => {
        event.preventDefault();
        dismiss?.(reason);
      }}
    >
      <Input
        size="small"
        className={styles.whole}
        aria-label={words.reason}
        placeholder={words.reason}
        value={reason}
        onChange={(_, { value }) => setReason(value)}
      />
      <Button size="small" type="submit">
        {words.keep}
      </Button>
      <Action label={words.back} act={back} />
    </form>
  );
}
