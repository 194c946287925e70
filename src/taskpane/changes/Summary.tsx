import { Body1, Button, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { Snapshot } from "../activity/snapshot";
import { refresh } from "../commands/refresh";
import { toFormulaText } from "../formula-text";
import { attempt, usePane } from "../pane";
import { toLocalFormula } from "../separators";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  summary: { display: "grid", rowGap: tokens.spacingVerticalXS, justifyItems: "start" },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** An example that needs no company. */
const toExample = () => toLocalFormula(toFormulaText({ name: "RANKING", given: [{ kind: "text", value: "-7d" }] }));

/** The state of all formulas in a sentence, then the possible actions. */
export function Summary({ snapshot }: { snapshot: Snapshot }) {
  const { texts, open } = usePane();
  const { ofActivity } = texts;
  const styles = useStyles();
  const { calls, isConnected, oldestAsOfMs, nowMs, counts } = snapshot;
  return (
    <div className={styles.summary}>
      <Body1>{toSentence(snapshot, texts)}</Body1>
      {oldestAsOfMs !== null && <Body1 className={styles.quiet}>{ofActivity.asOf(nowMs - oldestAsOfMs)}</Body1>}
      {calls.length === 0 && (
        <Button size="small" onClick={() => open("build")}>
          {ofActivity.build}
        </Button>
      )}
      {isConnected && counts.failed + counts.stale > 0 && <Retry snapshot={snapshot} />}
    </div>
  );
}

/** How many formulas are in which state, by what their cells show. */
function toSentence({ calls, counts }: Snapshot, { ofActivity }: Texts): string {
  const all = calls.length;
  if (all === 0) return ofActivity.none(toExample());
  if (counts.answered === all) return ofActivity.answered(all);
  const numbers = { ...counts, waiting: counts.asking };
  const states = STATES.filter((state) => numbers[state] > 0).map((state) => ofActivity.of[state](numbers[state]));
  return ofActivity.summary(all, states);
}

const STATES = ["answered", "waiting", "stale", "failed", "wrong"] as const;

/** Refreshes the failed formulas alone; those to correct would fail again. */
function Retry({ snapshot: { calls, counts } }: { snapshot: Snapshot }) {
  const pane = usePane();
  const { session, texts } = pane;
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const retry = () => {
    const failed = calls.filter(({ state }) => state === "failed" || state === "stale");
    void attempt(pane, () => refresh(pane, { calls: [...new Set(failed.map(({ call }) => call))] }));
  };
  return (
    <Button
      size="small"
      disabledFocusable={isRunning}
      icon={isRunning ? <Spinner size="extra-tiny" /> : undefined}
      onClick={retry}
    >
      {texts.ofActivity.retryFailed(counts.failed + counts.stale)}
    </Button>
  );
}
