import { type RefObject, useEffect, useState } from "react";
import type { LoggedRequest } from "../../client/http/request-log";
import type { ChangesState } from "../../session/calls";
import type { Session } from "../../session/session";
import { type CellChange, toCellChanges } from "../cell-changes";
import {
  countServed,
  countStates,
  groupBySheet,
  type LiveCall,
  readLiveCalls,
  type SheetCalls,
  type StateCounts,
} from "./live-calls";

/** The state of formulas and requests at one moment. */
export interface Snapshot {
  nowMs: number;
  calls: readonly LiveCall[];
  sheets: readonly SheetCalls[];
  counts: StateCounts;
  oldestAsOfMs: number | null;
  /** Newest first. */
  requests: readonly LoggedRequest[];
  /** How many formulas each request serves, by its number. */
  served: ReadonlyMap<number, number>;
  isConnected: boolean;
  changes: ChangesSnapshot;
}

/** The changes of the last refresh. */
export interface ChangesSnapshot extends ChangesState {
  /** The same array while its content is the same. */
  list: readonly CellChange[];
  isRunning: boolean;
}

/** A refresh of 14,000 formulas notifies continually. */
const THROTTLE_MS = 500;

/** Ages show in minutes. */
const AGEING_MS = 30_000;

/** Short enough after Undo, and long enough for most cells to update. */
const PROMPT_MS = 100;

export function readSnapshot(session: Session, before?: Snapshot): Snapshot {
  const { calls, feed, ports, state } = session;
  const nowMs = ports.nowMs();
  const live = readLiveCalls(calls.list(), feed.queryCache);
  const requests = [...feed.activity.log()].reverse();
  return {
    nowMs,
    calls: live,
    sheets: groupBySheet(live),
    counts: countStates(live),
    oldestAsOfMs: feed.activity.oldestAsOfMs(),
    requests,
    served: countServed(live),
    isConnected: state().status === "connected",
    changes: readChanges(session, before?.changes.list ?? []),
  };
}

function readChanges({ changes, refreshing }: Session, before: readonly CellChange[]): ChangesSnapshot {
  const list = toCellChanges(changes.list());
  const isSame = list.length === before.length && list.every((change, index) => isEqual(change, before[index]));
  return { ...changes.state(), list: isSame ? before : list, isRunning: refreshing.state().running !== null };
}

const isEqual = (one: CellChange, other: CellChange | undefined): boolean =>
  one.call === other?.call &&
  one.row === other.row &&
  one.column === other.column &&
  one.before === other.before &&
  one.after === other.after;

/**
 * A snapshot, updated at most twice a second while the part is visible.
 *
 * @param shown an element of the part, from which to tell whether its tab is the one that shows
 */
export function useSnapshot(session: Session, shown: RefObject<HTMLElement | null>): Snapshot {
  const [snapshot, setSnapshot] = useState(() => readSnapshot(session));
  useEffect(() => watchSnapshots(session, () => isSeen(shown.current), setSnapshot), [session, shown]);
  return snapshot;
}

function watchSnapshots(session: Session, isWanted: () => boolean, show: (snapshot: Snapshot) => void): () => void {
  const { calls, changes, feed, ports } = session;
  let callOff = () => {};
  let isDue = false;
  let last: Snapshot | undefined;
  const wait = (delayMs: number) => {
    callOff();
    callOff = ports.after(delayMs, take);
  };
  const take = () => {
    if (!isWanted()) return wait(THROTTLE_MS);
    isDue = false;
    const snapshot = readSnapshot(session, last);
    last = snapshot;
    show(snapshot);
    wait(AGEING_MS);
  };
  const receive = () => {
    if (isDue) return;
    isDue = true;
    wait(THROTTLE_MS);
  };
  const receiveSoon = () => {
    isDue = true;
    wait(PROMPT_MS);
  };
  const stops = [
    changes.onChange(receiveSoon),
    feed.activity.onChange(receive),
    calls.onChange(receive),
    session.subscribe(receive),
  ];
  receive(); // changes since the first rendering
  return () => {
    callOff();
    for (const stop of stops) stop();
  };
}

/** Hidden parts stay in the page; Excel hides the page of a closed pane. */
export function isSeen(element: HTMLElement | null): boolean {
  return element !== null && element.closest("[hidden]") === null && !document.hidden;
}
