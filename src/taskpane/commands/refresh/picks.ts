import type { Call } from "../../../session/calls";
import type { Session } from "../../../session/session";
import type { Shown } from "../../../session/shown";

/** The live formulas that show what is older than the workbook wants it, or whose last refresh failed. */
export const listStale = (session: Session): Call[] =>
  session.calls.list().filter(({ queries }) =>
    queries.some((query) => {
      const state = session.feed.queryCache.find(query)?.state;
      if (state?.status !== "answered") return false;
      return state.error !== null || session.isStale(query, state.answer.asOfMs);
    }),
  );

/** The live formulas that show an error, be it in one cell of many. */
export const listErrors = ({ calls }: Pick<Session, "calls">): Call[] =>
  calls.list().filter(({ error, shown }) => error !== null || (shown !== null && isShowingError(shown)));

const isShowingError = (shown: Shown): boolean =>
  Array.isArray(shown) ? shown.some((row: readonly unknown[]) => row.some(isError)) : true;

const isError = (cell: unknown): boolean => typeof cell === "object" && cell !== null && "code" in cell;
