import type { Chance } from "../support/chance";
import type { ListBehaviour } from "./list-behaviour";
import type { ListEditions } from "./list-editions";
import { writeRow } from "./list-rows";

export interface PageRecord {
  edition: number;
  page: number;
  requestedSize: number | null;
  status: number;
  rows: number;
  total: unknown;
}

export interface ServedList {
  list: ListEditions;
  records: PageRecord[];
  /** What holds its later pages up. */
  setback: Setback;
  answer(query: URLSearchParams): { status: number; body: object; delayMs?: number };
}

interface Setback {
  /** How much later each page comes than the one before, milliseconds. */
  slowMs: number;
  /** The number of a page that always fails; null for none. */
  failing: number | null;
}

interface Wanted {
  page: number;
  requestedSize: number | null;
  /** The rows of a page, and its start. */
  size: number;
  from: number;
}

const DEFAULT_SIZE = 25;

export function serveList(list: ListEditions, chance: Chance): ServedList {
  const records: PageRecord[] = [];
  const setback: Setback = { slowMs: 0, failing: null };
  const { behaviour } = list;
  let changes = 0;
  /** A list drifts after an answer, so that each page is of one edition. */
  const driftBehind = (page: number) => {
    const { drift } = behaviour;
    if (drift === null || changes >= drift.times) return;
    if (drift.when === "first page" && page !== 1) return;
    if (drift.when === "some requests" && !chance.happens(0.3)) return;
    changes += 1;
    list.change(drift.how);
  };
  return {
    list,
    records,
    setback,
    answer(query) {
      const delayMs = setback.slowMs * (Number(query.get("page") ?? 1) - 1);
      if (Number(query.get("page")) === setback.failing) return { ...FAILED, delayMs };
      const wanted = toWanted(
        behaviour,
        query,
        list.kind === "industries" ? 1_000 : DEFAULT_SIZE,
        list.orders.at(-1)!.length,
      );
      const edition = list.orders.length - 1;
      const { status, body, rows, total } = wanted === null ? REFUSED : toPage(list, wanted, records.length);
      const { page, requestedSize } = wanted ?? {
        page: Number(query.get("page") ?? 1),
        requestedSize: Number(query.get("page_size")),
      };
      records.push({ edition, page, requestedSize, status, rows, total });
      driftBehind(page);
      return { status, body, delayMs };
    },
  };
}

const FAILED = { status: 503, body: { error: { code: "UNAVAILABLE", message: "the page cannot be had" } } };

const REFUSED = {
  status: 400,
  body: { error: { code: "PAGE_SIZE", message: "page_size is too large" } },
  rows: 0,
  total: null,
};

/** Reads a request's page; null if the provider refuses its size. */
function toWanted({ sizing }: ListBehaviour, query: URLSearchParams, preset: number, length: number): Wanted | null {
  const page = Number(query.get("page") ?? 1);
  const requestedSize = query.has("page_size") ? Number(query.get("page_size")) : null;
  const size = requestedSize ?? preset;
  const from = (each: number) => (page - 1) * each;
  if (!("rows" in sizing)) {
    if (sizing.as === "all at once") return { page, requestedSize, size: length, from: 0 };
    return { page, requestedSize, size, from: sizing.as === "ignores page" ? 0 : from(size) };
  }
  const { rows } = sizing;
  const least = Math.min(size, rows);
  if (sizing.as === "refused") return size > rows ? null : { page, requestedSize, size, from: from(size) };
  if (sizing.as === "fixed") return { page, requestedSize, size: rows, from: from(rows) };
  if (sizing.as === "gappy") return { page, requestedSize, size: least, from: from(size) };
  if (sizing.as === "overlapping") return { page, requestedSize, size, from: from(least) };
  return { page, requestedSize, size: least, from: from(least) };
}

function toPage(list: ListEditions, wanted: Wanted, count: number) {
  const { behaviour, orders } = list;
  const { page, size } = wanted;
  const edition = orders.length - 1;
  const order = list.orderTies({ page, size, count });
  let { from } = wanted;
  if (from >= order.length && page > 1) {
    const { pastEnd } = behaviour;
    if (typeof pastEnd === "number") return { ...REFUSED, status: pastEnd };
    if (pastEnd === "last page") from = Math.floor((order.length - 1) / size) * size;
  }
  const data = order.slice(from, from + size).map((entity) => writeRow(list, entity, edition));
  const total = toTotal(behaviour.total, order.length, orders[0]!.length, data.length);
  return {
    status: 200,
    rows: data.length,
    total,
    body: { data, page, ...toReportedSize(behaviour, wanted), ...(total !== undefined && { total }) },
  };
}

function toTotal(
  kind: ListBehaviour["total"],
  length: number,
  first: number,
  rows: number,
): number | string | undefined {
  const totals = {
    true: length,
    absent: undefined,
    larger: length + 50,
    smaller: Math.max(0, length - 30),
    first,
    "rows of the page": rows,
    text: String(length),
  };
  return totals[kind];
}

function toReportedSize({ says }: ListBehaviour, { size, requestedSize }: Wanted): object {
  if (says === "nothing") return {};
  return { pageSize: says === "its size" ? size : (requestedSize ?? size) };
}
