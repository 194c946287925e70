import { Body1, Button } from "@fluentui/react-components";
import { CellNotes } from "../../taskpane/changes/CellNotes";
import { namePlaces } from "../../taskpane/commands/freezing";
import { Hint, Progress, Row, Stack, useLook } from "../../taskpane/layout";
import { usePane } from "../../taskpane/pane";
import { FindingList } from "./Findings";
import { type CheckedWorkbook, type CheckState, useCheck, useDismissals } from "./use-check";
import { toCheckTexts } from "./wording";

/** The check of the model: it begins when this opens, and its findings follow edits. */
export function Check() {
  const words = toCheckTexts(usePane().texts);
  const { state, run, recheck, cancel } = useCheck();
  const isDone = state.status === "done";
  return (
    <Stack className={useLook().wide}>
      <div role="status">
        {state.status === "cancelled" && <Body1>{words.cancelled}</Body1>}
        {state.status === "failed" && <Body1>{state.text}</Body1>}
        {isDone && <Outcome checked={state.checked} />}
      </div>
      {state.status === "running" && (
        <Progress label={words.reading} share={toShare(state)} cancel={cancel} cancelText={words.cancel}>
          {state.done === null ? words.reading : words.progress(state.done, state.all)}
        </Progress>
      )}
      {isDone && state.checked.findings.length > 0 && <FindingList checked={state.checked} recheck={recheck} />}
      {state.status !== "running" && (
        <Row>
          <Button size="small" onClick={run}>
            {words.again}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

const toShare = ({ done, all }: Extract<CheckState, { status: "running" }>) => (done === null ? 0 : done / all);

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
