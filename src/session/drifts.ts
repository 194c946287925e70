import type { Call } from "./calls";

type Entered = Pick<Call, "name" | "address" | "given">;

/** Formulas that recalculations enter anew again and again with other arguments, as with NOW() or RAND(). */
export interface Drifts {
  /** Records that a formula has left its cell. */
  end(call: Entered): void;
  /** How often in a row a formula of its cell had other arguments; 0 where a person may have typed them. */
  count(call: Entered): number;
  /** How long a formula waits before its queries load, in milliseconds: longer each time, to a bound. */
  toDelayMs(call: Entered): number;
  /** Records that its queries load. */
  begin(call: Entered): void;
}

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

/** Formulas of one recalculation end within this time; a cell may hold several. */
const TOGETHER_MS = 100;

const SHORTEST_MS = 1_000;

/** Shorter than a cell waits for its answer. */
const LONGEST_MS = 20_000;

export function createDrifts(nowMs: () => number): Drifts {
  const rows = new Map<string, Row>();
  const find = (call: Entered): Row | undefined => {
    if (rows.size === 0) return; // as ever, and many thousand formulas are counted at a time
    const { key, text } = toForm(call);
    const row = rows.get(key);
    return row && row.times > FREE && row.text !== text && nowMs() - row.atMs <= ROW_MS ? row : undefined;
  };
  return {
    end(call) {
      const atMs = nowMs();
      for (const [other, row] of rows) {
        if (atMs - row.atMs <= ROW_MS) break; // the others ended later
        rows.delete(other);
      }
      const { key, text } = toForm(call);
      const before = rows.get(key) ?? { times: 0, atMs: 0, begunMs: 0, text: "" };
      const isNext = before.text !== text && atMs - before.atMs >= TOGETHER_MS;
      rows.delete(key);
      rows.set(key, { ...before, times: before.times + Number(isNext), atMs, text });
    },
    count: (call) => find(call)?.times ?? 0,
    toDelayMs(call) {
      const { times, begunMs } = find(call) ?? { times: 0, begunMs: 0 };
      // From the last load on: a formula that is replaced each second loads now and then.
      const dueMs = begunMs + Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (times - FREE - 1));
      return Math.max(0, dueMs - nowMs());
    },
    begin(call) {
      const row = find(call);
      if (row !== undefined) row.begunMs = nowMs();
    },
  };
}

/** Its arguments, of larger ranges only the size; and what stays of its formula while they drift. */
function toForm({ name, address, given }: Entered): { key: string; text: string } {
  const values = Object.values(given).map((argument) => {
    const [only, ...others] = [argument].flat(2);
    return others.length > 0 ? [others.length] : only;
  });
  // A recalculation changes numbers and what has digits, such as a date's text; a person may change all else.
  const lasting = values.map((value) => typeof value !== "number" && !/\d/.test(String(value)) && value);
  return { key: JSON.stringify([name, address, lasting]), text: JSON.stringify(values) };
}
