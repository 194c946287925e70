import { DecodeError, type FeedError, hasCode, NoValueError, RequestError } from "../../client/errors";
import { toCompanyKey } from "../../client/ids";
import { joined, msg } from "../../client/messages";
import type { LoadOptions, Provider } from "../../client/provider";
import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import { decodeFinancials, decodePage, type Financials, type Row, readText } from "../decode";
import type { List } from "../pages/types";
import type { LoadContext, Query, QueryCache } from "../query-cache/types";
import type { Evidence, EvidenceStore, Route } from "./evidence";

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
  loading: LoadContext;
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
  const { rows } = await query.load(loading);
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
    msg`this client may not search all countries for the registration number "${registrationNumber}"${said}; use the company's id, or ask the provider`,
    facts,
  );
}

/** The companies that an answer names for a registration number. */
export interface Naming {
  /** Each once. */
  ids: readonly string[];
  /** How many there are in all: the answer may list fewer. */
  count: number;
  /** Their records, if the answer has them. */
  records: readonly Row[];
}

/** Whether an answer's registration number is the requested one: "0107" is not "107". */
export function isRegistration(value: unknown, registrationNumber: string): boolean {
  if (typeof value !== "string" && !Number.isSafeInteger(value)) return false;
  return fold(String(value)) === fold(registrationNumber);
}

const fold = (registrationNumber: string): string => registrationNumber.trim().toLowerCase();

/** Ids in any letter case, each once. */
export const toDistinct = (ids: readonly string[]): string[] => [
  ...new Map(ids.map((id) => [toCompanyKey(id), id])).values(),
];

const MOST_CANDIDATES = 5;

/** Makes the error of a number that several companies have. */
export function toAmbiguous(registrationNumber: string, { ids, count, records }: Naming): NoValueError {
  const candidates = ids.slice(0, MOST_CANDIDATES).map((id) => describeCandidate(id, records));
  const listed = joined(candidates, "; ");
  const all = count > candidates.length ? msg`${listed} and ${count - candidates.length} more` : listed;
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${registrationNumber}" names ${count} companies: ${all}; put one of the quoted ids in place of the number`,
  );
}

/** Describes a company for a choice: `"3d1c…" (Sakura Foods, JPN, Osaka)`. */
function describeCandidate(companyId: string, records: readonly Row[]): string {
  const record = records.find(({ id }) => toCompanyKey(String(id)) === toCompanyKey(companyId));
  const address = record?.registeredAddress as Row | null | undefined;
  const facts = [record?.companyName, address?.country, address?.city].filter((fact) => readText(fact) !== null);
  return facts.length === 0 ? `"${companyId}"` : `"${companyId}" (${facts.join(", ")})`;
}

/** Makes the error of a number whose company changed, or differs by route. */
export function toChanged(registrationNumber: string, evidence: Evidence): NoValueError {
  const named = Object.values(evidence).filter((each) => each?.companyId);
  const dated = named.map(({ companyId, atMs }) => `"${companyId}" (${new Date(atMs).toISOString().slice(0, 10)})`);
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${registrationNumber}" does not always name the same company: ${[...new Set(dated)].join(", ")}; put one of the quoted ids in place of the number`,
  );
}

/** Makes the error of a number that no company has. */
export function toUnregistered(registrationNumber: string): RequestError {
  return new RequestError(
    "FEED_NOT_FOUND",
    msg`no company has the id or registration number "${registrationNumber}"; check the number`,
  );
}

/** No number has so many companies: a search that finds them ignored the number. */
export const MOST_FOUND = 100;

/**
 * Picks the companies of a number from the whole search over all countries. The filter also takes "other ids" (§4.2):
 * only companies with the exact number count.
 *
 * @throws RequestError (FEED_NOT_FOUND) where no company has it; NoValueError (FEED_AMBIGUOUS) where the search is not
 *   by number
 */
export function nameBySearch(rows: readonly Row[], registrationNumber: string): Naming {
  const records = rows.filter(
    ({ id, registrationNumber: own }) => readText(id) !== null && isRegistration(own, registrationNumber),
  );
  const ids = toDistinct(records.map(({ id }) => String(id)));
  if (ids.length <= 1 && rows.length >= MOST_FOUND) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      msg`the search for "${registrationNumber}" gives ${MOST_FOUND} companies or more, too many to tell; use the company's id`,
    );
  }
  if (ids.length === 0) throw toUnregistered(registrationNumber);
  return { ids, count: ids.length, records };
}

/** The companies with financials of a number, and the only one's financials if they are surely complete. */
type NamedFinancials = Naming & { whole: Financials | null };

/**
 * Resolves a number by POST /financials with that single identifier (§4.2): the answer has ids only, and matching
 * several by position would be a guess.
 *
 * @throws RequestError (FEED_NOT_FOUND) where no company has it; DecodeError (FEED_RESPONSE_MALFORMED) where the answer
 *   has less than its total, or is not by number; the errors of `provider.load`
 */
export async function nameByFinancials(
  provider: Provider,
  registrationNumber: string,
  { signal, sources }: LoadOptions,
): Promise<NamedFinancials> {
  const body = { identifiers: [registrationNumber] };
  const reply = await provider.load({ operation: "getFinancialsOfMany", body }, { signal, sources });
  const { rows, total } = decodePage(reply.body, "financials");
  const found = rows.map(decodeFinancials);
  const ids = toDistinct(found.map(({ companyId }) => companyId));
  const announced = Math.max(rows.length, total ?? 0);
  // A company may come in several elements, one per year: the total counts companies only beside a single element.
  const count = ids.length > 1 || rows.length === 1 ? Math.max(ids.length, total ?? 0) : ids.length;
  // So many companies show that the provider ignored the number.
  if (count >= DEFAULT_PAGE_SIZE) {
    throw new DecodeError(
      msg`the provider answers the registration number "${registrationNumber}" with ${count} companies; use the company's id`,
    );
  }
  if (count <= 1 && announced > rows.length) {
    throw new DecodeError(
      msg`the provider announces financials of ${announced} for the registration number "${registrationNumber}" and gives ${rows.length}; use the company's id`,
    );
  }
  const [first] = found;
  if (first === undefined) throw toUnregistered(registrationNumber);
  // Several elements, or one year, may be a part: the whole needs a read of the company alone.
  const isWhole = rows.length === 1 && total === 1 && first.years.length > 1;
  return { ids, count, records: [], whole: isWhole ? first : null };
}
