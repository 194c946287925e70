import { createSubscribers } from "../client/subscribers";
import type { Row } from "../feed/decode";
import type { Candidate } from "../feed/financials/metrics";
import type { Query } from "../feed/query-cache";

/** A formula that is live in a cell; what it says of itself is as of now. */
export interface Call {
  /** Its name without the namespace, e.g. "RANKING.PAGES". */
  readonly name: string;
  /** Its arguments by their names, as the host handed them over: scalars or rows of cells, null where not given. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The cell that asked first, as the host told it when the formula was entered: rows inserted since are not in it. */
  readonly address: string | null;
  /** What it asks at the moment; none where its arguments cannot be read. */
  readonly queries: readonly Query<unknown>[];
  /** Why its arguments cannot be read, or its answer not be shown; null when they can. */
  readonly error: unknown;
  /** What it handed to its cell last; null before the first time. */
  readonly shown: Shown | null;
  /** Tells where one of its cells comes from, by its place within what it fills, from 0. */
  findOrigin(row: number, column: number): Origin;
  /**
   * Reads its arguments again where that can change what it asks, as when they are relative to today.
   *
   * @param isForSettings whether settings have changed: they can change what any formula asks, and how it shows it
   */
  reread(isForSettings?: boolean): void;
}

/** Where a cell comes from, as far as its formula knows. */
export interface Origin {
  /** Why it shows no value; null where it shows one. */
  readonly error: unknown;
  /** Where its figure stands in an answer; nowhere where it shows none. */
  readonly places: readonly Candidate[];
  /** The same of its row's figures, where it is none itself. */
  readonly rowPlaces?: readonly Candidate[];
  /** What its row shows of a list, with what was added to it. */
  readonly record?: Row | undefined;
  /** The field of a record that it shows. */
  readonly field?: string | undefined;
  /** The query that it shows the answer of, where there are several. */
  readonly query?: Query<unknown> | undefined;
}

/** The formulas that are live in this shared runtime. */
export interface Calls {
  /** Enters a formula. */
  add(call: Call): void;
  /** Takes it out again. */
  remove(call: Call): void;
  list(): readonly Call[];
  /** Is told when a formula comes, goes, or says something else; thousands may do so at a time. */
  onChange(listener: () => void): () => void;
  /** Tells that a formula says something else of itself. */
  notify(): void;
}

export function createCalls(): Calls {
  const calls = new Set<Call>();
  const { subscribe: onChange, notify } = createSubscribers();
  return {
    add(call) {
      calls.add(call);
      notify();
    },
    remove(call) {
      if (calls.delete(call)) notify();
    },
    list: () => [...calls],
    onChange,
    notify,
  };
}

/** What a formula shows, as it goes to a cell: rows of cells, or an error that has a code and a message. */
export type Shown = readonly (readonly unknown[])[] | { code: string; message?: string };

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
