import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import type { Workbook, WorkbookError } from "../../contract/workbook";
import type { Session } from "../../session/session";
import type { Dismissal } from "../../session/settings";
import { showPlace } from "../../taskpane/addresses";
import type { CellNotes } from "../../taskpane/cells";
import { createNames } from "../../taskpane/company-search";
import { readNamespace } from "../../taskpane/formula-text";
import { attempt, toFaultText, usePane } from "../../taskpane/pane";
import type { Texts } from "../../taskpane/texts";
import type { Checked } from "./check";
import { readFacts } from "./facts";
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

/** Checks the workbook at once, and again some time after each edit. `recheck` shows the last result while it checks. */
export function useCheck() {
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

/** The part of a workbook that a check reads. */
type Reader = Pick<Workbook, "readContents" | "listSpilled" | "listFrozen">;

export interface CheckedWorkbook extends Checked {
  /** FEED cells with less than a person may think; `unknown` are those that could not be judged. */
  notes: CellNotes;
}

/**
 * Reads a workbook once and checks it in a worker; it sends no request to the provider. Where a sheet is gone by the end,
 * it begins again.
 *
 * @param notify called with the progress in rules
 * @throws WorkbookError; CheckCancelled
 */
export async function runCheck(...given: Parameters<typeof checkOnce>): Promise<CheckedWorkbook> {
  try {
    return await checkOnce(...given);
  } catch (error) {
    if ((error as Partial<WorkbookError>).fault !== "missing") throw error;
    return checkOnce(...given);
  }
}

async function checkOnce(
  workbook: Reader,
  session: Session,
  texts: Texts,
  thread: CheckThread,
  notify: (done: number, all: number) => void,
): Promise<CheckedWorkbook> {
  const contents = await workbook.readContents();
  const reading = readFacts(contents, session, createNames(session, texts));
  const facts = reading.then((read) => read.facts);
  const checked = await thread.check({ ...contents, namespace: readNamespace() }, facts, notify);
  const { notes } = await reading;
  return { ...(await withoutUntyped(checked, workbook)), notes };
}

/** A number that another cell's formula fills in, or that was frozen, was not typed, which only the host can tell. */
async function withoutUntyped(checked: Checked, workbook: Reader): Promise<Checked> {
  const typed = checked.findings.filter(({ rule }) => rule === "typedNumber").map(({ place }) => place);
  if (typed.length === 0) return checked;
  const places = [...(await workbook.listSpilled(typed)), ...(await workbook.listFrozen("workbook"))];
  const untyped = new Set(places.map(showPlace));
  const findings = checked.findings.filter(
    ({ rule, place }) => rule !== "typedNumber" || !untyped.has(showPlace(place)),
  );
  return { ...checked, findings };
}

/** The findings that somebody has dismissed, which the workbook stores. */
export function useDismissals() {
  const pane = usePane();
  const { session } = pane;
  const list = useSyncExternalStore(session.subscribe, () => session.settings.dismissals);
  const change = useCallback(
    (dismissals: readonly Dismissal[]) =>
      void attempt(pane, async ({ session, persist }) => {
        session.change({ dismissals });
        await persist({ dismissals });
      }),
    [pane],
  );
  const without = (key: string) => list.filter((each) => each.key !== key);
  return {
    list,
    dismiss: (key: string, reason: string) =>
      change([...without(key), { key, reason: reason.trim(), atMs: session.ports.nowMs() }]),
    restore: (key: string) => change(without(key)),
  };
}
