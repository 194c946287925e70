import { toCompanyKey } from "../company-ref";
import type { Financials } from "../decode";
import type { Query } from "../query-cache";

/** Makes the query for a fiscal year of a company, or for all of its years, by how it is kept. */
type Make = (companyId: string, year: number | null, isClosed: (nowMs: number) => boolean) => Query<Financials>;

/** Which years of companies are asked for. */
export interface Asked {
  /** The query that answers for a year; null is all years. */
  ask(companyId: string, year: number | null): Query<Financials>;
}

/** So many companies are remembered; the queries of one that was forgotten are made anew. */
const MOST_COMPANIES = 20_000;

interface Company {
  /** Those that were asked for, in that order; all of them together count as one that is never past. */
  years: Set<number>;
  /** Each is made once, whoever asks, and so its key is read once. */
  ofFirst?: Query<Financials>;
  ofAll?: Query<Financials>;
}

/**
 * Asks for a company's first year by itself, and for any other by all of its years: a model's row of ten years is two
 * queries in place of ten. Asked together, both are one request.
 *
 * @param isPast whether nothing of a year is still to come
 */
export function createAsked(make: Make, isPast: (year: number, nowMs: number) => boolean): Asked {
  const companies = new Map<string, Company>();
  return {
    ask(companyId, year) {
      const key = toCompanyKey(companyId);
      let company = companies.get(key);
      if (company === undefined) {
        if (companies.size >= MOST_COMPANIES) companies.clear();
        company = { years: new Set() };
        companies.set(key, company);
      }
      const { years } = company;
      years.add(year ?? Number.POSITIVE_INFINITY);
      const [first] = years;
      if (year !== null && year === first) {
        company.ofFirst ??= make(companyId, year, (nowMs) => isPast(year, nowMs));
        return company.ofFirst;
      }
      company.ofAll ??= make(companyId, null, (nowMs) => [...years].every((each) => isPast(each, nowMs)));
      return company.ofAll;
    },
  };
}
