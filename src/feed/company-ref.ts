/** A company as a cell names it. */
export type CompanyRef = { companyId: string } | { registrationNumber: string };

/** Company ids are UUIDs, so letter case tells nothing. */
export const toCompanyKey = (companyId: string): string => companyId.toLowerCase();

/** A company as the key of a question has it. */
export const toRefKey = (company: CompanyRef): CompanyRef =>
  "companyId" in company ? { companyId: toCompanyKey(company.companyId) } : company;
