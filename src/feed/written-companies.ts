import { hasCode } from "../client/errors";
import { type CompanyRef, toCompanyKey, toRefKey, type WrittenCompany } from "../client/ids";
import type { NamingContext } from "./names/naming";
import type { NameSource } from "./names/rows";
import type { PersistencePolicy } from "./persistence-policy";
import type { LoadContext, Query } from "./query-cache";
import { readId } from "./registrations";
import type { CompanyData, Route } from "./registrations/evidence";
import type { NamedCompany } from "./resolutions";
import { loadScript } from "./script";

/** The ids of companies that a person writes by registration number, ticker or name. */
export interface WrittenCompanies {
  /** Gives the id that is known without a request; null where it must be resolved. */
  find(company: WrittenCompany, data: CompanyData): string | null;
  /**
   * Gives the query that resolves a company to its id.
   *
   * @throws RequestError (FEED_NOT_FOUND, FEED_SCOPE_MISSING …), NoValueError (FEED_AMBIGUOUS, FEED_NO_VALUE,
   *   FEED_INDEX_NOT_READY) as the query's failure
   */
  query(company: WrittenCompany, data: CompanyData): Query<string>;
  /** Adds a check to a policy: a persisted answer serves only while the text means the answer's company. */
  persist(persistence: PersistencePolicy, company: CompanyRef, data: CompanyData): PersistencePolicy;
  /**
   * Loads a company's data by its id; the error of a company without them names it as it was written.
   *
   * @param load `isKnown` tells that a refetch knows the id, so that no cached answer of the id serves
   * @param year the only fiscal year that is wanted; default none
   */
  load<T>(
    { company, data, year }: { company: CompanyRef; data: CompanyData; year?: number | null },
    loading: LoadContext,
    load: (companyId: string, isKnown: boolean) => Promise<T>,
  ): Promise<T>;
}

const isMissing = hasCode("FEED_NOT_FOUND");

const toRoute = (data: CompanyData): Route => (data === "financials" ? "financials" : "search");

/** The family of data that a company must be of to have what is asked. */
const toFamily = (data: CompanyData): NameSource => (data === "classification" ? "taxonomy" : "private");

export function createWrittenCompanies(context: NamingContext): WrittenCompanies {
  const { registrations, resolutions, queryCache } = context;
  const findKept = (company: NamedCompany, data: CompanyData) => resolutions.find(company, toFamily(data));
  /** Names that are registration numbers and nothing else. */
  const numbers = new Set<string>();
  const written: WrittenCompanies = {
    find(company, data) {
      const isNumber = "registrationNumber" in company;
      const kept = isNumber ? null : findKept(company, data);
      if (kept !== null) return kept.companyId || null; // the query says that it means none
      const number = isNumber ? company.registrationNumber : company.name;
      return isNumber || numbers.has(number) ? registrations.find(number, toRoute(data)) : null;
    },
    query(company, data) {
      if ("registrationNumber" in company) return registrations.query(company.registrationNumber, toRoute(data));
      return {
        key: ["companyId", toRefKey(company), data],
        async load(loading) {
          const kept = findKept(company, data);
          if (kept?.companyId) return kept.companyId;
          const script = await loadScript(() => import(/* webpackChunkName: "lists" */ "./names/naming"));
          const wanted = { route: toRoute(data), family: toFamily(data) };
          const companyId = await script.resolveName(context, company, wanted, loading);
          if (findKept(company, data) === null) numbers.add(company.name);
          return companyId;
        },
      };
    },
    persist(persistence, company, data) {
      if ("companyId" in company) return persistence;
      const route = toRoute(data);
      if ("registrationNumber" in company) return registrations.persist(persistence, company.registrationNumber, route);
      const byNumber = registrations.persist(persistence, company.name, route);
      const isValid = async (answer: unknown) => {
        const kept = findKept(company, data);
        if (kept === null) return byNumber.isValid?.(answer) ?? false;
        // A list does not tell its company, and another workbook's name may mean another one.
        return toCompanyKey(readId(answer) ?? "?") === toCompanyKey(kept.companyId);
      };
      return { ...persistence, isValid };
    },
    async load({ company, data, year }, loading, load) {
      if ("companyId" in company) return load(company.companyId, false);
      const known = loading.sources.isRefetch ? written.find(company, data) : null;
      const companyId = known ?? (await queryCache.wait(written.query(company, data), loading));
      return load(companyId, known !== null).catch(async (error) => {
        if (!isMissing(error)) throw error;
        const load = () => import(/* webpackChunkName: "lists" */ "./names/missing-company");
        const script = await loadScript(load).catch(() => null);
        const missing = { companyId, data, year, family: toFamily(data) };
        throw (await script?.explainMissing(context, error, company, missing)) ?? error;
      });
    },
  };
  return written;
}
