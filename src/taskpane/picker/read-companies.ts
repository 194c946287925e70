import type { NameSource } from "../../feed/names/rows";
import { type FoundCompany, readFound } from "../company-search";
import { usePane } from "../pane";
import { settle } from "../settle";

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
