import { makeStyles, tokens } from "@fluentui/react-components";
import { FeedError } from "../../client/errors";
import { type LiveCall, toLabel } from "../activity/live-calls";
import type { Snapshot } from "../activity/snapshot";
import { toFixes, toWhy } from "../fix";
import { LongList } from "../LongList";
import { Heading } from "../layout";
import { usePane } from "../pane";
import { FormulaActions, Jump } from "./FormulaLine";

const useStyles = makeStyles({
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
const LINE_HEIGHT = 96;

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
      <LongList label={title} items={wrong} toKey={readKey} rowHeight={LINE_HEIGHT}>
        {(live) => <Line live={live} />}
      </LongList>
    </section>
  );
}

/** What support needs of the provider's refusal. */
const toFacts = (error: unknown): { code?: string; traceId?: string | undefined } =>
  error instanceof FeedError ? { code: error.code, traceId: error.facts.traceId } : {};

const readKey = ({ key }: LiveCall) => key;

function Line({ live }: { live: LiveCall }) {
  const pane = usePane();
  const styles = useStyles();
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
