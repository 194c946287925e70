import type { FeedError } from "../../client/errors";
import type { Server } from "../../client/http/families";
import type { Query } from "../../feed/query-cache";
import type { Shown } from "../../session/calls";
import type { Session } from "../../session/session";

/** The failures of an outage; cells and queries apart, since many cells may show one query's answer. */
export interface FailedCounts {
  /** Queries whose last attempt failed. */
  queries: number;
  /** Cells that show an error for that; all others keep what they show. */
  cells: number;
}

/** Counts the failures caused by some families. */
export function countFailed({ feed, calls }: Session, families: readonly Server[]): FailedCounts {
  const isMeant = (error: unknown) => {
    const cause = feed.families.findCause(error);
    return cause !== undefined && families.includes(cause.family);
  };
  const codes = new Set<string>();
  let queries = 0;
  for (const { error } of feed.queryCache.failed()) {
    if (!isMeant(error)) continue;
    queries++;
    codes.add(error.code);
  }
  if (queries === 0) return { queries, cells: 0 };
  const hasFailed = (query: Query<unknown>) => {
    const state = feed.queryCache.find(query)?.state;
    return state !== undefined && state.status !== "pending" && isMeant(state.error as FeedError | null);
  };
  const failed = calls.list().filter(({ queries, shown }) => shown !== null && queries.some(hasFailed));
  return { queries, cells: failed.reduce((count, { shown }) => count + countErrors(shown as Shown, codes), 0) };
}

/** A formula may show other errors beside those of the outage. */
function countErrors(shown: Shown, codes: ReadonlySet<string>): number {
  const cells: readonly unknown[] = Array.isArray(shown) ? shown.flat() : [shown];
  return cells.filter((cell) => {
    const { message } = Object(cell) as { message?: unknown };
    return typeof message === "string" && codes.has(message.split(":", 1)[0] ?? "");
  }).length;
}
