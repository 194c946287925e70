import type { Progress, Query, QueryCache } from "../../feed/query-cache";

/** How many rows of lists have come, of how many; 0 of 0 where nothing is known. */
export interface RowCount {
  readonly rows: number;
  readonly expected: number;
}

/** Counts the rows of the lists that a formula still waits for. */
export function countRows(queries: readonly Query<unknown>[], { find }: Pick<QueryCache, "find">): RowCount {
  const lists = queries.flatMap((query) => {
    const state = find(query)?.state;
    return state?.status === "pending" ? (state.progress ?? []) : [];
  });
  const sum = (count: (list: Progress) => number) => lists.reduce((all, list) => all + count(list), 0);
  return { rows: sum(({ rows }) => rows.length), expected: sum(({ expected }) => expected) };
}
