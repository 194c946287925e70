import type { Query, QueryCache, State } from "../../feed/query-cache";
import type { Resolution } from "../../feed/resolutions";
import type { Origin } from "../../session/calls";
import type { Session } from "../../session/session";
import { WAITING } from "../activity/formula-state";
import type { Snapshot } from "../activity/snapshot";
import { readNamed } from "../named-companies";
import { isErrorCode } from "../workbook/feed-cells";
import { type Piece, toPiece } from "./piece";
import type { SelectedFormula } from "./selected-formulas";

/** The provenance of a cell's value: its error or its queries. */
export interface Provenance {
  /** The part of the answer that the cell shows; null where it shows none. */
  origin: Origin | null;
  /** Why the cell shows no value; null where it shows one. */
  error: unknown;
  /** The queries that it may come from; one where that is certain. */
  queries: readonly KnownQuery[];
}

/** A query of a cell and its state. */
export interface KnownQuery {
  query: Query<unknown>;
  state: State<unknown>;
  /** Numbers of its requests in the log. */
  requests: readonly number[];
  /** Number of other formulas that show the same answer. */
  shared: number;
  /** The part of its answer behind the cell; null without an answer. */
  piece: Piece | null;
}

const PENDING: State<unknown> = { status: "pending" };

/** Reads the provenance of a cell. */
export function readProvenance(
  { call, at }: SelectedFormula,
  session: Session,
  { sharing }: Pick<Snapshot, "sharing">,
): Provenance {
  const { queryCache } = session.feed;
  const origin = at === null || call.error !== null ? null : call.findOrigin(at.row, at.column);
  const queries = pickQueries(call.queries, origin, queryCache).map((query): KnownQuery => {
    const live = queryCache.find(query);
    const state = live?.state ?? PENDING;
    const value = readValue(state);
    const piece = value === undefined ? null : toPiece(origin?.error === null ? origin : null, value);
    return {
      query,
      state,
      requests: live?.requests() ?? [],
      shared: Math.max(0, (sharing.get(value) ?? 0) - 1),
      piece,
    };
  });
  return { origin, error: call.error ?? origin?.error ?? null, queries };
}

/** The query whose answer holds the cell's value; all queries where that is unknown. */
function pickQueries(
  all: readonly Query<unknown>[],
  origin: Origin | null,
  queryCache: Pick<QueryCache, "find">,
): readonly Query<unknown>[] {
  if (origin?.query !== undefined) return [origin.query];
  const years = [...(origin?.places ?? []), ...(origin?.rowPlaces ?? [])].map(({ year }) => year);
  const having = all.filter((query) => {
    const known = readValue(queryCache.find(query)?.state) as { years?: readonly unknown[] } | undefined;
    return years.length > 0 && years.every((year) => known?.years?.includes(year));
  });
  return having.length > 0 ? having.slice(0, 1) : all;
}

/** More would push the rest out of sight. */
const MOST_RESOLUTIONS = 5;

/** What the names in a cell's queries mean in this workbook, each once. */
export function listResolutions(queries: readonly Pick<KnownQuery, "query">[], { feed }: Session): Resolution[] {
  const all = queries.flatMap(({ query }) => {
    const named = readNamed(query.key);
    return (named && feed.resolutions.find(named)) ?? [];
  });
  return [...new Set(all)].slice(0, MOST_RESOLUTIONS);
}

const readValue = (state: State<unknown> | undefined): unknown =>
  state?.status === "answered" ? state.answer.value : undefined;

/** The error that a cell shows though its formula has handed over a value, such as "#SPILL!"; null for none. */
export function readHiding({ call, cell, output }: SelectedFormula, { known }: Pick<Snapshot, "known">): string | null {
  const [live] = known.calls.get(call) ?? [];
  if (live?.state !== "answered" || output === null || output !== call.shown) return null;
  return isErrorCode(cell.value) && !WAITING.includes(cell.value) ? String(cell.value) : null;
}
