import { createSubscribers } from "../client/subscribers";
import type { Call, Calls } from "./calls";
import type { Shown } from "./shown";

/** A formula that shows something else than before the last refresh. */
export interface CallChange {
  readonly call: Call;
  readonly before: Shown;
  readonly after: Shown;
}

export interface ChangesState {
  /** When the last refresh began, milliseconds since the Unix epoch; null where there is nothing to compare with. */
  readonly sinceMs: number | null;
  /** Whether what it changed was put back: what still differs then cannot be. */
  readonly isUndone: boolean;
}

/** What the last refresh changed in cells, by what formulas have handed over. */
export interface Changes {
  state(): ChangesState;
  /** Remembers what each formula shows now: a refresh begins. */
  begin(): void;
  /** The formulas that show something else by now; cells take what came a little after the refresh has ended. */
  list(): CallChange[];
  /** Has what was shown put back. */
  undo(): void;
  /** Forgets what was shown. */
  clear(): void;
  /** Is told when what is compared with is remembered anew, put back or forgotten. */
  onChange(listener: () => void): () => void;
}

interface ChangesOptions {
  nowMs: () => number;
  /** Puts the answers of before back. */
  putBack: () => void;
}

const NOTHING: ChangesState = { sinceMs: null, isUndone: false };

export function createChanges(calls: Pick<Calls, "list">, { nowMs, putBack }: ChangesOptions): Changes {
  const { subscribe: onChange, notify } = createSubscribers();
  let before = new Map<Call, Shown | null>();
  let state = NOTHING;
  const move = (next: ChangesState, shown = before) => {
    state = next;
    before = shown;
    notify();
  };
  return {
    state: () => state,
    begin: () => move({ ...NOTHING, sinceMs: nowMs() }, new Map(calls.list().map((call) => [call, call.shown]))),
    list: () => calls.list().flatMap((call) => compare(call, before.get(call) ?? null)),
    undo() {
      move({ ...state, isUndone: true });
      putBack();
    },
    clear: () => move(NOTHING, new Map()),
    onChange,
  };
}

/**
 * What was not shown before was no change of a value: its cell was still waiting. A formula that asks nothing, as for
 * when the oldest answer came, changes by every refresh and says nothing of the data.
 */
function compare(call: Call, before: Shown | null): CallChange[] {
  const { shown: after, queries } = call;
  if (before === null || after === null || after === before || queries.length === 0) return [];
  return [{ call, before, after }];
}
