import { DecodeError, type FeedError, hasCode, RequestError } from "../../client/errors";
import type { Provider } from "../../client/provider";
import type { Financials, Row } from "../decode";
import type { List } from "../pages/types";
import type { LoadContext, Query, QueryCache } from "../query-cache/types";
import type { Evidence, EvidenceStore, Route } from "./evidence";
import {
  MOST_FOUND,
  type Naming,
  nameByFinancials,
  nameBySearch,
  toAmbiguous,
  toChanged,
  toDistinct,
  toUnregistered,
} from "./naming";

export interface Lookups {
  provider: Provider;
  queryCache: Pick<QueryCache, "peek" | "seed">;
  companies: {
    query(companyId: string): Query<Row>;
    querySearch(search: { country: string; identifier: string }, wanted: number): Query<List>;
  };
  financials: { query(company: { companyId: string }): Query<Financials> };
}

interface Task {
  lookups: Lookups;
  registrationNumber: string;
  loading: Omit<LoadContext<unknown>, "grow">;
}

/**
 * Finds the company of a number by a route, or by the other one where that has no answer.
 *
 * @throws NoValueError (FEED_AMBIGUOUS) where several companies have it, or another one than before;
 *   RequestError (FEED_NOT_FOUND, FEED_SCOPE_MISSING …)
 */
export async function resolveNumber(
  lookups: Lookups,
  evidence: EvidenceStore,
  registrationNumber: string,
  route: Route,
  loading: Task["loading"],
): Promise<string> {
  const task = { lookups, registrationNumber, loading };
  const other = toOther(route);
  let all = await recordNaming(task, evidence, route);
  // The other route named several, since financials omit companies without any; its answer may have changed.
  if (all[other]?.companyId === null) all = await recordNaming(task, evidence, other);
  const companyId = evidence.pick(all, route);
  if (companyId === null) throw toChanged(registrationNumber, all);
  return companyId;
}

async function recordNaming(task: Task, evidence: EvidenceStore, route: Route): Promise<Evidence> {
  const { registrationNumber, loading } = task;
  const naming = await findNaming(task, route);
  const [companyId = null] = naming.count === 1 ? naming.ids : [];
  const known = companyId === null ? await describe(task, naming) : naming;
  loading.signal.throwIfAborted(); // the client may have changed
  const all = await evidence.record(registrationNumber, route, companyId, loading.sources.asOfMs);
  if (companyId === null) throw toAmbiguous(registrationNumber, known);
  return all;
}

const toOther = (route: Route): Route => (route === "search" ? "financials" : "search");

const isSilence = hasCode("FEED_NOT_FOUND", "FEED_SCOPE_MISSING", "FEED_REQUEST_INVALID", "FEED_AMBIGUOUS");

/** Whether a route's failure says nothing of a number, so that the other one is tried; a partial search may hide a company. */
const isSilent = (route: Route, error: unknown): error is FeedError =>
  isSilence(error) || (route === "financials" && error instanceof DecodeError);

async function findNaming(task: Task, route: Route): Promise<Naming> {
  const other = toOther(route);
  try {
    return await ROUTES[route](task);
  } catch (error) {
    if (!isSilent(route, error)) throw error;
    return ROUTES[other](task).catch((further) => {
      if (!isSilent(other, further)) throw further;
      throw route === "search" ? toFailure(task, error, further) : toFailure(task, further, error);
    });
  }
}

const ROUTES: Record<Route, (task: Task) => Promise<Naming>> = {
  async financials({ lookups: { provider, queryCache, financials }, registrationNumber, loading }) {
    const { whole, ...naming } = await nameByFinancials(provider, registrationNumber, loading);
    if (whole !== null) queryCache.seed(financials.query({ companyId: whole.companyId }), whole, loading.sources);
    return naming;
  },
  async search(task) {
    const naming = await search(task);
    const { queryCache, companies } = task.lookups;
    const [record, ...others] = naming.records;
    const query = record && others.length === 0 ? companies.query(String(record.id)) : null;
    // It saves the company's own read, but never replaces a record that was read by id.
    const isNew = query !== null && queryCache.peek(query).status === "pending";
    if (record && isNew) queryCache.seed(query, record, task.loading.sources);
    return naming;
  },
};

async function search({ lookups, registrationNumber, loading }: Task): Promise<Naming> {
  const query = lookups.companies.querySearch({ country: "ALL", identifier: registrationNumber }, MOST_FOUND);
  const { rows } = await query.load({ ...loading, grow: () => {} });
  return nameBySearch(rows, registrationNumber);
}

/** Adds the companies' names where the answer has only ids. */
async function describe(task: Task, naming: Naming): Promise<Naming> {
  if (naming.records.length > 0) return naming;
  const found = await search(task).catch(() => naming);
  const ids = toDistinct([...naming.ids, ...found.ids]);
  return { ids, count: Math.max(naming.count, ids.length), records: found.records };
}

/** Picks the error of two failed routes: the search's, unless the financials' total exceeds their elements. */
function toFailure({ registrationNumber }: Task, bySearch: FeedError, byFinancials: FeedError): FeedError {
  const { code, facts } = bySearch;
  if (code === "FEED_AMBIGUOUS") return bySearch;
  if (code === "FEED_NOT_FOUND") {
    return byFinancials instanceof DecodeError ? byFinancials : toUnregistered(registrationNumber);
  }
  const said = facts.said === undefined ? "" : ` (${facts.said})`;
  return new RequestError(
    code as "FEED_SCOPE_MISSING" | "FEED_REQUEST_INVALID",
    `this client may not search all countries for the registration number "${registrationNumber}"${said}; use the company's id, or ask the provider`,
    facts,
  );
}
