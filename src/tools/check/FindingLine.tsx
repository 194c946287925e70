import { Link, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import type { Dismissal } from "../../session/settings";
import { showPlace } from "../../taskpane/addresses";
import { attempt } from "../../taskpane/commands/desk";
import { usePane } from "../../taskpane/pane";
import { useSeparators } from "../../taskpane/use-separators";
import { FindingActions } from "./FindingActions";
import type { Evidence, Finding, Fix } from "./finding";
import { goTo } from "./go-to";
import { toCheckTexts, toEvidenceLine, toSentence, toShown } from "./wording";

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
  change: { color: tokens.colorNeutralForeground2 },
});

interface FindingLineProps {
  finding: Finding;
  /** Where it is dismissed; default not. */
  dismissal?: Dismissal | undefined;
  dismiss?: (reason: string) => void;
  restore?: () => void;
  /** Checks again, once what it shows may have changed. */
  recheck: () => void;
}

/** A finding: its cell, what is wrong, the facts of both cells, and what can be done. */
export function FindingLine({ finding, dismissal, dismiss, restore, recheck }: FindingLineProps) {
  const { texts } = usePane();
  const words = toCheckTexts(texts);
  const styles = useStyles();
  const { rule, gravity, place, count, evidence, fix } = finding;
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
      {fix !== null && restore === undefined && <Change fix={fix} />}
      <FindingActions finding={finding} dismiss={dismiss} restore={restore} recheck={recheck} />
    </div>
  );
}

/** Selects a cell. */
function Go({ place }: { place: Finding["place"] }) {
  const pane = usePane();
  const styles = useStyles();
  const go = () => void attempt(pane, async () => void (await goTo(pane, place)));
  return (
    <Link as="button" className={styles.link} title={toCheckTexts(pane.texts).goTo(showPlace(place))} onClick={go}>
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

/** What the fix changes in its first cell: its formula, and its number where that is known. */
function Change({ fix }: { fix: Fix }) {
  const { texts } = usePane();
  const styles = useStyles();
  const { toLocalFormula } = useSeparators();
  const [cell] = fix.cells;
  if (cell === undefined) return null;
  const { before, formula, shown } = cell;
  return (
    <div className={styles.change}>
      {`${toLocalFormula(before.formula) || toShown(before.value, texts)} → ${toLocalFormula(formula)}`}
      {shown !== null && <div>{`${toShown(before.value, texts)} → ${toShown(shown, texts)}`}</div>}
    </div>
  );
}
