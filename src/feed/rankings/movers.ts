import type { Row } from "../decode";
import { pickField } from "../fields";
import { type Entry, findSame, type Missing, type RankedList, toIdentity } from "./ranked-list";

/** One company, or industry, of two rankings. */
export interface Move {
  /** Its row now; null where it has none. */
  readonly now: Entry | null;
  readonly before: Entry | null;
  /** Whether the other ranking certainly has no row of it, where one is null. */
  readonly isCertain: boolean;
}

/** Two whole rankings. */
export interface TwoLists {
  readonly now: RankedList;
  readonly before: RankedList;
}

/** Those of now in their order, then those that only the ranking before has. */
export function listMoves({ now, before }: TwoLists): Move[] {
  const joined = new Set<Entry>();
  const current = now.entries.map((entry): Move => {
    const found = findOther(entry, now, before);
    if (typeof found === "string") return { now: entry, before: null, isCertain: isGone(found, entry) };
    joined.add(found);
    return { now: entry, before: found, isCertain: true };
  });
  const left = before.entries.filter((entry) => !joined.has(entry));
  const former = left.map((entry): Move => {
    const found = findOther(entry, before, now);
    return { now: null, before: entry, isCertain: typeof found === "string" && isGone(found, entry) };
  });
  return [...current, ...former];
}

/** Finds a row of one ranking in the other; two rows may not share one. */
function findOther(entry: Entry, own: RankedList, other: RankedList): Entry | Missing {
  const identity = toIdentity(entry, [own, other]);
  return findSame(own, identity) === entry ? findSame(other, identity) : "uncertain";
}

/** Without a code, a row that is not found may have another name there. */
const isGone = (found: Missing, { code }: Entry): boolean => found === "absent" && code !== null;

/**
 * Puts the largest moves first, in either direction; uncertain ones come last.
 *
 * @param by "rank" or a measure, nested by dots
 */
export function sortMoves(moves: readonly Move[], lists: TwoLists, by: string): Move[] {
  const sized = moves.map((move) => ({ move, size: toSize(move, lists, by) }));
  return sized.sort((one, other) => other.size - one.size).map(({ move }) => move);
}

/** The size of a move, for the order alone: a place below all others counts for those that are new or gone. */
function toSize({ now, before, isCertain }: Move, lists: TwoLists, by: string): number {
  if (!isCertain) return -1;
  const pick = (entry: Entry | null, list: RankedList) => {
    if (by === "rank") return entry === null ? list.entries.length + 1 : entry.rank;
    return entry === null ? 0 : pickField(entry.row, by);
  };
  const change = subtract(pick(now, lists.now), pick(before, lists.before));
  return change === null ? -1 : Math.abs(change);
}

/** The difference of two numbers; null where one is none. */
function subtract(one: unknown, other: unknown): number | null {
  if (typeof one !== "number" || typeof other !== "number") return null;
  return Number.isFinite(one - other) ? one - other : null;
}

/**
 * Makes the row of a move: that of now, with `previous`, `change` and `growth` of rank and measures, and `status` "new" or
 * "gone". Positive `change.rank` are places gained. What an uncertain join would give is its error.
 *
 * @param measures their names, nested by at most one dot
 */
export function toMoverRow(
  { now, before, isCertain }: Move,
  measures: readonly string[],
  toUncertain: (entry: Entry, isOfNow: boolean) => Error,
): Row {
  if (now !== null && before !== null) {
    const { change, growth } = compare(now, before, measures);
    return { ...now.row, rank: now.rank, previous: { ...before.row, rank: before.rank }, change, growth, status: null };
  }
  if (now !== null) {
    const unknown = isCertain ? null : toUncertain(now, true);
    const status = unknown ?? "new";
    return { ...now.row, rank: now.rank, previous: unknown, change: unknown, growth: unknown, status };
  }
  const { row, rank } = before as Entry;
  const unknown = isCertain ? null : toUncertain(before as Entry, false);
  const status = unknown ?? "gone";
  const counts = Object.fromEntries(measures.map((name) => [name.split(".")[0], unknown]));
  return { ...row, ...counts, rank: unknown, previous: { ...row, rank }, change: unknown, growth: unknown, status };
}

/** The changes of rank and measures; growth is a share of the number before, and none of zero. */
function compare(now: Entry, before: Entry, measures: readonly string[]): { change: Row; growth: Row } {
  const changes = measures.map((name): [string, number | null, number | null] => {
    const [value, former] = [pickField(now.row, name), pickField(before.row, name)];
    const change = subtract(value, former);
    return [name, change, change !== null && typeof former === "number" && former > 0 ? change / former : null];
  });
  return {
    change: { rank: subtract(before.rank, now.rank), ...nest(changes.map(([name, change]) => [name, change])) },
    growth: nest(changes.map(([name, , growth]) => [name, growth])),
  };
}

/** Makes a row of fields that are nested by at most one dot. */
function nest(values: readonly (readonly [name: string, value: unknown])[]): Row {
  const row: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const [outer = "", inner] = name.split(".");
    row[outer] = inner === undefined ? value : { ...(row[outer] as Row | undefined), [inner]: value };
  }
  return row;
}
