import { type RefObject, useEffect, useState } from "react";
import type { LoggedRequest } from "../../feed/request-log";
import type { Session } from "../../session/session";
import type { StateCounts } from "./live-calls";
import { countServed, countStates, groupBySheet, type LiveCall, readLiveCalls, type SheetCalls } from "./live-calls";

/** What goes on, as of one moment. */
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
  /** Until when the provider asked to be left alone; null when it did not, or the time is over. */
  pausedUntilMs: number | null;
  isConnected: boolean;
}

/** A refresh of 14,000 formulas changes something at each of its moments. */
const PACE_MS = 500;

/** Ages are told in minutes, a pause in seconds. */
const AGEING_MS = 30_000;
const COUNTDOWN_MS = 1_000;

export function readSnapshot({ calls, feed, ports, state }: Session): Snapshot {
  const nowMs = ports.nowMs();
  const live = readLiveCalls(calls.list(), feed.watch);
  const requests = [...feed.activity.log()].reverse();
  const pauses = requests.flatMap(({ waitUntilMs }) =>
    waitUntilMs !== null && waitUntilMs > nowMs ? waitUntilMs : [],
  );
  return {
    nowMs,
    calls: live,
    sheets: groupBySheet(live),
    counts: countStates(live),
    oldestAsOfMs: feed.activity.oldestAsOfMs(),
    requests,
    served: countServed(live),
    pausedUntilMs: pauses.length > 0 ? Math.max(...pauses) : null,
    isConnected: state().status === "connected",
  };
}

/**
 * What goes on, at most twice a second, and only while somebody sees it.
 *
 * @param shown an element of the part, from which to tell whether its tab is the one that shows
 */
export function useSnapshot(session: Session, shown: RefObject<HTMLElement | null>): Snapshot {
  const [snapshot, setSnapshot] = useState(() => readSnapshot(session));
  useEffect(() => watchSnapshots(session, () => isSeen(shown.current), setSnapshot), [session, shown]);
  return snapshot;
}

function watchSnapshots(session: Session, isWanted: () => boolean, show: (snapshot: Snapshot) => void): () => void {
  const { calls, feed, ports } = session;
  let callOff = () => {};
  let isDue = false;
  const wait = (delayMs: number) => {
    callOff();
    callOff = ports.after(delayMs, take);
  };
  const take = () => {
    if (!isWanted()) return wait(PACE_MS);
    isDue = false;
    const snapshot = readSnapshot(session);
    show(snapshot);
    wait(snapshot.pausedUntilMs === null ? AGEING_MS : COUNTDOWN_MS);
  };
  const hear = () => {
    if (isDue) return;
    isDue = true;
    wait(PACE_MS);
  };
  const stops = [feed.activity.onChange(hear), calls.onChange(hear), session.subscribe(hear)];
  hear(); // what changed since it was drawn
  return () => {
    callOff();
    for (const stop of stops) stop();
  };
}

/** A part keeps its place in the page while another one shows; Excel hides the page of a closed pane. */
function isSeen(element: HTMLElement | null): boolean {
  return element !== null && element.closest("[hidden]") === null && !document.hidden;
}
