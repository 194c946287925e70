import { hasCode } from "../../client/errors";
import type { Cost } from "../../feed/cost";
import { type Financials, readText } from "../../feed/decode";
import type { Query } from "../../feed/query-cache";
import type { Session } from "../../session/session";
import { settle, untilAborted } from "../../taskpane/settle";
import type { Block, BlockCompany, Label } from "./block";

/** A company's financials, and the label that names it; the error of the first label where none does. */
export type LoadedCompany =
  | { answer: Financials; label: Label; error?: never }
  | { answer: null; label: Label; error: unknown };

type Parts = Pick<Session, "feed" | "formulas" | "settings">;

/** The queries of a block's companies, as formulas would make them: all years of each. */
export interface CompanyQueries {
  company: BlockCompany;
  queries: readonly { label: Label; query: Query<Financials> }[];
}

/** Lists the queries of a block's companies; none is loaded. */
export async function listCompanyQueries(
  { formulas }: Pick<Session, "formulas">,
  { companies }: Block,
): Promise<CompanyQueries[]> {
  const listed: CompanyQueries[] = [];
  for (const company of companies) {
    const queries: { label: Label; query: Query<Financials> }[] = [];
    for (const label of company.labels) {
      const [query] = await formulas.listQueries("FINANCIALS", [[[toCell(label.text)]]]);
      if (query !== undefined) queries.push({ label, query: query as Query<Financials> });
    }
    listed.push({ company, queries });
  }
  return listed;
}

/** A cell's text as a value that no comma parts, since one cell is one company. */
const toCell = (text: string) => ({ type: "String", basicType: "String", basicValue: text });

/** The cost of comparing a block, with the first label of each company. */
export function toBlockCost({ feed }: Pick<Session, "feed">, companies: readonly CompanyQueries[]): Cost {
  return feed.toCost(companies.flatMap(({ queries }) => queries.slice(0, 1).map(({ query }) => query)));
}

interface Loading {
  /** Called with the number of companies that have an answer or an error. */
  progress: (done: number) => void;
  signal: AbortSignal;
}

/**
 * Loads the financials of companies together; where a label names none, the next one is tried.
 *
 * @throws the signal's reason once it is aborted
 */
export async function loadCompanies(
  session: Parts,
  companies: readonly CompanyQueries[],
  { progress, signal }: Loading,
): Promise<LoadedCompany[]> {
  let done = 0;
  const until = untilAborted(signal);
  const loading = companies.map(async (each) => {
    const loaded = await loadCompany(session, each, until);
    progress(++done);
    return loaded;
  });
  return Promise.all(loading);
}

async function loadCompany(
  session: Parts,
  { company, queries }: CompanyQueries,
  until: Promise<never>,
): Promise<LoadedCompany> {
  let first: LoadedCompany | null = null;
  for (const { label, query } of queries) {
    const state = await settleConfirmed(session, query, until);
    if (state.status === "answered") return { answer: state.answer.value, label };
    const only = isAmbiguous(state.error) ? await loadOnly(session, label, until) : null;
    if (only !== null) return only;
    first ??= { answer: null, label, error: state.error };
  }
  return first ?? { answer: null, label: company.labels[0] as Label, error: null };
}

const isAmbiguous = hasCode("FEED_AMBIGUOUS");

/** Loads the only company of a name that has financials; null where there are several. */
async function loadOnly(session: Parts, { text }: Label, until: Promise<never>): Promise<LoadedCompany | null> {
  const { feed, formulas, settings } = session;
  const named = feed.names.query(text, settings.country, "exact", "private");
  const found = await settleConfirmed(session, named, until);
  const [only, ...others] = found.status === "answered" ? found.answer.value.rows : [];
  const id = only === undefined ? null : readText(only.companyId);
  if (id === null || others.length > 0) return null;
  const [query] = await formulas.listQueries("FINANCIALS", [[[id]]]);
  if (query === undefined) return null;
  const state = await settleConfirmed(session, query as Query<Financials>, until);
  return state.status === "answered" ? { answer: state.answer.value, label: { text, cell: null } } : null;
}

/** Waits for a person's confirmation, which the pane asks for, where requests need one. */
const settleConfirmed = <T>({ feed }: Parts, query: Query<T>, until: Promise<never>) =>
  settle(feed.queryCache, query, { until, isPassing: isUnconfirmed });

const isUnconfirmed = hasCode("FEED_CONFIRM_NEEDED");
