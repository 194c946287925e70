import type { Query, QueryCache, State } from "../../../feed/query-cache";
import type { Call, Origin } from "../../../session/calls";
import type { Session } from "../../../session/session";
import { type Piece, toPiece } from "./piece";
import type { SelectedFormula } from "./selected-formulas";

/** What is known of a cell's value: why there is none, or which queries it answers. */
interface Provenance {
  /** Why the cell shows no value; null where it shows one. */
  error: unknown;
  /** The queries that it may come from: one, where that can be told. */
  queries: readonly KnownQuery[];
}

/** A query of a cell and what came of it. */
export interface KnownQuery {
  query: Query<unknown>;
  state: State<unknown>;
  /** Numbers of the requests behind it, as the log has them. */
  requests: readonly number[];
  /** How many other formulas show the same answer. */
  shared: number;
  /** What of its answer the cell comes from; null without one. */
  piece: Piece | null;
}

const PENDING: State<unknown> = { status: "pending" };

/** Reads what is known of where a cell comes from. */
export function readProvenance({ call, at }: SelectedFormula, session: Session): Provenance {
  const { queryCache } = session.feed;
  const origin = at === null || call.error !== null ? null : call.findOrigin(at.row, at.column);
  const queries = pickQueries(call.queries, origin, queryCache).map((query): KnownQuery => {
    const live = queryCache.find(query);
    const state = live?.state ?? PENDING;
    const value = readValue(state);
    const piece = value === undefined ? null : toPiece(origin?.error === null ? origin : null, value);
    return { query, state, requests: live?.requests() ?? [], shared: countSharing(value, session, call), piece };
  });
  return { error: call.error ?? origin?.error ?? null, queries };
}

/** Those whose answer has what the cell shows; all where that cannot be told. */
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

const readValue = (state: State<unknown> | undefined): unknown =>
  state?.status === "answered" ? state.answer.value : undefined;

/** How many other formulas show an answer: several queries may have the same one. */
function countSharing(value: unknown, { calls, feed }: Session, own: Call): number {
  if (value === undefined) return 0;
  const isSharing = ({ queries }: Call) =>
    queries.some((query) => readValue(feed.queryCache.find(query)?.state) === value);
  return calls.list().filter((call) => call !== own && isSharing(call)).length;
}
