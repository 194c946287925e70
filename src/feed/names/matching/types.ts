/** A company as somebody's list names it. */
export interface NameToMatch {
  /** A name in any writing, a ticker, a registration number or a company id; a blank one has no match. */
  readonly name: string;
  /** What else the list says of the company, in any order: ticker, registration number, website, city, industry. */
  readonly hints: readonly string[];
}

/**
 * How far a match can be relied upon. "exact": the workbook's own decision, or the very name or code of one company
 * alone; "sure": one company within the measured error; "doubtful": a person must choose; "none": no company is near.
 */
export type MatchState = "exact" | "sure" | "doubtful" | "none";

/** What speaks for a candidate besides its name; "workbook" is a decision that the workbook keeps. */
export type Evidence =
  | "workbook"
  | "companyId"
  | "ticker"
  | "registrationNumber"
  | "website"
  | "city"
  | "industry"
  | "legalForm";
