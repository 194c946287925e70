import type { Answer, Query, State } from "../feed/query-cache";
import type { Table } from "./cells";

/** An answer, or the reason why there is none. */
export type Settled = Exclude<State<unknown>, { status: "pending" }>;

/** The answer of a query. @throws what the query failed with */
export function readAnswer<T>(settled: Settled | undefined): Answer<T> {
  if (settled?.status !== "answered") throw settled?.error;
  return settled.answer as Answer<T>;
}

/** What a formula asks and how it shows the answers. */
export interface View {
  queries: readonly Query<unknown>[];
  /**
   * Turns the answers, in the order of the queries, into a table; null while showing a part would be wrong.
   * What it throws is shown.
   */
  show(settled: readonly Settled[]): Table | null;
  /** Whether a refresh opens it anew: it depends on today, or there is something to try again. */
  rereadsOnRefresh: boolean;
  /** Begins once a cell holds it: has `notify` called when what it shows besides answers has changed; gives the end of it. */
  listen?(notify: () => void): () => void;
}
