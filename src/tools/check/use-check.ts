import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { toFaultText } from "../../taskpane/insert";
import { usePane } from "../../taskpane/pane";
import { type CheckedWorkbook, runCheck } from "./run-check";
import { CheckCancelled, type CheckThread, createCheckThread } from "./thread";

/** A check under way, or its result. */
export type CheckState =
  /** `done` is null while the workbook is read. */
  | { status: "running"; done: number | null; all: number }
  | { status: "cancelled" }
  | { status: "failed"; text: string }
  | { status: "done"; checked: CheckedWorkbook };

/** After an edit, so much time passes for each that the check took: it uses a twentieth of the page's time. */
const REST_PER_WORK = 19;
const SOONEST_MS = 1_000;

interface RunningCheck {
  state: CheckState;
  run: () => void;
  /** Checks without a sign of it, while the last result shows. */
  recheck: () => void;
  cancel: () => void;
}

/** Checks the workbook at once, and again some time after each edit. */
export function useCheck(): RunningCheck {
  const { session, workbook, texts } = usePane();
  const [state, setState] = useState<CheckState>({ status: "running", done: null, all: 0 });
  const thread = useRef<CheckThread>(null);
  const tookMs = useRef(0);
  const sequence = useRef(0);
  const isEdited = useRef(false);
  const run = useCallback(
    async (isSilent = false) => {
      const own = ++sequence.current;
      const show = (next: CheckState) => own === sequence.current && setState(next);
      thread.current ??= createCheckThread(() => new Worker(`${session.companionUrl}/check.js`));
      isEdited.current = false;
      if (!isSilent) show({ status: "running", done: null, all: 0 });
      const beganMs = performance.now();
      const notify = (done: number, all: number) => void (isSilent || show({ status: "running", done, all }));
      try {
        const checked = await runCheck(workbook, session, texts, thread.current, notify);
        startTransition(() => void show({ status: "done", checked })); // its list is drawn in slices
      } catch (error) {
        if (error instanceof CheckCancelled) show({ status: "cancelled" });
        else if (!isSilent) show({ status: "failed", text: toFaultText(error, texts) });
      }
      tookMs.current = performance.now() - beganMs;
    },
    [session, workbook, texts],
  );
  const cancel = useCallback(() => {
    sequence.current++;
    thread.current?.cancel();
    setState({ status: "cancelled" });
  }, []);
  useEffect(() => {
    void run();
    return () => {
      sequence.current++;
      thread.current?.cancel();
    };
  }, [run]);
  const isDone = state.status === "done";
  const callOff = useRef(() => {});
  const wait = useEffectEvent(() => {
    callOff.current();
    const restMs = Math.max(SOONEST_MS, tookMs.current * REST_PER_WORK);
    callOff.current = session.ports.after(restMs, () => void run(true));
  });
  const onEdit = useEffectEvent(() => {
    isEdited.current = true; // an edit while a check runs may come after its cell was read
    if (isDone) wait();
  });
  useEffect(() => workbook.onEdit(() => onEdit()), [workbook]);
  useEffect(() => {
    if (isDone && isEdited.current) wait();
    return () => callOff.current();
  }, [isDone]);
  return { state, run: () => void run(), recheck: () => void run(true), cancel };
}
