import { createListeners } from "../feed/listeners";
import type { Call, Calls } from "./calls";
import type { Shown } from "./shown";

/** A cell that shows something else than before the last refresh. */
export interface CellChange {
  call: Call;
  /** Its place within what the formula fills, from 0. */
  row: number;
  column: number;
  /** Null where the formula filled no such cell. */
  before: unknown;
  after: unknown;
}

/** What the last refresh changed in cells, by what formulas have handed over. */
export interface Changes {
  /** Remembers what each formula shows now: a refresh begins. */
  begin(): void;
  /** The cells that differ from then by now; cells take what came a little after the refresh has ended. */
  list(): CellChange[];
  /** Forgets what was shown. */
  clear(): void;
  /** Is told when what is compared with is remembered anew or forgotten. */
  onChange(listener: () => void): () => void;
}

export function createChanges(calls: Pick<Calls, "list">): Changes {
  const { add: onChange, tell } = createListeners();
  let before = new Map<Call, Shown | null>();
  return {
    begin() {
      before = new Map(calls.list().map((call) => [call, call.shown]));
      tell();
    },
    list() {
      const live = new Set(calls.list());
      return [...before].flatMap(([call, shown]) =>
        live.has(call) && call.shown !== shown ? compare(call, shown, call.shown) : [],
      );
    },
    clear() {
      before = new Map();
      tell();
    },
    onChange,
  };
}

/** What was not shown before was no change of a value: its cell was still waiting. */
function compare(call: Call, before: Shown | null, after: Shown | null): CellChange[] {
  if (before === null || after === null) return [];
  const [old, now] = [toRows(before), toRows(after)];
  const columns = Math.max(...[...old, ...now].map((row) => row.length));
  const cells = Array.from({ length: Math.max(old.length, now.length) }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      return { call, row, column, before: readCell(old, row, column), after: readCell(now, row, column) };
    }),
  );
  return cells.flat().filter((cell) => !Object.is(cell.before, cell.after));
}

const toRows = (shown: Shown): readonly (readonly unknown[])[] => (Array.isArray(shown) ? shown : [[shown]]);

/** A number with properties is its number; an error its code. */
function readCell(rows: readonly (readonly unknown[])[], row: number, column: number): unknown {
  const cell = rows[row]?.[column] ?? null;
  if (typeof cell !== "object" || cell === null) return cell;
  const { basicValue, code }: { basicValue?: unknown; code?: unknown } = cell;
  return basicValue ?? code ?? null;
}
