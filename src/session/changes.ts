import { createListeners } from "../feed/listeners";
import type { Call, Calls } from "./calls";
import { pairLines, type Rows } from "./changes/lines";
import type { Shown } from "./shown";

/** A cell that shows something else than before the last refresh. */
export interface CellChange {
  readonly call: Call;
  /** Its place within what the formula fills now, from 0; null where its row or column is in the table no more. */
  readonly row: number | null;
  readonly column: number | null;
  /** Of what its row and its column are, where the table says so. */
  readonly rowName: string | null;
  readonly columnName: string | null;
  /** An error as its code; null where there was no such cell. */
  readonly before: unknown;
  readonly after: unknown;
  /** Number format of what it shows, as of a date; null where it has none. */
  readonly format: string | null;
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
  /** The cells that differ from then by now; cells take what came a little after the refresh has ended. */
  list(): CellChange[];
  /** Has what was shown put back; gives how many questions' answers differed. */
  undo(): number;
  /** Forgets what was shown. */
  clear(): void;
  /** Is told when what is compared with is remembered anew, put back or forgotten. */
  onChange(listener: () => void): () => void;
}

export interface ChangesOptions {
  nowMs: () => number;
  /** Puts the answers of before back; gives how many differed. */
  putBack: () => number;
}

const NOTHING: ChangesState = { sinceMs: null, isUndone: false };

export function createChanges(calls: Pick<Calls, "list">, { nowMs, putBack }: ChangesOptions): Changes {
  const { add: onChange, tell } = createListeners();
  let before = new Map<Call, Shown | null>();
  let state = NOTHING;
  const move = (next: ChangesState, shown = before) => {
    state = next;
    before = shown;
    tell();
  };
  return {
    state: () => state,
    begin: () => move({ ...NOTHING, sinceMs: nowMs() }, new Map(calls.list().map((call) => [call, call.shown]))),
    list: () => calls.list().flatMap((call) => compare(call, before.get(call) ?? null)),
    undo() {
      move({ ...state, isUndone: true });
      return putBack();
    },
    clear: () => move(NOTHING, new Map()),
    onChange,
  };
}

/**
 * What was not shown before was no change of a value: its cell was still waiting. A formula that asks nothing, as for
 * when the oldest answer came, changes by every refresh and says nothing of the data.
 */
function compare(call: Call, before: Shown | null): CellChange[] {
  const { shown, questions } = call;
  if (before === null || shown === null || shown === before || questions.length === 0) return [];
  const [old, now] = [toRows(before), toRows(shown)];
  const { rows, columns } = pairLines(old, now);
  const changes: CellChange[] = [];
  for (const row of rows) {
    for (const column of columns) {
      const [was, is] = [pick(old, row.old, column.old), pick(now, row.now, column.now)];
      const [before, after] = [readCell(was), readCell(is)];
      if (Object.is(before, after)) continue;
      const place = { row: row.now, column: column.now, rowName: row.name, columnName: column.name };
      changes.push({ call, ...place, before, after, format: readFormat(is) ?? readFormat(was) });
    }
  }
  return changes;
}

const pick = (rows: Rows, row: number | null, column: number | null): unknown =>
  row === null || column === null ? null : rows[row]?.[column];

const toRows = (shown: Shown): Rows => (Array.isArray(shown) ? shown : [[shown]]);

/** A number with properties is its number; an error its code. */
function readCell(cell: unknown): unknown {
  if (typeof cell !== "object" || cell === null) return cell ?? null;
  const { basicValue, code }: { basicValue?: unknown; code?: unknown } = cell;
  return basicValue ?? code ?? null;
}

function readFormat(cell: unknown): string | null {
  return typeof cell === "object" && cell !== null && "numberFormat" in cell ? String(cell.numberFormat) : null;
}
