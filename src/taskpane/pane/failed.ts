import type { FeedError } from "../../client/errors";
import type { Server } from "../../client/http/families";
import type { Query } from "../../feed/query-cache";
import type { Shown } from "../../session/calls";
import type { Session } from "../../session/session";

/** Counts the cells that show an error caused by some families; all others keep what they show. */
export function countFailed({ feed, calls }: Session, families: readonly Server[]): number {
  const isMeant = (error: unknown) => {
    const cause = feed.families.findCause(error);
    return cause !== undefined && families.includes(cause.family);
  };
  const codes = new Set<string>();
  for (const { error } of feed.queryCache.failed()) if (isMeant(error)) codes.add(error.code);
  if (codes.size === 0) return 0;
  const hasFailed = (query: Query<unknown>) => {
    const state = feed.queryCache.find(query)?.state;
    return state !== undefined && state.status !== "pending" && isMeant(state.error as FeedError | null);
  };
  const failed = calls.list().filter(({ queries, shown }) => shown !== null && queries.some(hasFailed));
  return failed.reduce((count, { shown }) => count + countErrors(shown as Shown, codes), 0);
}

/** A formula may show other errors beside those of the outage. */
function countErrors(shown: Shown, codes: ReadonlySet<string>): number {
  const cells: readonly unknown[] = Array.isArray(shown) ? shown.flat() : [shown];
  return cells.filter((cell) => {
    const { message } = Object(cell) as { message?: unknown };
    return typeof message === "string" && codes.has(message.split(":", 1)[0] ?? "");
  }).length;
}
