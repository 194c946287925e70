import type { Workbook } from "../../contract/workbook";
import type { Session } from "../../session/session";
import { findFormulaCells, readOutputs } from "../cells/formula-cells";
import { finishInSlices } from "../slices";
import { isErrorCode } from "../workbook/feed-cells";
import type { ReadCells } from "./live-calls";

interface Watch {
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
const HIDDEN_MS = 5_000;

/**
 * Reads the cells of the live formulas, and again some time after outputs or the selection have changed, and while a
 * cell shows an error.
 *
 * @returns ends it
 */
export function watchCells({ session, workbook, isWanted, show }: Watch): () => void {
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
    const cells = await findFormulaCells(workbook, list);
    tookMs = performance.now() - startMs;
    isReading = false;
    if (hasEnded) return;
    show({ cells, outputs });
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
