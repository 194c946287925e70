import { type CompanyRef, mayBeNumber } from "../client/ids";
import type { OperationId } from "../client/provider";
import type { Batch } from "./financials/batch";
import type { NameIndexes } from "./names/indexes";
import type { PageLimits } from "./pages";
import type { Query, QueryCache } from "./query-cache";
import type { CompanyData } from "./registrations/evidence";
import type { WrittenCompanies } from "./written-companies";

/** A formula's requests for data. */
export interface Cost {
  /** Number of requests with empty caches. */
  requests: number;
  /** Number of requests now. */
  now: number;
  /** Whether it may be more: the length of a list, or the company of a number, is unknown before it is read. */
  isLeast: boolean;
  /** Whether it may be less: the first answer may make a second request unnecessary. With `isLeast` it is about as many. */
  isMost?: boolean;
  /** Whether it is more by the rows of a list, whose length its first page shows. */
  isByRows?: boolean;
}

/** The feed's knowledge, without a request. */
interface Knowledge extends Pick<Batch, "companiesAtOnce" | "hasBounds"> {
  /** Whether a query or its wider query has a whole answer. */
  isAnswered(query: Query<unknown>): boolean;
  /** Whether the query of this key, a part of another one, has a whole answer. */
  isKnown(key: readonly unknown[]): boolean;
  /** Whether the id of a written company is known. */
  isResolved(company: CompanyRef, data: CompanyData): boolean;
  /** Whether the names of a country are indexed. */
  isIndexed(country: string): boolean;
  /** How many requests the last whole ranking of this operation took; undefined before the first one's first page. */
  rankingRequests(operation: string): number | undefined;
}

/** Estimates the cost of a formula with these queries. */
export function toCost(queries: readonly Query<unknown>[], known: Knowledge): Cost {
  const open = queries.filter((query) => !known.isAnswered(query));
  const nothing: Knowledge = {
    ...known,
    isAnswered: () => false,
    isKnown: () => false,
    isResolved: (company) => "companyId" in company,
    isIndexed: () => false,
  };
  const [all, now] = [countRequests(queries, nothing), countRequests(open, known)];
  const { requests: _, ...bounds } = open.length === 0 ? all : now;
  return { requests: all.requests, now: now.requests, ...bounds };
}

type Count = Omit<Cost, "now">;

/**
 * Counts the requests of these queries, answered or not. It takes all of them at once, since queries share requests.
 */
export function countRequests(queries: readonly Query<unknown>[], known: Knowledge): Count {
  const is = (name: string) => (query: Query<unknown>) => query.key[0] === name;
  const isIndexed = (query: Query<unknown>) => is("findNames")(query) || is("matchNames")(query);
  const others = queries.filter((query) => !is("financials")(query) && !isIndexed(query));
  const counts = [
    countFinancials(queries.filter(is("financials")), known),
    countIndexes(queries.filter(isIndexed), known),
    { requests: queries.some((query) => needsTree(query, known)) ? 1 : 0, isLeast: false },
    ...others.map(({ key }) => countOther(key, known)),
  ];
  return {
    requests: counts.reduce((sum, { requests }) => sum + requests, 0),
    isLeast: counts.some(({ isLeast }) => isLeast),
    ...(counts.some(({ isMost }) => isMost) && { isMost: true }),
    ...(counts.some(({ isByRows }) => isByRows) && { isByRows: true }),
  };
}

/** A country is indexed once for all lookups in it. */
function countIndexes(queries: readonly Query<unknown>[], known: Knowledge): Count {
  const countries = new Set(queries.map(({ key }) => String(key[1])));
  const missing = [...countries].filter((country) => !known.isIndexed(country)).length;
  return { requests: missing, isLeast: missing > 0 };
}

/** One tree serves all queries; a node with a written level needs none. */
function needsTree({ key }: Query<unknown>, known: Knowledge): boolean {
  if (key[0] === "getTaxonomyTree") return true;
  return key[0] === "constituents" && !String(key[1]).includes(":") && !known.isKnown(["getTaxonomyTree"]);
}

/**
 * Companies share requests, for any years; each unresolved number takes one of its own, which mostly brings its figures.
 * A company whose years must have bounds may take a second one.
 */
function countFinancials(queries: readonly Query<unknown>[], known: Knowledge): Count {
  const toRef = ({ key }: Query<unknown>) => key[1] as CompanyRef;
  const refs = queries.map(toRef);
  const unresolved = (ref: CompanyRef) => isNumber(ref) && !known.isResolved(ref, "financials");
  const distinct = (some: readonly CompanyRef[]) => new Set(some.map((ref) => JSON.stringify(ref))).size;
  const alone = distinct(refs.filter(unresolved));
  const together = distinct(refs.filter((ref) => !unresolved(ref)));
  const isSingle = together === 1 || known.companiesAtOnce() === 1;
  const dated = queries.filter(({ key }) => key[3] === true && !known.hasBounds()).map(toRef);
  const twice = distinct(dated.filter((ref) => unresolved(ref) || !isSingle));
  const requests = alone + Math.ceil(together / known.companiesAtOnce()) + twice;
  return { requests, isLeast: alone > 0, ...(twice > 0 && { isMost: true }) };
}

function countOther(key: readonly unknown[], known: Knowledge): Count {
  const list = RANKINGS.has(key[0]) ? countRanking(key, known) : countRows(key.at(-1));
  switch (key[0]) {
    case "getCompany":
      // A name in a language may take the classification too.
      return { requests: 1, isLeast: isUnresolved(key[1], known) || ["en", "ja"].includes(String(key.at(-1))) };
    case "getTaxonomyCompany":
      return countTaxonomyCompany(key[1], known);
    case "getTaxonomyTree":
      return { requests: 0, isLeast: false }; // counted with those that need it
    case "peers": {
      const { requests, isLeast } = countRecord(key[1] as CompanyRef, known);
      return { ...list, requests: list.requests + requests, isLeast: list.isLeast || isLeast };
    }
    default:
      return list;
  }
}

/** Whether the search must resolve a number first; it brings the company with it. */
const isUnresolved = (ref: unknown, known: Knowledge): boolean =>
  typeof ref === "object" && isNumber(ref as CompanyRef) && !known.isResolved(ref as CompanyRef, "record");

/** Any other name is looked up in an index, which all share. */
const isNumber = (ref: CompanyRef): boolean => "registrationNumber" in ref || ("name" in ref && mayBeNumber(ref.name));

/** One for the record, and one for the search. */
function countTaxonomyCompany(ref: unknown, known: Knowledge): Count {
  const isLeast = isUnresolved(ref, known);
  return { requests: isLeast ? 2 : 1, isLeast };
}

/** Counts the record that names a company's node. */
function countRecord(ref: CompanyRef, known: Knowledge): Count {
  const key = ["getTaxonomyCompany", "companyId" in ref ? ref.companyId : ref];
  return known.isKnown(key) ? { requests: 0, isLeast: false } : countTaxonomyCompany(ref, known);
}

/** Rows of a page, where the provider gives as many as requested. */
const PAGE_ROWS = 1_000;

const countRows = (wanted: unknown): Count =>
  typeof wanted === "number"
    ? { requests: Math.ceil(wanted / PAGE_ROWS), isLeast: false }
    : { requests: 1, isLeast: true, ...(wanted === "all" && { isByRows: true }) };

/** A whole ranking has about as many rows as that of another period. */
function countRanking(key: readonly unknown[], known: Pick<Knowledge, "rankingRequests">): Count {
  const requests = key.at(-1) === "all" ? known.rankingRequests(String(key[0])) : undefined;
  return requests === undefined ? countRows(key.at(-1)) : { requests, isLeast: true, isMost: true };
}

/** Whether only its first page shows how many requests a query takes, and others of its kind then take about as many. */
export const awaitsLength = ({ key }: Query<unknown>, known: Pick<Knowledge, "rankingRequests">): boolean =>
  key.at(-1) === "all" && RANKINGS.has(key[0]) && known.rankingRequests(String(key[0])) === undefined;

const RANKINGS: ReadonlySet<unknown> = new Set<OperationId>(["rankCompanies", "rankCompanyPages", "rankIndustries"]);

interface Sources {
  queryCache: QueryCache;
  writtenCompanies: WrittenCompanies;
  nameIndexes: NameIndexes;
  batch: Pick<Batch, "companiesAtOnce" | "hasBounds">;
  limits: PageLimits;
}

export function toKnowledge({ queryCache, writtenCompanies, nameIndexes, batch, limits }: Sources): Knowledge {
  const isKnown = (key: readonly unknown[]) => queryCache.peek({ key } as Query<unknown>).status === "answered";
  return {
    isKnown,
    isAnswered: ({ key, within }) => isKnown(key) || (within !== undefined && isKnown(within)),
    isResolved: (company, data) => "companyId" in company || writtenCompanies.find(company, data) !== null,
    isIndexed: (country) => nameIndexes.state(country).facts !== null,
    rankingRequests: (operation) => limits.of(operation as OperationId).requests,
    companiesAtOnce: batch.companiesAtOnce,
    hasBounds: batch.hasBounds,
  };
}
