import type { NameSource } from "../../feed/names/rows";
import type { Query, QueryCache, State } from "../../feed/query-cache";
import { type FoundCompany, readFound } from "../company-search";
import { usePane } from "../pane";

/** A text that a person gave as a company. */
export interface ReadCompany {
  text: string;
  /** The only company that has it as its name or ticker; null where it is doubtful. */
  company: FoundCompany | null;
}

/**
 * Returns a function that reads texts as names or tickers of companies by the index, as a formula does.
 *
 * @param needs the family that must have the company; default any
 */
export function useReadCompanies(needs?: NameSource): (texts: readonly string[]) => Promise<ReadCompany[]> {
  const { session, texts } = usePane();
  const { names, queryCache } = session.feed;
  const read = async (text: string): Promise<ReadCompany> => {
    const state = await settle(queryCache, names.query(text, session.settings.country, "exact", needs));
    const [only, ...others] = state.status === "answered" ? state.answer.value.rows : [];
    return { text, company: only === undefined || others.length > 0 ? null : readFound(only, texts.language) };
  };
  return (all) => Promise.all(all.map(read));
}

/** Observes a query until it has an answer or an error. */
function settle<T>(queryCache: QueryCache, query: Query<T>): Promise<State<T>> {
  return new Promise((resolve) => {
    const stop = queryCache.observe(query, (state) => {
      if (state.status === "pending") return;
      resolve(state);
      queueMicrotask(() => stop()); // the first state may come before there is a stop
    });
  });
}
