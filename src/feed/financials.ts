import { type CompanyRef, toCompanyKey, toRefKey, type WrittenCompany } from "../client/ids";
import type { Provider } from "../client/provider";
import type { Financials } from "./decode";
import { type Batch, loadCompany } from "./financials/batch";
import { hasBounds } from "./financials/periods";
import { isPastYear } from "./persistence-policy";
import type { Query, QueryCache } from "./query-cache";
import type { LoadContext } from "./query-cache/types";
import type { WrittenCompanies } from "./written-companies";

export interface FinancialsOptions {
  /** A fiscal year; default all. */
  year?: number | null;
  /** Whether other years of the company are queried together with this one; default no. */
  hasSeveralYears?: boolean;
  /** Whether the answer must carry the bounds of its fiscal years (§2.3: sure only in a single company's answer). */
  withPeriods?: boolean;
}

export interface FinancialsQueries {
  /**
   * Gives the query for one company's financials (§4.2); queries of one burst share their requests.
   * An unknown registration number is first resolved to its company by a request of its own, a name by the index.
   *
   * @throws RequestError (FEED_NOT_FOUND …), NoValueError (FEED_AMBIGUOUS) as the query's failure
   */
  query(company: CompanyRef, options?: FinancialsOptions): Query<Financials>;
}

interface FinancialsSources {
  provider: Provider;
  batch: Batch;
  queryCache: QueryCache;
  writtenCompanies: WrittenCompanies;
}

/** Makes the queries for financials, which share one batch. */
export function createFinancials(context: FinancialsSources): FinancialsQueries {
  const yearQueries = createYearQueries((companyId, year, isClosed) => {
    const query = createQuery(context, { companyId }, { year });
    return { ...query, persistence: { family: "financials", isClosed } };
  }, isPastYear);
  return {
    query(company, options) {
      const { year, withPeriods } = toWanted(options);
      if ("companyId" in company && !withPeriods)
        return yearQueries.query(company.companyId, year, options?.hasSeveralYears);
      return createQuery(context, company, options);
    },
  };
}

function createQuery(context: FinancialsSources, company: CompanyRef, options?: FinancialsOptions): Query<Financials> {
  const wanted = toWanted(options);
  const { year, withPeriods } = wanted;
  const { writtenCompanies } = context;
  const find = () => ("companyId" in company ? company.companyId : writtenCompanies.find(company, "financials"));
  const isClosed = (nowMs: number) => year !== null && isPastYear(year, nowMs);
  return {
    key: ["financials", toRefKey(company), year, withPeriods],
    /** A name may mean another company after the query was made. */
    get within() {
      const companyId = withPeriods ? null : find();
      return companyId === null ? undefined : toWholeKey(companyId);
    },
    persistence: writtenCompanies.persist({ family: "financials", isClosed }, company, "financials"),
    load: (load) =>
      "companyId" in company
        ? loadById(context, company.companyId, wanted, load)
        : loadWritten(context, company, wanted, load),
  };
}

/** Where a batch's answer lacks the bounds of years, a second request reads the company alone. */
async function loadById(
  context: FinancialsSources,
  companyId: string,
  { year, withPeriods }: Wanted,
  load: LoadContext,
) {
  const { provider, batch, queryCache } = context;
  const { signal, sources, expect } = load;
  const isUncounted = batch.hasBounds();
  if (withPeriods && isUncounted) expect(1);
  const batched = await batch.load({ companyId, year, signal, sources });
  if (year !== null && batched.year === null)
    queryCache.seed(createQuery(context, { companyId }), batched.financials, sources);
  if (!withPeriods || batched.isAlone || hasBounds(batched.financials)) return batched.financials;
  if (isUncounted) expect(2);
  return loadCompany(provider, companyId, null, { signal, sources });
}

const loadWritten = (context: FinancialsSources, company: WrittenCompany, wanted: Wanted, load: LoadContext) =>
  context.writtenCompanies.load({ company, data: "financials", year: wanted.year }, load, (companyId, isKnown) =>
    isKnown ? loadById(context, companyId, wanted, load) : loadResolved(context, companyId, wanted, load),
  );

async function loadResolved(context: FinancialsSources, companyId: string, wanted: Wanted, load: LoadContext) {
  const { queryCache } = context;
  const financials = await queryCache.wait(createQuery(context, { companyId }, { year: wanted.year }), load);
  // The answer that resolved the number may have the bounds already.
  if (!wanted.withPeriods || hasBounds(financials)) return financials;
  return queryCache.wait(createQuery(context, { companyId }, wanted), load);
}

/** Key of the query for all years of a company. */
const toWholeKey = (companyId: string) => ["financials", toRefKey({ companyId }), null, false];

/** Options with their defaults. */
interface Wanted {
  year: number | null;
  withPeriods: boolean;
}

/** A query for bounds may take a request of its own, so one serves all years. */
function toWanted({ year = null, withPeriods = false }: FinancialsOptions = {}): Wanted {
  return { year: withPeriods ? null : year, withPeriods };
}

/** Makes the query for a fiscal year of a company, or for all of its years. */
type Make = (companyId: string, year: number | null, isClosed: (nowMs: number) => boolean) => Query<Financials>;

export interface YearQueries {
  /**
   * Gives the query that answers for a year; null is all years.
   *
   * @param hasSeveralYears whether other years are queried together with it; default no
   */
  query(companyId: string, year: number | null, hasSeveralYears?: boolean): Query<Financials>;
}

/** Limit of companies in memory; above it all are forgotten, and their queries are made anew. */
const MOST_COMPANIES = 20_000;

interface Company {
  /** Requested years; Infinity stands for all years, and is never past. */
  years: Set<number>;
  /** The year with a query of its own; null for none. */
  first: number | null;
  /** Made once for all cells, so that its key is hashed once. */
  ofFirst?: Query<Financials>;
  ofAll?: Query<Financials>;
}

/**
 * Gives a company's first year a query of its own, unless others come with it, and all other years one query for all
 * years: a model's row of ten years is one query in place of ten.
 *
 * @param isPast whether all figures of a year are final
 */
export function createYearQueries(make: Make, isPast: (year: number, nowMs: number) => boolean): YearQueries {
  const companies = new Map<string, Company>();
  return {
    query(companyId, year, hasSeveralYears = false) {
      const key = toCompanyKey(companyId);
      let company = companies.get(key);
      if (company === undefined) {
        if (companies.size >= MOST_COMPANIES) companies.clear();
        company = { years: new Set(), first: hasSeveralYears ? null : year };
        companies.set(key, company);
      }
      const { years, first } = company;
      years.add(year ?? Number.POSITIVE_INFINITY);
      if (year !== null && year === first) {
        company.ofFirst ??= make(companyId, year, (nowMs) => isPast(year, nowMs));
        return company.ofFirst;
      }
      company.ofAll ??= make(companyId, null, (nowMs) => [...years].every((each) => isPast(each, nowMs)));
      return company.ofAll;
    },
  };
}
