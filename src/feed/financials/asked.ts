import type { Financials } from "../decode";
import type { Question } from "../watch";

/** Of a company and fiscal year, or all of its years: how it is kept, and whose answer it waits for. */
export interface Asking {
  companyId: string;
  year: number | null;
  isClosed: (nowMs: number) => boolean;
  /** The question for all of its years, as soon as others are asked for as well: then one request is for all of them. */
  wider?: () => Question<Financials> | null;
}

/** Which years of companies are asked for. */
export interface Asked {
  /** The question that answers for a year; null is all years. */
  ask(companyId: string, year: number | null): Question<Financials>;
}

/** So many companies are remembered; the questions of one that was forgotten are made anew. */
const MOST_COMPANIES = 20_000;

interface Company {
  years: Set<number>;
  /** Whether all years were asked for, and not only several. */
  isWhole: boolean;
  /** Each is made once, whoever asks, and so its key is read once. */
  ofFirst: Question<Financials> | null;
  ofAll: Question<Financials> | null;
}

/**
 * Asks for a company's first year by itself, and for any other by all of its years: a model's row of ten years is two
 * questions in place of ten, and takes the request that it took.
 *
 * @param isPast whether nothing of a year is still to come
 */
export function createAsked(
  make: (asking: Asking) => Question<Financials>,
  isPast: (year: number, nowMs: number) => boolean,
): Asked {
  const companies = new Map<string, Company>();
  const find = (companyId: string) => {
    const known = companies.get(companyId);
    if (known !== undefined) return known;
    if (companies.size >= MOST_COMPANIES) companies.clear();
    const company: Company = { years: new Set(), isWhole: false, ofFirst: null, ofAll: null };
    companies.set(companyId, company);
    return company;
  };
  return {
    ask(companyId, year) {
      const company = find(companyId);
      const { years } = company;
      if (year === null) company.isWhole = true;
      else years.add(year);
      const [first] = years;
      if (year !== null && year === first) {
        const wider = () => company.ofAll;
        company.ofFirst ??= make({ companyId, year, isClosed: (nowMs) => isPast(year, nowMs), wider });
        return company.ofFirst;
      }
      const isClosed = (nowMs: number) => !company.isWhole && [...years].every((each) => isPast(each, nowMs));
      company.ofAll ??= make({ companyId, year: null, isClosed });
      return company.ofAll;
    },
  };
}
