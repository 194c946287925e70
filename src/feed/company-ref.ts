import { DecodeError } from "../client/errors";
import { toCompanyKey } from "../client/ids";

/** A company as a cell names it. */
export type CompanyRef = { companyId: string } | { registrationNumber: string };

/**
 * Sees that an answer is of the company that was asked for: what names none may be anything, and would show as blanks.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED)
 */
export function assertAnswerOf(companyId: string, answered: string | null): void {
  if (answered !== null && toCompanyKey(answered) === toCompanyKey(companyId)) return;
  const what = answered === null ? "what names no company" : "another company";
  throw new DecodeError(`the provider answered ${companyId} with ${what}; report it to the provider`);
}

/** A company as the key of a query has it. */
export const toRefKey = (company: CompanyRef): CompanyRef =>
  "companyId" in company ? { companyId: toCompanyKey(company.companyId) } : company;
