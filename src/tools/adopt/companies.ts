import { hasCode } from "../../client/errors";
import type { Cost } from "../../feed/cost";
import { type Financials, readText } from "../../feed/decode";
import type { Query } from "../../feed/query-cache";
import type { Session } from "../../session/session";
import type { Block, BlockCompany, Label } from "./block";

/** A company's financials, and the label that names it; the error of the first label where none does. */
export type LoadedCompany =
  | { answer: Financials; label: Label; error?: never }
  | { answer: null; label: Label; error: unknown };

type Parts = Pick<Session, "feed" | "formulas" | "settings">;

/** Ends the observations under way. */
type Stops = Set<() => void>;

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
  const stops: Stops = new Set();
  let done = 0;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => {
      for (const stop of stops) stop();
      reject(signal.reason);
    });
  });
  const loading = companies.map(async (each) => {
    const loaded = await loadCompany(session, each, stops);
    progress(++done);
    return loaded;
  });
  return Promise.race([Promise.all(loading), aborted]);
}

async function loadCompany(session: Parts, { company, queries }: CompanyQueries, stops: Stops): Promise<LoadedCompany> {
  let first: LoadedCompany | null = null;
  for (const { label, query } of queries) {
    const settled = await settle(session.feed, query, stops);
    if (settled.status === "answered") return { answer: settled.value, label };
    const only = isAmbiguous(settled.error) ? await loadOnly(session, label, stops) : null;
    if (only !== null) return only;
    first ??= { answer: null, label, error: settled.error };
  }
  return first ?? { answer: null, label: company.labels[0] as Label, error: null };
}

const isAmbiguous = hasCode("FEED_AMBIGUOUS");

/** Loads the only company of a name that has financials; null where there are several. */
async function loadOnly(
  { feed, formulas, settings }: Parts,
  { text }: Label,
  stops: Stops,
): Promise<LoadedCompany | null> {
  const found = await settle(feed, feed.names.query(text, settings.country, "exact", "private"), stops);
  const [only, ...others] = found.status === "answered" ? found.value.rows : [];
  const id = only === undefined ? null : readText(only.companyId);
  if (id === null || others.length > 0) return null;
  const [query] = await formulas.listQueries("FINANCIALS", [[[id]]]);
  if (query === undefined) return null;
  const settled = await settle(feed, query as Query<Financials>, stops);
  return settled.status === "answered" ? { answer: settled.value, label: { text, cell: null } } : null;
}

type Settled<T> = { status: "answered"; value: T } | { status: "failed"; error: unknown };

/** Observes a query until it has an answer, or an error that no confirmation lifts. */
function settle<T>({ queryCache }: Session["feed"], query: Query<T>, stops: Stops): Promise<Settled<T>> {
  return new Promise((resolve) => {
    const stop = queryCache.observe(query, (state) => {
      if (state.status === "pending" || (state.status === "failed" && isUnconfirmed(state.error))) return;
      resolve(state.status === "answered" ? { status: "answered", value: state.answer.value } : state);
      // The first state may come before there is a stop.
      queueMicrotask(() => {
        stops.delete(stop);
        stop();
      });
    });
    stops.add(stop);
  });
}

/** Whether requests wait for a person's confirmation, which the pane asks for. */
const isUnconfirmed = hasCode("FEED_CONFIRM_NEEDED");
