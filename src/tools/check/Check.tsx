import { Body1, Button, mergeClasses } from "@fluentui/react-components";
import { useRef } from "react";
import { namePlaces } from "../../taskpane/addresses";
import { CellNotes } from "../../taskpane/changes/CellNotes";
import { useStepsInSight } from "../../taskpane/focus";
import { Bar, Hint, Row, Stack, useLook } from "../../taskpane/layout";
import { usePane } from "../../taskpane/pane";
import { FindingList } from "./Findings";
import { type CheckedWorkbook, type CheckState, useCheck, useDismissals } from "./use-check";
import { toCheckTexts } from "./wording";

/** The check of the model: it begins when this opens, and its findings follow edits. */
export function Check() {
  const words = toCheckTexts(usePane().texts);
  const { state, run, recheck, cancel } = useCheck();
  const isRunning = state.status === "running";
  const look = useLook();
  const page = useRef<HTMLDivElement>(null);
  useStepsInSight(page, state.status);
  return (
    <Stack ref={page} tabIndex={-1} className={mergeClasses(look.wide, look.target)}>
      <div role="status">
        <Status state={state} />
      </div>
      {isRunning && <Bar aria-label={words.reading} value={state.done ?? 0} max={state.all} />}
      {state.status === "done" && state.checked.findings.length > 0 && (
        <FindingList checked={state.checked} recheck={recheck} />
      )}
      <Row>
        <Button size="small" onClick={isRunning ? cancel : run}>
          {isRunning ? words.cancel : words.again}
        </Button>
      </Row>
    </Stack>
  );
}

function Status({ state }: { state: CheckState }) {
  const words = toCheckTexts(usePane().texts);
  switch (state.status) {
    case "running":
      return <Body1>{state.done === null ? words.reading : words.progress(state.done, state.all)}</Body1>;
    case "cancelled":
      return <Body1>{words.cancelled}</Body1>;
    case "failed":
      return <Body1>{state.text}</Body1>;
    case "done":
      return <Outcome checked={state.checked} />;
  }
}

function Outcome({ checked }: { checked: CheckedWorkbook }) {
  const words = toCheckTexts(usePane().texts);
  const { list } = useDismissals();
  const { findings, formulas, figures, unchecked, notes } = checked;
  const { unknown } = notes;
  const dismissed = new Set(list.map(({ key }) => key));
  const open = findings.filter(({ key }) => !dismissed.has(key)).length;
  const nothing = findings.length > 0 ? words.allDismissed : words.clean(formulas, figures);
  const result = open > 0 ? words.found(open, formulas, figures) : nothing;
  return (
    <>
      <Body1 block>{figures === 0 && open === 0 ? words.noFormulas : result}</Body1>
      {unknown.length > 0 && <Hint block>{words.unknown(unknown.length, ...namePlaces(unknown))}</Hint>}
      <CellNotes notes={notes} />
      {unchecked > 0 && <Hint block>{words.unchecked(unchecked)}</Hint>}
    </>
  );
}
