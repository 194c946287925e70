import type { CellOutcome } from "../office/deliveries";
import { toCompanyId, toName, toRegistration } from "./addresses";
import { type ListEditions, TIE } from "./list-editions";
import type { PageRecord } from "./list-pages";
import { hasNews, SLOT, type Slot, toRankedName, toTicker } from "./list-rows";
import { readNumber, toNumber } from "./numbers";
import type { Verdict } from "./tally";

/** A formula that shows a list, and its text. */
export interface ListQuery {
  list: ListEditions;
  /** The most rows; null for all. */
  top: number | null;
  /** Whether the rows are sorted by a measure other than the provider's order. */
  isSorted: boolean;
}

/** The moments an answer may belong to. */
export interface Window {
  /** The edition at the request. */
  from: number;
  to: number;
  /** Whether an older complete edition may serve, since answers of other pages are cached. */
  mayBeOlder: boolean;
  /** The provider's requests since then; all of them if an older edition may serve. */
  records: readonly PageRecord[];
}

export interface Judgement {
  verdict: Verdict;
  count: number;
  code?: string;
  /** The shown and the expected result. */
  because?: string;
}

const NOTHING = ["FEED_NO_VALUE", "FEED_NOT_FOUND"];

export const toCode = (message: string): string => /^(FEED_[A-Z_]+)/.exec(message)?.[1] ?? "UNNAMED";

export function compareList(query: ListQuery, shown: CellOutcome | undefined, window: Window): Judgement {
  if (shown === undefined) return { verdict: "flagged", count: 1, code: "BUSY" };
  if ("error" in shown) {
    const code = toCode(shown.error.message);
    return { verdict: NOTHING.includes(code) ? "denied" : "flagged", count: 1, code, because: shown.error.message };
  }
  const rows = shown.value as unknown[][];
  const read = readRows(query, rows);
  if (typeof read === "string") return { verdict: "wrong", count: rows.length, because: read };
  const because = compare(query, read, window.to);
  for (let edition = window.to; edition >= 0; edition--) {
    if (compare(query, read, edition) !== undefined) continue;
    const isFresh = edition >= window.from || window.mayBeOlder;
    return {
      verdict: isFresh ? "right" : "stale",
      count: rows.length,
      because: `edition ${edition} of ${window.from} to ${window.to}`,
    };
  }
  return { verdict: isUntold(query, read, window) ? "mixed" : "wrong", count: rows.length, because };
}

interface Row {
  entity: number;
  stamp: number;
}

/** The position of the number that identifies a row, and its measure. */
export const KNOWN_BY: Record<ListEditions["kind"], [column: number, slot: Slot]> = {
  companies: [3, "views"],
  pages: [4, "views"],
  industries: [3, "views"],
  private: [3, "employees"],
  universe: [2, "score"],
  constituents: [2, "score"],
};

/** Reads rows that are valid themselves, in the provider's order; a sentence if one is not. */
function readRows({ list, isSorted }: ListQuery, rows: unknown[][]): Row[] | string {
  const [column, slot] = KNOWN_BY[list.kind];
  const isRanked = column > 2 && list.kind !== "private";
  const ordered = isSorted ? [...rows].sort((one, other) => Number(one[0]) - Number(other[0])) : rows;
  const read: Row[] = [];
  for (const [at, row] of ordered.entries()) {
    const meaning = readNumber(Number(row[column]));
    if (meaning.set !== list.set || meaning.slot !== SLOT[slot])
      return `row ${at + 1} is of nothing: ${JSON.stringify(row)}`;
    const { entity, edition: stamp } = meaning;
    const wanted = [...(isRanked ? [at + 1] : []), ...writeCells(list, entity, stamp)];
    if (JSON.stringify(wanted) !== JSON.stringify(row))
      return `row ${at + 1} is ${JSON.stringify(row)} for ${JSON.stringify(wanted)}`;
    read.push({ entity, stamp });
  }
  return read;
}

function writeCells({ kind, set }: ListEditions, entity: number, edition: number): unknown[] {
  const write = (slot: Slot) => toNumber({ set, entity, slot: SLOT[slot], edition });
  const ranked = [toRankedName(set, entity), toTicker(entity) ?? ""];
  if (kind === "companies") return [...ranked, write("views"), write("unique")];
  if (kind === "pages") return [...ranked, hasNews(entity) ? write("newsViews") : 0, write("views")];
  if (kind === "industries") return [`I${set}-${entity}`, toName(set, entity), write("views"), write("unique")];
  const company = [toCompanyId(set, entity), toName(set, entity)];
  if (kind === "private") return [...company, toRegistration(set, entity), write("employees")];
  return [...company, write("score")];
}

/** Compares rows with an edition, ignoring the order within a tie; nothing if they are equal. */
function compare({ list, top }: ListQuery, rows: readonly Row[], edition: number): string | undefined {
  const order = list.orders[edition]!;
  const length = Math.min(top ?? order.length, order.length);
  if (rows.length !== length) return `${rows.length} rows instead of ${length} of edition ${edition}`;
  const places = new Map(order.map((entity, place) => [entity, place]));
  const toGroup = (place = -1) => (list.behaviour.ties === null ? place : Math.floor(place / TIE));
  const seen = new Set<number>();
  for (const [at, { entity, stamp }] of rows.entries()) {
    if (seen.has(entity)) return `row ${at + 1} shows ${entity} a second time`;
    seen.add(entity);
    const isThere = toGroup(places.get(entity)) === toGroup(at) && list.stampOf(entity, edition) === stamp;
    if (!isThere) return `row ${at + 1} shows ${entity} of ${stamp} instead of ${order[at]} of edition ${edition}`;
  }
  return undefined;
}

/** Whether rows of several moments could not be detected, among those in which they may have been read. */
function isUntold(query: ListQuery, rows: readonly Row[], window: Window): boolean {
  const { records, mayBeOlder } = window;
  if (!mayBeOlder) return isUndetectableIn(query, rows, window);
  const starts = records.slice(0, -1).map((_, at) => records.slice(at));
  const readings = starts.flatMap((rest) => rest.slice(1).map((_, at) => rest.slice(0, at + 2)));
  return readings.some((answers) => {
    return isUndetectableIn(query, rows, { from: answers[0]!.edition, to: answers.at(-1)!.edition, records: answers });
  });
}

/**
 * Whether each row was true during the reading, none repeats, their number fits a list of that time, and the totals
 * were stable and equal.
 */
function isUndetectableIn(
  { list, top }: ListQuery,
  rows: readonly Row[],
  { from, to, records }: Omit<Window, "mayBeOlder">,
): boolean {
  const editions = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const isOfPage = list.behaviour.total === "rows of the page"; // no evidence about the list
  const answered = records.filter(({ status }) => status === 200 && !isOfPage);
  const [total, ...others] = new Set(answered.map((each) => each.total));
  const isTotalStill = others.length === 0 && (typeof total !== "number" || top !== null || total === rows.length);
  const isAsLong = editions.some((edition) => rows.length === Math.min(top ?? 1e9, list.orders[edition]!.length));
  const wasTrue = ({ entity, stamp }: Row) =>
    editions.some((edition) => list.orders[edition]!.includes(entity) && list.stampOf(entity, edition) === stamp);
  const known = rows.filter(({ entity }) => list.kind !== "companies" || toTicker(entity) !== null);
  const isOnce = new Set(known.map(({ entity }) => entity)).size === known.length;
  return to > from && isTotalStill && isAsLong && isOnce && rows.every(wasTrue);
}

/** Judges COMPANY.FIND's companies of a country, in any order. */
export function compareFound({ list }: ListQuery, shown: CellOutcome | undefined, window: Window): Judgement {
  if (shown === undefined || "error" in shown) return compareList({ list, top: null, isSorted: false }, shown, window);
  const rows = shown.value as unknown[][];
  const count = rows.length;
  const found = rows.map(([id]) => String(id)).sort();
  const isOf = (order: readonly number[]) =>
    JSON.stringify(order.map((entity) => toCompanyId(list.set, entity)).sort()) === JSON.stringify(found);
  const first = window.mayBeOlder ? 0 : window.from;
  if (list.orders.slice(first, window.to + 1).some(isOf)) return { verdict: "right", count };
  const distinct = new Set(found).size;
  const isDetectable =
    distinct < count || new Set(window.records.map(({ total }) => total)).size > 1 || window.from === window.to;
  return {
    verdict: isDetectable ? "wrong" : "mixed",
    count,
    because: `${count} rows, ${distinct} companies, none of ${list.orders.at(-1)!.length}`,
  };
}
