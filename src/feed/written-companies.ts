import { hasCode } from "../client/errors";
import { type CompanyRef, toCompanyKey, toRefKey, type WrittenCompany } from "../client/ids";
import type { Missing } from "./names/missing-company";
import type { NamingContext } from "./names/naming";
import type { PersistencePolicy } from "./persistence-policy";
import type { Query } from "./query-cache";
import { readId } from "./registrations";
import type { Route } from "./registrations/evidence";
import { loadScript } from "./script";

/** The ids of companies that a person writes by registration number, ticker or name. */
export interface WrittenCompanies {
  /** Gives the id that is known without a request; null where it must be resolved. */
  find(company: WrittenCompany, route: Route): string | null;
  /**
   * Gives the query that resolves a company to its id.
   *
   * @param route the operation that resolves a registration number
   * @throws RequestError (FEED_NOT_FOUND, FEED_SCOPE_MISSING …), NoValueError (FEED_AMBIGUOUS, FEED_NO_VALUE,
   *   FEED_INDEX_NOT_READY) as the query's failure
   */
  query(company: WrittenCompany, route: Route): Query<string>;
  /** Adds a check to a policy: a persisted answer serves only while the text means the answer's company. */
  persist(persistence: PersistencePolicy, company: CompanyRef, route: Route): PersistencePolicy;
  /** Gives the error of a company without data, which names the company as it was written; other errors stay. */
  explain(error: unknown, company: CompanyRef, missing: Missing): Promise<unknown>;
}

const isMissing = hasCode("FEED_NOT_FOUND");

export function createWrittenCompanies(context: NamingContext): WrittenCompanies {
  const { registrations, resolutions } = context;
  /** Names that are registration numbers and nothing else. */
  const numbers = new Set<string>();
  return {
    find(company, route) {
      if ("registrationNumber" in company) return registrations.find(company.registrationNumber, route);
      const kept = resolutions.find(company);
      if (kept !== null) return kept.companyId || null; // the query says that it means none
      return numbers.has(company.name) ? registrations.find(company.name, route) : null;
    },
    query(company, route) {
      if ("registrationNumber" in company) return registrations.query(company.registrationNumber, route);
      return {
        key: ["companyId", toRefKey(company), route],
        async load(loading) {
          const kept = resolutions.find(company);
          if (kept?.companyId) return kept.companyId;
          const script = await loadScript(() => import(/* webpackChunkName: "lists" */ "./names/naming"));
          const companyId = await script.resolveName(context, company, route, loading);
          if (resolutions.find(company) === null) numbers.add(company.name);
          return companyId;
        },
      };
    },
    persist(persistence, company, route) {
      if ("companyId" in company) return persistence;
      if ("registrationNumber" in company) return registrations.persist(persistence, company.registrationNumber, route);
      const byNumber = registrations.persist(persistence, company.name, route);
      const isValid = async (answer: unknown) => {
        const kept = resolutions.find(company);
        if (kept === null) return byNumber.isValid?.(answer) ?? false;
        // A list does not tell its company, and another workbook's name may mean another one.
        return toCompanyKey(readId(answer) ?? "?") === toCompanyKey(kept.companyId);
      };
      return { ...persistence, isValid };
    },
    async explain(error, company, missing) {
      if (!isMissing(error)) return error;
      const load = () => import(/* webpackChunkName: "lists" */ "./names/missing-company");
      const script = await loadScript(load).catch(() => null);
      return script?.explainMissing(context, error, company, missing) ?? error;
    },
  };
}
