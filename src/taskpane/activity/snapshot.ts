import { type RefObject, useEffect, useState } from "react";
import type { LoggedRequest } from "../../client/http/request-log";
import type { Workbook } from "../../contract/workbook";
import type { ChangesState } from "../../session/calls";
import type { Session } from "../../session/session";
import { type CellChange, toCellChanges } from "../cell-changes";
import { type CellNotes, findNotedCells, NO_NOTES, readOutputs } from "../cells";
import { isErrorCode } from "../formula-text";
import { finishInSlices, runInSlices, type Steps } from "../slices";
import { type LiveCalls, type ReadCells, readLiveCalls } from "./live-calls";

/** The state of formulas and requests at one moment. */
export interface Snapshot extends LiveCalls {
  nowMs: number;
  oldestAsOfMs: number | null;
  /** Newest first. */
  requests: readonly LoggedRequest[];
  isConnected: boolean;
  changes: ChangesSnapshot;
  notes: CellNotes;
}

/** The changes of the last refresh. */
export interface ChangesSnapshot extends ChangesState {
  /** The same array while its content is the same. */
  list: readonly CellChange[];
  isRunning: boolean;
}

/** A refresh of 14,000 formulas notifies continually. */
export const THROTTLE_MS = 500;

/** Ages show in minutes. */
const AGEING_MS = 30_000;

/** Short enough after Undo, and long enough for most cells to update. */
const PROMPT_MS = 100;

/**
 * Reads the state, a formula or a change a step.
 *
 * @param before the snapshot before it; default none
 * @param read the cells that hold the formulas; default none
 */
export function* readSnapshot(session: Session, before?: Snapshot, read?: ReadCells): Steps<Snapshot> {
  const { calls, feed, ports, state } = session;
  const live = yield* readLiveCalls(calls.list(), feed.queryCache, before, read);
  const changes = yield* readChanges(session, before?.changes.list ?? []);
  return {
    ...live,
    nowMs: ports.nowMs(),
    oldestAsOfMs: feed.activity.oldestAsOfMs(),
    requests: [...feed.activity.log()].reverse(),
    isConnected: state().status === "connected",
    changes,
    notes: read?.notes ?? NO_NOTES,
  };
}

function* readChanges({ changes, refreshing }: Session, before: readonly CellChange[]): Steps<ChangesSnapshot> {
  const state = { ...changes.state(), isRunning: refreshing.state().running !== null };
  const list = yield* toCellChanges(changes.each());
  if (list.length !== before.length) return { ...state, list };
  for (const [index, change] of list.entries()) {
    if (!isEqual(change, before[index])) return { ...state, list };
    yield;
  }
  return { ...state, list: before };
}

const isEqual = (one: CellChange, other: CellChange | undefined): boolean =>
  one.call === other?.call &&
  one.row === other.row &&
  one.column === other.column &&
  one.before === other.before &&
  one.after === other.after;

/**
 * A snapshot, updated at most twice a second while the part is visible; null before the first.
 *
 * @param shown an element of the part, from which to tell whether its tab is the one that shows
 * @param workbook where given, formulas count by their cells and by what those show
 */
export function useSnapshot(
  session: Session,
  shown: RefObject<HTMLElement | null>,
  workbook?: Workbook,
): Snapshot | null {
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null);
  useEffect(
    () => watchSnapshots({ session, workbook, isWanted: () => isSeen(shown.current), show: setSnapshot }),
    [session, shown, workbook],
  );
  return snapshot;
}

interface Watch {
  session: Session;
  workbook: Workbook | undefined;
  isWanted: () => boolean;
  show: (snapshot: Snapshot) => void;
}

function watchSnapshots({ session, workbook, isWanted, show }: Watch): () => void {
  const { calls, changes, feed, ports } = session;
  let read: ReadCells | undefined;
  let callOff = () => {};
  let endReading = () => {};
  let isReading = false;
  /** Time until the next snapshot; null while nothing has changed. */
  let dueMs: number | null = null;
  let last: Snapshot | undefined;
  const wait = (delayMs: number) => {
    callOff();
    callOff = ports.after(delayMs, take);
  };
  const take = () => {
    if (!isWanted()) return wait(THROTTLE_MS);
    dueMs = null;
    isReading = true;
    endReading = runInSlices(readSnapshot(session, last, read), (snapshot) => {
      isReading = false;
      last = snapshot;
      show(snapshot);
      wait(dueMs ?? AGEING_MS);
    });
  };
  const plan = (delayMs: number) => {
    if (dueMs !== null && dueMs <= delayMs) return;
    dueMs = delayMs;
    if (!isReading) wait(delayMs);
  };
  const receive = () => plan(THROTTLE_MS);
  const receiveSoon = () => plan(PROMPT_MS);
  const stops = [
    changes.onChange(receiveSoon),
    feed.activity.onChange(receive),
    calls.onChange(receive),
    session.subscribe(receive),
  ];
  if (workbook !== undefined) {
    const receiveCells = (cells: ReadCells) => {
      read = cells;
      receiveSoon();
    };
    stops.push(watchCells({ session, workbook, isWanted, show: receiveCells }));
  }
  take();
  return () => {
    callOff();
    endReading();
    for (const stop of stops) stop();
  };
}

/** Hidden parts stay in the page; Excel hides the page of a closed pane. */
export function isSeen(element: HTMLElement | null): boolean {
  return element !== null && element.closest("[hidden]") === null && !document.hidden;
}

interface CellWatch {
  session: Session;
  workbook: Workbook;
  /** Whether anybody looks. */
  isWanted: () => boolean;
  show: (read: ReadCells) => void;
}

/** Excel calculates what depends on a new output before it shows it. */
const QUIET_MS = 500;

/** Reading a workbook takes a tenth of the time at most. */
const SHARE = 10;

/** A person may clear the way of a table without selecting another cell. */
export const HIDDEN_MS = 5_000;

/**
 * Reads the cells of the live formulas, and again some time after outputs or the selection have changed, and while a
 * cell shows an error.
 *
 * @returns ends it
 */
function watchCells({ session, workbook, isWanted, show }: CellWatch): () => void {
  const { calls, ports } = session;
  let callOff: (() => void) | null = null;
  let hasEnded = false;
  let isReading = false;
  let isChanged = false;
  let tookMs = 0;
  const wait = (delayMs: number) => {
    callOff?.();
    callOff = ports.after(Math.max(delayMs, tookMs * SHARE), () => void read());
  };
  const read = async () => {
    callOff = null;
    if (hasEnded || isReading) return;
    if (!isWanted()) return wait(QUIET_MS);
    isReading = true;
    isChanged = false;
    const startMs = performance.now();
    const list = calls.list();
    const outputs = await finishInSlices(readOutputs(list));
    const { cells, notes } = await findNotedCells(workbook, list);
    tookMs = performance.now() - startMs;
    isReading = false;
    if (hasEnded) return;
    show({ cells, notes, outputs });
    if (isChanged) wait(QUIET_MS);
    else if (hasError(cells)) wait(HIDDEN_MS);
  };
  const receive = () => {
    if (!isChanged && !isReading) wait(QUIET_MS);
    isChanged = true;
  };
  const stops = [calls.onChange(receive), workbook.onSelection(receive)];
  void read();
  return () => {
    hasEnded = true;
    callOff?.();
    for (const stop of stops) stop();
  };
}

function hasError(all: ReadCells["cells"]): boolean {
  for (const cells of all.values()) if (cells.some(({ value }) => isErrorCode(value))) return true;
  return false;
}
