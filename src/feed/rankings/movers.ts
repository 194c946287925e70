import type { Row } from "../decode";
import { pickField } from "../fields";
import { findSame, type Missing, toIdentity } from "./joining";
import type { Entry, RankedList } from "./ranked-list";

/** One company, or industry, of two rankings. */
interface Move {
  /** Its row now; null where it has none. */
  now: Entry | null;
  before: Entry | null;
  /** Whether the other ranking certainly has no row of it, where one is null. */
  isCertain: boolean;
}

export interface Mover extends Move {
  /** The row of a table. */
  row: Row;
}

interface MoversOptions {
  /** The measures' names, nested by dots. */
  measures: readonly string[];
  /** "rank" or a measure: the largest change of it comes first, in either direction. */
  by: string;
  /** Makes the error of the cells that depend on an uncertain join. */
  toUncertain: (entry: Entry, list: RankedList) => Error;
}

/**
 * Joins two whole rankings: a row for each company of either, with `previous`, `change` and `growth` of rank and
 * measures, and `status` "new" or "gone". Positive `change.rank` are places gained. Where a join is uncertain, the
 * fields of the other ranking are its error.
 */
export function toMovers(now: RankedList, before: RankedList, options: MoversOptions): readonly Mover[] {
  const moves = listMoves(now, before);
  const sizes = moves.map((move) => ({ move, size: toSize(move, now, before, options.by) }));
  sizes.sort((one, other) => other.size - one.size || 0);
  return sizes.map(({ move }) => ({ ...move, row: toRow(move, now, before, options) }));
}

/** Those of now in their order, then those that only the ranking before has. */
function listMoves(now: RankedList, before: RankedList): Move[] {
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

/** The size of a move, for the order alone: a place below all others counts for those that are new or gone. */
function toSize({ now, before, isCertain }: Move, nowList: RankedList, beforeList: RankedList, by: string): number {
  if (!isCertain) return -1;
  const pick = (entry: Entry | null, list: RankedList) => {
    if (by === "rank") return entry === null ? list.entries.length + 1 : entry.rank;
    return entry === null ? 0 : pickField(entry.row, by);
  };
  const change = subtract(pick(now, nowList), pick(before, beforeList));
  return change === null ? -1 : Math.abs(change);
}

/** The difference of two numbers; null where one is none. */
function subtract(one: unknown, other: unknown): number | null {
  if (typeof one !== "number" || typeof other !== "number") return null;
  return Number.isFinite(one - other) ? one - other : null;
}

function toRow(move: Move, nowList: RankedList, beforeList: RankedList, { measures, toUncertain }: MoversOptions): Row {
  const { now, before, isCertain } = move;
  if (now !== null && before !== null) {
    const { change, growth } = compare(now, before, measures);
    return { ...now.row, rank: now.rank, previous: { ...before.row, rank: before.rank }, change, growth, status: null };
  }
  if (now !== null) {
    const unknown = isCertain ? null : toUncertain(now, beforeList);
    const status = unknown ?? "new";
    return { ...now.row, rank: now.rank, previous: unknown, change: unknown, growth: unknown, status };
  }
  const { row, rank } = before as Entry;
  const unknown = isCertain ? null : toUncertain(before as Entry, nowList);
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
