import { Button, Input, Link, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { Dismissal } from "../../session/settings";
import { showPlace } from "../addresses";
import { attempt } from "../commands/desk";
import { usePane } from "../pane";
import type { Evidence, Finding } from "./finding";
import { useMend } from "./mending";
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
  reason: { flex: "1 1 100%" },
});

interface FindingLineProps {
  finding: Finding;
  /** Where it is dismissed; default not. */
  dismissal?: Dismissal | undefined;
  dismiss?: (reason: string) => void;
  restore?: () => void;
}

/** A finding: its cell, what is wrong, the facts of both cells, and what can be done. */
export function FindingLine({ finding, dismissal, dismiss, restore }: FindingLineProps) {
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
      <Actions finding={finding} dismiss={dismiss} restore={restore} />
    </div>
  );
}

/** Selects a cell. */
function Go({ place }: { place: Finding["place"] }) {
  const pane = usePane();
  const styles = useStyles();
  const go = () => void attempt(pane, ({ workbook }) => workbook.show(place));
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

function Actions({ finding, dismiss, restore }: Omit<FindingLineProps, "dismissal">) {
  const words = toCheckTexts(usePane().texts);
  const styles = useStyles();
  const mend = useMend();
  const [reason, setReason] = useState<string | null>(null);
  const { fix } = finding;
  if (reason !== null && dismiss !== undefined) {
    return (
      <form
        className={styles.actions}
        onSubmit={(event) => {
          event.preventDefault();
          dismiss(reason);
        }}
      >
        <Input
          size="small"
          className={styles.reason}
          aria-label={words.reason}
          placeholder={words.reason}
          value={reason}
          onChange={(_, { value }) => setReason(value)}
        />
        <Button size="small" type="submit">
          {words.keep}
        </Button>
        <Button size="small" onClick={() => setReason(null)}>
          {words.back}
        </Button>
      </form>
    );
  }
  return (
    <div className={styles.actions}>
      {fix !== null && restore === undefined && (
        <Button size="small" title={words.fixTitle(showPlace(fix.place), fix.formula)} onClick={() => void mend(fix)}>
          {words.fix}
        </Button>
      )}
      {dismiss !== undefined && (
        <Button size="small" onClick={() => setReason("")}>
          {words.dismiss}
        </Button>
      )}
      {restore !== undefined && (
        <Button size="small" onClick={restore}>
          {words.restore}
        </Button>
      )}
    </div>
  );
}
