/** What became of what a cell shows, beside the truth. */
export type Verdict =
  /** It is the truth. */
  | "right"
  /** It is an error, or a value of before that the pane marks as old. */
  | "flagged"
  /** It is not the truth, and nothing says so. */
  | "wrong"
  /** It says that there is nothing where there is something. */
  | "denied"
  /** It is a truth of before a refresh that succeeded. */
  | "stale"
  /** It is mixed of moments, and no answer of the provider gave a sign of that. */
  | "mixed";

export const FAILURES: readonly Verdict[] = ["wrong", "denied", "stale"];

/** Behaviours beside which an error is a failure: the provider gives all that is asked for. */
export const MUST_COME: readonly string[] = ["honest", "answered late", "never answered at first"];

export type Unit = "rows" | "figures";

export interface Count {
  mode: string;
  behaviour: string;
  unit: Unit;
  verdict: Verdict;
  /** Rows or figures; of a list that shows an error 1. */
  count: number;
  /** Of an error. */
  code?: string;
}

/** Counts verdicts by mode and behaviour. */
export interface Tally {
  add(count: Count): void;
  /** Tells of something that must not be; of the same kind a few times at most. */
  complain(kind: string, sentence: string): void;
  /** Rows or figures of a mode that show a value, right or not. */
  shown(mode: string, unit: Unit): number;
  /** How many of a verdict, over all. */
  total(verdict: Verdict): number;
  /** Errors where everything must come. */
  missing(): number;
  toTable(): string;
}

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

export function createTally(print: (line: string) => void): Tally {
  const counts = new Map<string, Count>();
  const complaints = new Map<string, number>();
  const list = () => [...counts.values()];
  const sum = (isMeant: (count: Count) => boolean) =>
    list().reduce((all, each) => all + (isMeant(each) ? each.count : 0), 0);
  return {
    add(count) {
      const key = [count.mode, count.unit, count.behaviour, count.verdict, count.code].join();
      const known = counts.get(key);
      if (known) known.count += count.count;
      else counts.set(key, { ...count });
    },
    complain(kind, sentence) {
      const known = (complaints.get(kind) ?? 0) + 1;
      complaints.set(kind, known);
      if (known <= MOST_OF_A_KIND) print(sentence);
    },
    shown: (mode, unit) => sum((each) => each.mode === mode && each.unit === unit && each.verdict !== "flagged"),
    total: (verdict) => sum((each) => each.verdict === verdict),
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
