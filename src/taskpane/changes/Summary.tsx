import { Body1, Button, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { Snapshot } from "../activity/snapshot";
import { toFormulaText } from "../formula-text";
import { usePane } from "../pane";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  summary: { display: "grid", rowGap: tokens.spacingVerticalXS, justifyItems: "start" },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** An example that needs no company. */
const toExample = () => toFormulaText({ name: "RANKING", given: [{ kind: "text", value: "-7d" }] });

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

function toSentence({ calls, counts }: Snapshot, { ofActivity }: Texts): string {
  const all = calls.length;
  if (all === 0) return ofActivity.none(toExample());
  const pending = counts.asking + counts.partly;
  if (pending > 0) return ofActivity.pending(pending, all);
  if (counts.failed > 0) return ofActivity.failed(counts.failed, all);
  return counts.stale > 0 ? ofActivity.stale(counts.stale, all) : ofActivity.answered(all);
}

/** Refetches the failed formulas alone. */
function Retry({ snapshot: { calls, counts } }: { snapshot: Snapshot }) {
  const { session, texts, notify } = usePane();
  const { ofActivity } = texts;
  const [isRunning, setIsRunning] = useState(false);
  const retry = async () => {
    setIsRunning(true);
    const failed = calls.filter(({ state }) => state === "failed" || state === "stale");
    const { refetched, failures } = await session.refresh(failed.map(({ call }) => call));
    setIsRunning(false);
    if (refetched === 0) notify({ intent: "info", text: ofActivity.nothingToRetry });
    else {
      const text = ofActivity.retried(refetched, failures.length);
      notify({ intent: failures.length === 0 ? "success" : "warning", text });
    }
  };
  return (
    <Button
      size="small"
      disabledFocusable={isRunning}
      icon={isRunning ? <Spinner size="extra-tiny" /> : undefined}
      onClick={() => void retry()}
    >
      {ofActivity.retryFailed(counts.failed + counts.stale)}
    </Button>
  );
}
