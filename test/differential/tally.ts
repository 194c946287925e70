/** The outcome of a cell compared with the truth. */
export type Verdict =
  /** The truth. */
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

/** Behaviours for which an error counts as a failure: the provider gives everything. */
export const MUST_COME: readonly string[] = ["honest", "answered late", "never answered at first"];

export type Unit = "rows" | "figures";

interface Count {
  mode: string;
  behaviour: string;
  unit: Unit;
  verdict: Verdict;
  /** Rows or figures; 1 for a list with an error. */
  count: number;
  /** The code of an error. */
  code?: string;
}

/** Counts verdicts by mode and behaviour. */
export type Tally = ReturnType<typeof createTally>;

const MOST_OF_A_KIND = 3;
const VERDICTS: readonly Verdict[] = ["right", "flagged", "wrong", "denied", "stale", "mixed"];

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
    missing: () => sum(({ behaviour, verdict }) => MUST_COME.includes(behaviour) && verdict === "flagged"),
    toTable: () => toTable(list()),
  };
}

function toTable(counts: readonly Count[]): string {
  const groups = new Map(
    counts.map(({ mode, unit, behaviour }) => [[mode, unit, behaviour].join(), [mode, unit, behaviour]]),
  );
  const lines = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, [mode = "", unit = "", behaviour = ""]]) => {
      const own = counts.filter((each) => each.mode === mode && each.unit === unit && each.behaviour === behaviour);
      const sums = VERDICTS.map((verdict) =>
        own.reduce((sum, each) => sum + (each.verdict === verdict ? each.count : 0), 0),
      );
      const codes = own.flatMap(({ code, count }) => (code === undefined ? [] : [`${code} ${count}`]));
      return [mode, unit, behaviour, ...sums.map(String), codes.sort().join(", ")];
    });
  const rows = [["mode", "unit", "behaviour", ...VERDICTS, "errors by code"], ...lines];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
