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
const COLUMNS = [
  "mode",
  "unit",
  "behaviour",
  "right",
  "flagged",
  "wrong",
  "denied",
  "stale",
  "mixed",
  "errors by code",
];

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
  const groups = new Map<string, Count[]>();
  for (const each of counts) groups.set(toGroup(each), [...(groups.get(toGroup(each)) ?? []), each]);
  const lines = [...groups].map(([group, of]) => {
    const sum = (verdict: Verdict) =>
      String(of.filter((each) => each.verdict === verdict).reduce((all, { count }) => all + count, 0));
    const codes = of.flatMap(({ code, count }) => (code === undefined ? [] : [`${code} ${count}`]));
    const verdicts = (["right", "flagged", "wrong", "denied", "stale", "mixed"] as const).map(sum);
    return [...group.split("|"), ...verdicts, codes.sort().join(", ")];
  });
  const rows = [COLUMNS, ...lines.sort((one, other) => (one.join() < other.join() ? -1 : 1))];
  const widths = COLUMNS.map((_, at) =>
    Math.max(...rows.map((row) => (at === COLUMNS.length - 1 ? 0 : row[at]!.length))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const toGroup = ({ mode, unit, behaviour }: Count): string => [mode, unit, behaviour].join("|");
