import { createSubscribers } from "../client/subscribers";
import type { Row } from "../feed/decode";
import type { Candidate } from "../feed/financials/metrics";
import type { Query } from "../feed/query-cache";

/** A live formula of a cell; its properties change over time. */
export interface Call {
  /** Its name without the namespace, e.g. "RANKING.PAGES". */
  readonly name: string;
  /** Its arguments by their names, as the host passed them: scalars or rows of cells, null where absent. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Its cell at the time of entry, as the host gave it: rows inserted later are not counted. */
  readonly address: string | null;
  /** Its present queries; none where its arguments are invalid. */
  readonly queries: readonly Query<unknown>[];
  /** Error of its arguments or its answer; null without one. */
  readonly error: unknown;
  /** Its last cell output; null before the first. */
  readonly shown: Shown | null;
  /** How often in a row recalculations entered it anew with other arguments; default 0. */
  readonly drift?: number;
  /** Gives what finds the origins of its cells. It lays its table out for that: one call for many cells. */
  readOrigins(): OriginReader;
  /**
   * Reads its arguments again if that can change its queries, as with dates relative to today.
   *
   * @param isForSettings whether settings have changed: those can change the queries and output of any formula
   */
  reread(isForSettings?: boolean): void;
}

/** Finds the origin of a cell, by row and column within the output, from 0. */
export type OriginReader = (row: number, column: number) => Origin;

/** The origin of a cell's value. */
export interface Origin {
  /** Error of the cell; null where it shows a value. */
  readonly error: unknown;
  /** Occurrences of its figure in an answer; none where it shows no figure. */
  readonly places: readonly Candidate[];
  /** The same of its row's figures, where the cell is not one itself. */
  readonly rowPlaces?: readonly Candidate[];
  /** The record of its row in a list, with added fields. */
  readonly record?: Row | undefined;
  /** The record's field that it shows. */
  readonly field?: string | undefined;
  /** Its query, where the formula has several. */
  readonly query?: Query<unknown> | undefined;
}

/** Formulas that are listed together. */
export interface CallGroup {
  list(): readonly Call[];
}

/** The live formulas of this shared runtime. */
export interface Calls {
  add(call: Call): void;
  remove(call: Call): void;
  /** Adds formulas that come and go in a group, which reports that by {@link relist}. */
  addGroup(group: CallGroup): void;
  removeGroup(group: CallGroup): void;
  /** Reports that formulas of a group have come or gone. */
  relist(): void;
  /** All of them; the same list until a formula comes or goes. */
  list(): readonly Call[];
  /** Calls `listener` when a formula comes, goes or changes; thousands may do so at a time. */
  onChange(listener: () => void): () => void;
  /** Reports a formula's change. */
  notify(): void;
}

export function createCalls(): Calls {
  const calls = new Set<Call>();
  const groups = new Set<CallGroup>();
  const { subscribe: onChange, notify } = createSubscribers();
  let listed: readonly Call[] | null = null;
  const relist = () => {
    listed = null;
    notify();
  };
  return {
    add(call) {
      calls.add(call);
      relist();
    },
    remove(call) {
      if (calls.delete(call)) relist();
    },
    addGroup: (group) => void groups.add(group),
    removeGroup: (group) => void groups.delete(group),
    relist,
    list() {
      listed ??= [...calls, ...[...groups].flatMap((group) => group.list())];
      return listed;
    },
    onChange,
    notify,
  };
}

/** The output of a formula: rows of cells, or an error with a code and a message. */
export type Shown = readonly (readonly unknown[])[] | { code: string; message?: string };

/** A formula whose output differs from that before the last refresh. */
export interface CallChange {
  readonly call: Call;
  readonly before: Shown;
  readonly after: Shown;
}

export interface ChangesState {
  /** When the last refresh began, milliseconds since the Unix epoch; null where there is nothing to compare with. */
  readonly sinceMs: number | null;
  /** Whether it was undone; remaining differences cannot be. */
  readonly isUndone: boolean;
}

/** The changes of formulas' outputs by the last refresh. */
export interface Changes {
  state(): ChangesState;
  /** Records the present outputs when a refresh begins. */
  begin(): void;
  /**
   * Compares the formulas one by one; null for each whose output has not changed. Outputs reach the cells a little after
   * the refresh ends.
   */
  each(): Iterable<CallChange | null>;
  /** Restores the former answers. */
  undo(): void;
  /** Forgets the recorded outputs. */
  clear(): void;
  /** Calls `listener` when outputs are recorded, restored or forgotten. */
  onChange(listener: () => void): () => void;
}

interface ChangesOptions {
  nowMs: () => number;
  /** Restores the answers before the last refresh. */
  putBack: () => void;
}

const NOTHING: ChangesState = { sinceMs: null, isUndone: false };

/** Formulas, and the output of each at a moment: two lists, since a refresh begins with 100,000 in one step. */
interface Outputs {
  calls: readonly Call[];
  shown: readonly (Shown | null)[];
}

const NO_OUTPUTS: Outputs = { calls: [], shown: [] };

export function createChanges(calls: Pick<Calls, "list">, { nowMs, putBack }: ChangesOptions): Changes {
  const { subscribe: onChange, notify } = createSubscribers();
  let before = NO_OUTPUTS;
  let state = NOTHING;
  const move = (next: ChangesState, outputs = before) => {
    state = next;
    before = outputs;
    notify();
  };
  function* each() {
    if (before.calls.length === 0) return;
    const find = createFind(before, calls.list());
    for (const [index, call] of calls.list().entries()) yield compare(call, find(call, index));
  }
  return {
    state: () => state,
    begin() {
      const list = calls.list();
      move({ ...NOTHING, sinceMs: nowMs() }, { calls: list, shown: list.map(({ shown }) => shown) });
    },
    each,
    undo() {
      move({ ...state, isUndone: true });
      putBack();
    },
    clear: () => move(NOTHING, NO_OUTPUTS),
    onChange,
  };
}

/** Finds recorded outputs by position while the list is the same, else by formula. */
function createFind({ calls, shown }: Outputs, list: readonly Call[]) {
  if (list === calls) return (_: Call, index: number) => shown[index] ?? null;
  const byCall = new Map(calls.map((call, index) => [call, shown[index] ?? null]));
  return (call: Call) => byCall.get(call) ?? null;
}

/**
 * Compares a formula's outputs. A first output is no change: its cell was waiting. A formula without queries, such as
 * FEED.STATUS("asof"), changes with every refresh, so the comparison leaves it out.
 */
function compare(call: Call, before: Shown | null): CallChange | null {
  const after = call.shown;
  if (before === null || after === null || after === before || call.queries.length === 0) return null;
  return { call, before, after };
}

/** A custom function as the host calls it: its arguments, then the invocation. */
type Formula = (...given: never[]) => void;

/** Replaces the host's invocation. */
interface CelllessInvocation {
  setResult(shown: Shown): void;
  onCanceled(): void;
  /** Whether the formula may send no request. */
  isInValuePreview: boolean;
  /** Replaces the session's calls, since the formula has no cell. */
  calls: Calls;
}

/** The formulas of this shared runtime, for the pane to run without a cell. */
export interface Formulas {
  /** Registers formulas by their names without the namespace. */
  offer(formulas: Readonly<Record<string, Formula>>): void;
  has(name: string): boolean;
  /**
   * Runs a formula like a cell; calls `show` with each new output and the live formula. The result ends it.
   *
   * @param given its arguments in order: scalars or rows of cells, null where absent
   */
  run(name: string, given: readonly unknown[], show: (shown: Shown, call: Call) => void): () => void;
  /** Lists a formula's queries without loading them; none where its arguments are invalid. */
  listQueries(name: string, given: readonly unknown[]): Promise<readonly Query<unknown>[]>;
  /** Finds the error of a formula's arguments, or of answers at hand; null for none. */
  findError(name: string, given: readonly unknown[]): Promise<unknown>;
}

export function createFormulas(): Formulas {
  const known = new Map<string, Formula>();
  const open = (name: string, given: readonly unknown[], invocation: CelllessInvocation) => {
    const formula = known.get(name) as ((...all: unknown[]) => void) | undefined;
    if (formula === undefined) throw new Error(`there is no formula FEED.${name}`);
    const padded = Array.from({ length: formula.length - 1 }, (_, index) => given[index] ?? null);
    formula(...padded, invocation);
    return invocation;
  };
  /** Reads a formula's arguments, and sends nothing. */
  const preview = async (name: string, given: readonly unknown[]) => {
    const invocation = { ...createInvocation(), isInValuePreview: true };
    await new Promise<void>((resolve) => open(name, given, Object.assign(invocation, { setResult: () => resolve() })));
    const calls = invocation.calls.list();
    invocation.onCanceled();
    return calls;
  };
  return {
    offer(formulas) {
      for (const [name, formula] of Object.entries(formulas)) known.set(name, formula);
    },
    has: (name) => known.has(name),
    run(name, given, show) {
      const invocation = createInvocation();
      invocation.setResult = (shown) => show(shown, invocation.calls.list()[0] as Call);
      open(name, given, invocation);
      return () => invocation.onCanceled();
    },
    listQueries: async (name, given) => (await preview(name, given)).flatMap((call) => call.queries),
    findError: async (name, given) => (await preview(name, given))[0]?.error ?? null,
  };
}

const createInvocation = (): CelllessInvocation => ({
  setResult: () => {},
  onCanceled: () => {},
  isInValuePreview: false,
  calls: createCalls(),
});

/** Where the live formulas stand, which only the pane's page can read. */
export interface Placement {
  /**
   * Gives when the oldest answer was given of the sheets where a formula stands, milliseconds since the Unix epoch; null
   * where they show no answer, and undefined where the sheets are not known for sure.
   *
   * @param given the formula's own arguments
   */
  oldestBesideMs(given: Call["given"]): number | null | undefined;
  /** Leaves out formulas that stand only on sheets with a schedule of their own. */
  leaveCalls(calls: readonly Call[]): Promise<readonly Call[]>;
  /** Leaves out queries of such formulas alone. */
  leaveQueries(queries: readonly Query<unknown>[]): Promise<readonly Query<unknown>[]>;
}

/** The placement of a page; a formula that needs it has the page read the workbook. */
export interface PlacementSlot {
  current: Placement | null;
  isWanted: boolean;
}
