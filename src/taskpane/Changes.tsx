import { Body1, Button, makeStyles, mergeClasses, Spinner } from "@fluentui/react-components";
import { useRef, useState, useSyncExternalStore } from "react";
import { TOOLS } from "../tools";
import { mayRefreshMend } from "./activity/formula-state";
import { type Snapshot, useSnapshot } from "./activity/snapshot";
import { CellNotes } from "./changes/CellNotes";
import { Attention, Formulas } from "./changes/Formulas";
import { LastRefresh } from "./changes/LastRefresh";
import { refresh } from "./commands/refresh";
import { toFormulaText } from "./formula-text";
import { BusyButton, Heading, Hint, Stack, useLook } from "./layout";
import { attempt, type Handoffs, useHandoff, usePane } from "./pane";
import { ScriptPart } from "./pane/ScriptPart";
import { toLocalFormula } from "./separators";
import type { Texts } from "./texts";
import type { ChangesTool } from "./tool";

/** What the last refresh changed, and the live formulas with their states. */
export function Changes({ handoff }: { handoff?: Handoffs["changes"] | undefined }) {
  const { session, workbook, texts } = usePane();
  const part = useRef<HTMLDivElement>(null);
  const snapshot = useSnapshot(session, part, workbook);
  return (
    <Stack ref={part} gap="L">
      {snapshot === null ? (
        <Spinner size="small" aria-label={texts.running} />
      ) : (
        <>
          <LastRefresh snapshot={snapshot} />
          <Summary snapshot={snapshot} />
          <Attention snapshot={snapshot} />
          <CellNotes notes={snapshot.notes} />
          <Formulas snapshot={snapshot} />
        </>
      )}
      {TOOLS.changes.map((tool) => (
        <ToolSection key={tool.id} tool={tool} handoff={handoff} />
      ))}
    </Stack>
  );
}

/** An example that needs no company. */
const toExample = () => toLocalFormula(toFormulaText({ name: "RANKING", given: [{ kind: "text", value: "-7d" }] }));

/** The state of all formulas in a sentence, then the possible actions. */
function Summary({ snapshot }: { snapshot: Snapshot }) {
  const { texts, open } = usePane();
  const { ofActivity } = texts;
  const look = useLook();
  const { calls, isConnected, oldestAsOfMs, nowMs } = snapshot;
  return (
    <Stack gap="XS" isAtStart>
      <Body1>{toSentence(snapshot, texts)}</Body1>
      {oldestAsOfMs !== null && <Body1 className={look.muted}>{ofActivity.asOf(nowMs - oldestAsOfMs)}</Body1>}
      {calls.length === 0 && (
        <Button size="small" onClick={() => open("build")}>
          {ofActivity.build}
        </Button>
      )}
      {isConnected && <Retry calls={calls} />}
    </Stack>
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

/** Refreshes the failed formulas alone, but those that would fail again. */
function Retry({ calls }: Pick<Snapshot, "calls">) {
  const pane = usePane();
  const { session, texts } = pane;
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const failed = calls.filter(({ state, error }) => (state === "failed" || state === "stale") && mayRefreshMend(error));
  const retry = () => void attempt(pane, () => refresh(pane, { calls: [...new Set(failed.map(({ call }) => call))] }));
  if (failed.length === 0) return null;
  return (
    <BusyButton size="small" isBusy={isRunning} onClick={retry}>
      {texts.ofActivity.retryFailed(failed.length)}
    </BusyButton>
  );
}

const useStyles = makeStyles({ tool: { "& > *": { minWidth: 0, maxWidth: "100%" } } });

/** A tool, whose script loads when somebody wants it. */
function ToolSection({ tool, handoff }: { tool: ChangesTool; handoff: Handoffs["changes"] | undefined }) {
  const { language } = usePane().texts;
  const look = mergeClasses(useStyles().tool, useLook().target);
  const section = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  useHandoff(handoff?.about === tool.id ? handoff : undefined, () => {
    section.current?.scrollIntoView?.();
    section.current?.focus();
    setOpen(true);
  });
  const title = tool.title[language];
  return (
    <Stack as="section" ref={section} tabIndex={-1} gap="XS" isAtStart className={look} aria-label={title}>
      <Heading isSmall>{title}</Heading>
      {isOpen ? (
        <ScriptPart script={tool.script} name={title}>
          {(Tool) => <Tool />}
        </ScriptPart>
      ) : (
        <>
          <Hint>{tool.hint[language]}</Hint>
          <Button size="small" onClick={() => setOpen(true)}>
            {tool.begin[language]}
          </Button>
        </>
      )}
    </Stack>
  );
}
