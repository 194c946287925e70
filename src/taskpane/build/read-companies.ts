import type { Row } from "../../feed/decode";
import { foldCode, foldName, foldWhole } from "../../feed/names/folding";
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

/** Exact matches come first in a search; so many may share a name. */
const MOST_READ = 50;

/**
 * Returns a function that reads texts as names or tickers of companies by the index.
 *
 * @param needs the family that must have the company
 */
export function useReadCompanies(needs: NameSource): (texts: readonly string[]) => Promise<ReadCompany[]> {
  const { session, texts } = usePane();
  const { names, queryCache } = session.feed;
  const read = async (text: string): Promise<ReadCompany> => {
    const state = await settle(queryCache, names.query(text, session.settings.country, MOST_READ, needs));
    const rows = state.status === "answered" ? state.answer.value.rows : [];
    const only = pickOnly(rows, text);
    return { text, company: only === null ? null : readFound(only, texts.language) };
  };
  return (all) => Promise.all(all.map(read));
}

/** Observes a query until it has an answer or an error. */
function settle<T>(queryCache: QueryCache, query: Query<T>): Promise<State<T>> {
  return new Promise((resolve) => {
    const stopping = new AbortController();
    const stop = queryCache.observe(query, (state) => {
      if (state.status === "pending") return;
      resolve(state);
      stopping.abort();
    });
    if (stopping.signal.aborted) stop();
    else stopping.signal.addEventListener("abort", stop);
  });
}

/** Picks the one company with the text as its name or code; of several, the one with its exact spelling. */
export function pickOnly(rows: readonly Row[], text: string): Row | null {
  const hasName = (row: Row, fold: (name: string) => string) => NAMES.some((name) => isSame(row[name], text, fold));
  const hasCode = (row: Row) => listCodes(row).some((code) => isSame(code, text, foldCode));
  const exact = rows.filter((row) => hasName(row, foldName) || hasCode(row));
  const spelt = exact.filter((row) => hasName(row, foldWhole) || hasCode(row));
  const [only, ...others] = spelt.length > 0 ? spelt : exact;
  return only !== undefined && others.length === 0 ? only : null;
}

const NAMES = ["companyName", "companyFormalName", "companyLegalName", "companyEnglishName", "companyInformalName"];

const listCodes = ({ tickerSymbol, exchangeCode, registrationNumber }: Row): unknown[] => [
  tickerSymbol,
  `${exchangeCode}:${tickerSymbol}`,
  registrationNumber,
];

const isSame = (value: unknown, text: string, fold: (text: string) => string): boolean =>
  typeof value === "string" && value !== "" && fold(value) !== "" && fold(value) === fold(text);
