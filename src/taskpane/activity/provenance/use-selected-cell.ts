import { type RefObject, useEffect, useState } from "react";
import type { Workbook } from "../../../contract/workbook";
import type { Call } from "../../../session/calls";
import type { Session } from "../../../session/session";
import { usePane } from "../../pane";
import { isSeen } from "../snapshot";
import { findSelected, type SelectedCell } from "./selected-formulas";

/** A workbook that fills tells of each of its formulas. */
const PACE_MS = 500;

/**
 * What the selected cell is to the add-in, as long as the workbook tells and somebody sees it; null before that.
 *
 * @param shown an element of the part, from which to tell whether its tab is the one that shows
 */
export function useSelectedCell(shown: RefObject<HTMLElement | null>): SelectedCell | null {
  const { session, workbook } = usePane();
  const [cell, setCell] = useState<SelectedCell | null>(null);
  useEffect(
    () => watchSelected({ session, workbook, isWanted: () => isSeen(shown.current), show: setCell }),
    [session, workbook, shown],
  );
  return cell;
}

interface ViewObserver {
  session: Session;
  workbook: Workbook;
  isWanted: () => boolean;
  show: (cell: SelectedCell) => void;
}

function watchSelected({ session, workbook, isWanted, show }: ViewObserver): () => void {
  const { calls, ports } = session;
  let callOff = () => {};
  let turn = 0;
  let known: { calls: readonly Call[]; isFound: boolean } = { calls: [], isFound: false };
  const wait = (callback: () => void) => {
    callOff();
    callOff = ports.after(PACE_MS, callback);
  };
  const look = () => {
    callOff();
    if (!isWanted()) return wait(look);
    const own = ++turn;
    const live = calls.list();
    const receive = (cell: SelectedCell) => {
      if (own !== turn) return;
      known = { calls: live, isFound: cell.formulas.length > 0 };
      show(cell);
    };
    // While a cell is edited the workbook says nothing; what stands there then is told once it is left.
    findSelected(workbook, live).then(receive, () => {});
  };
  const lookAgain = () => {
    const live = calls.list();
    const isSame = live.length === known.calls.length && live.every((call, index) => call === known.calls[index]);
    if (!isSame || !known.isFound) look();
  };
  const stops = [workbook.onSelection(look), calls.onChange(() => wait(lookAgain))];
  look();
  return () => {
    turn++;
    callOff();
    for (const stop of stops) stop();
  };
}
