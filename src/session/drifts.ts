import type { Call } from "./calls";

type Entered = Pick<Call, "name" | "address" | "given">;

/** Formulas of a cell, or of one shape, that have followed each other. */
interface Row {
  times: number;
  /** When the last one ended, and when the last one loaded its queries. */
  atMs: number;
  begunMs: number;
  /** Its arguments. */
  text: string;
}

/** A person may type or choose so many in a row. */
const FREE = 9;

/** Formulas further apart are no row. */
const ROW_MS = 60_000;

/** A person who looks at a result, and types, takes longer; a recalculation follows its result. */
const PAUSE_MS = 2_000;

/** Formulas of one recalculation end within this time; a cell may hold several. */
const TOGETHER_MS = 100;

/** Cells whose formulas have ended; of more none is remembered. */
const MOST_ROWS = 1_000;

const SHORTEST_MS = 1_000;

/** Of a larger range its first cells tell. */
const LONGEST_TEXT = 100;

/** Shorter than a cell waits for its answer. */
const LONGEST_MS = 20_000;

export type Drifts = ReturnType<typeof createDrifts>;

/** Formulas that recalculations enter anew again and again with other arguments, as with NOW() or RAND(). */
export function createDrifts(nowMs: () => number) {
  const rows = new Map<string, Row>();
  /** When formulas without an address loaded their queries. All of one shape share a row: the times tell successors from neighbours. */
  const begun = new WeakMap<Entered, number>();
  const find = (call: Entered): Row | undefined => {
    if (rows.size === 0) return; // as ever, and many thousand formulas are counted at a time
    const { key, text } = toForm(call);
    const row = rows.get(key);
    return row && row.times > FREE && row.text !== text && nowMs() - row.atMs <= ROW_MS ? row : undefined;
  };
  return {
    /** Records that a formula has left its cell. */
    end(call: Entered): void {
      const atMs = nowMs();
      if (rows.size > MOST_ROWS) rows.clear(); // so many do not drift: a sheet was deleted
      const { key, text } = toForm(call);
      const known = rows.get(key);
      if (known !== undefined && (begun.get(call) ?? atMs) < known.atMs - TOGETHER_MS) return; // another cell's
      const before = known && atMs - known.atMs <= ROW_MS ? known : { times: 0, atMs: 0, begunMs: 0, text: "" };
      const isNext = before.text !== text && atMs - before.atMs >= TOGETHER_MS;
      // A slow answer is no person yet, and neither are a few quick changes a recalculation.
      const isPaused = before.times > 0 && atMs - Math.max(before.atMs, before.begunMs) > PAUSE_MS;
      const times = isPaused ? Math.floor(before.times / 2) : before.times + Number(isNext);
      rows.set(key, { ...before, times, atMs, text });
    },
    /** How often in a row a formula of its cell had other arguments; 0 where a person may have typed them. */
    count: (call: Entered): number => find(call)?.times ?? 0,
    /** How long a formula waits before its queries load, in milliseconds: longer each time, to a bound. */
    toDelayMs(call: Entered): number {
      const { times, begunMs } = find(call) ?? { times: 0, begunMs: 0 };
      // From the last load on: a formula that is replaced each second loads now and then.
      const dueMs = begunMs + Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (times - FREE - 1));
      return Math.max(0, dueMs - nowMs());
    },
    /** Records that its queries load. */
    begin(call: Entered): void {
      if (call.address === null) begun.set(call, nowMs());
      const row = find(call);
      if (row !== undefined) row.begunMs = nowMs();
    },
  };
}

/** The beginning of its arguments' texts; and what stays of its formula while they drift. */
function toForm({ name, address, given }: Entered): { key: string; text: string } {
  const values = Object.values(given).map((argument) => String(argument).slice(0, LONGEST_TEXT));
  // A recalculation changes what has digits, as numbers and the texts of dates; a person may change all else.
  return {
    key: [name, address, ...values.map((value) => /\d/.test(value) || value)].join("\n"),
    text: values.join("\n"),
  };
}
