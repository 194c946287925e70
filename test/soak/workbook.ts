import type { Shown } from "../office/custom-functions";
import { describeFormula, type Moment, type Written } from "./formulas";
import { type } from "./page";
import { hasLost, verify } from "./verdict";

/** How long a cell may be empty, milliseconds. */
const CELL_DEADLINE_MS = 30_000;

/** The possible subjects of a cell's numbers: the provider's editions up to the present one, and past days. */
export interface Knowledge {
  edition(): number;
  /** Moments and places at which a formula may have been read before. */
  moments: readonly Moment[];
  now(): Moment;
}

/** A formula in its cell, which records faults. */
export type Cell = ReturnType<typeof openCell>;

/**
 * Types a formula into a cell that checks every result.
 * @param complain Called with each fault.
 */
export function openCell(written: Written, knowledge: Knowledge, complain: (what: string) => void) {
  const { moments, now } = knowledge;
  const typedAtMs = now().nowMs;
  const first = moments.length - 1;
  const what = describeFormula(written);
  let shown: Shown | null = null;
  let isLeft = false;
  const look = (isEnd: boolean, possible: readonly Moment[], from = 0): string | null => {
    const editions = { from, to: knowledge.edition() };
    const complaints = possible.map((moment) =>
      verify(shown ?? [], written.expect(moment), editions, isEnd, written.rowsOfCompany),
    );
    return complaints.includes(null) ? null : `${what}: ${complaints[0]}`;
  };
  const show = (next: Shown) => {
    if (isLeft) complain(`${what} shows ${JSON.stringify(next).slice(0, 300)} after its cancel`);
    if (JSON.stringify(next) === JSON.stringify(shown)) complain(`${what} shows the same twice`);
    if (hasLost(written.name, shown, next))
      complain(`${what} loses its value to ${JSON.stringify(next).slice(0, 300)}`);
    shown = next;
    const complaint = look(false, [now(), ...moments.slice(first)]);
    if (complaint !== null) complain(complaint);
  };
  const cancel = type(written.name, written.given, show);
  return {
    written,
    /** The faults as of now. */
    lookPending(): string | null {
      const pendingMs = now().nowMs - typedAtMs;
      return shown === null && pendingMs > CELL_DEADLINE_MS ? `${what} is empty after ${pendingMs} ms` : null;
    },
    /** The faults if it must be complete, and of an edition or a later one; default the first. */
    lookAtEnd: (from?: number): string | null => (shown === null ? `${what} shows nothing` : look(true, [now()], from)),
    /** The host's cancel, which may come more than once. */
    leave() {
      isLeft = true;
      cancel();
    },
  };
}
