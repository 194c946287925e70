/** The outcome of a cell compared with the truth. */
export type Verdict =
  | "right"
  /** An error, or an old value that the pane marks as such. */
  | "flagged"
  /** Wrong, without a sign of it. */
  | "wrong"
  /** Empty although there is a value. */
  | "denied"
  /** An old value after a refresh that succeeded. */
  | "stale"
  /** Mixed from several moments, without a sign in the provider's answers. */
  | "mixed";

export const FAILURES: readonly Verdict[] = ["wrong", "denied", "stale"];

/** The behaviour for which an error counts as a failure: the provider gives everything. */
export const HONEST = "honest";

/** Totals are of all that cells ever showed, the others of what they show in the end. */
export type Unit = "rows" | "figures" | "totals";

interface Count {
  mode: string;
  behaviour: string;
  unit: Unit;
  verdict: Verdict;
  /** Rows or figures; 1 for a list with an error. */
  count: number;
  code?: string;
}

export type Tally = ReturnType<typeof createTally>;

const MOST_OF_A_KIND = 3;
const NONE: Record<Verdict, number> = { right: 0, flagged: 0, wrong: 0, denied: 0, stale: 0, mixed: 0 };

export function createTally(print: (line: string) => void) {
  const counts = new Map<string, Count>();
  const complaints = new Map<string, number>();
  const list = () => [...counts.values()];
  const sum = (isMeant: (count: Count) => boolean) =>
    list().reduce((all, each) => all + (isMeant(each) ? each.count : 0), 0);
  return {
    add(count: Count) {
      const key = [count.mode, count.unit, count.behaviour, count.verdict, count.code].join();
      const known = counts.get(key);
      if (known) known.count += count.count;
      else counts.set(key, { ...count });
    },
    /** Reports a wrong result; of the same kind a few times at most. */
    complain(kind: string, sentence: string) {
      const known = (complaints.get(kind) ?? 0) + 1;
      complaints.set(kind, known);
      if (known <= MOST_OF_A_KIND) print(sentence);
    },
    /** Rows or figures of a mode with a value, right or wrong. */
    shown: (mode: string, unit: Unit) =>
      sum((each) => each.mode === mode && each.unit === unit && each.verdict !== "flagged"),
    total: (verdict: Verdict) => sum((each) => each.verdict === verdict),
    /** Errors where everything must arrive. */
    missing: () => sum(({ behaviour, verdict }) => behaviour === HONEST && verdict === "flagged"),
    /** A row for each mode, unit and behaviour: how many of each verdict, and the errors by code. */
    toRows() {
      const rows = new Map<string, Record<string, string | number>>();
      for (const { mode, unit, behaviour, verdict, count, code } of list()) {
        const key = [mode, unit, behaviour].join();
        const row = rows.get(key) ?? { mode, unit, behaviour, ...NONE, errors: "" };
        row[verdict] = Number(row[verdict]) + count;
        if (code !== undefined) row.errors = `${row.errors} ${code} ${count}`.trim();
        rows.set(key, row);
      }
      return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    },
  };
}
