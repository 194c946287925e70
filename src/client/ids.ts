import { DecodeError } from "./errors";
import { msg } from "./messages";

/** The key of a company id: UUIDs ignore case. */
export const toCompanyKey = (companyId: string): string => companyId.toLowerCase();

const COMPANY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is written as a company id (UUID). */
export const isCompanyId = (text: string): boolean => COMPANY_ID.test(text);

/**
 * Whether an id, which is provider or user text, is safe in a URL path. `..` survives encodeURIComponent, so dots
 * alone, and anything that could leave its segment, are refused.
 */
export const isPathSegment = (id: string): boolean => !/^\.*$|[/\\?#%\p{Cc}\p{Cs}]/u.test(id);

/** A ticker has fewer digits, and a name words. */
const REGISTRATION_NUMBER = /^(?!.*\p{L}{4})(?:\P{Nd}*\p{Nd}){7}/u;

/** Whether formulas take a text for a registration number and nothing else. */
export const isNumberForm = (text: string): boolean => REGISTRATION_NUMBER.test(text);

/** A registration number such as "U74999MH2016PTC123456" has at most three letters in a row. */
const LETTERS_OF_A_NAME = /\p{L}{4}|[^\p{ASCII}]/u;

/** Whether a text may be a registration number, so that the provider must be asked. */
export const mayBeNumber = (text: string): boolean =>
  /\d/.test(text) && !LETTERS_OF_A_NAME.test(text.normalize("NFKC"));

/** A company that a person writes without its id. */
export type WrittenCompany =
  | { registrationNumber: string }
  /** A name or a ticker in the index of a country: an ISO 3166-1 alpha-3 code, or "ALL". */
  | { name: string; country: string };

/** A company as a cell names it. */
export type CompanyRef = { companyId: string } | WrittenCompany;

/**
 * Checks that an answer is of the requested company: one that names no company would show as blanks.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED)
 */
export function assertAnswerOf(companyId: string, answered: string | null): void {
  if (answered !== null && toCompanyKey(answered) === toCompanyKey(companyId)) return;
  throw new DecodeError(
    answered === null
      ? msg`the provider answered ${companyId} with what names no company; report it to the provider`
      : msg`the provider answered ${companyId} with another company; report it to the provider`,
  );
}

/** A company in the form of query keys: its id in one letter case. */
export const toRefKey = (company: CompanyRef): CompanyRef =>
  "companyId" in company ? { companyId: toCompanyKey(company.companyId) } : company;
