import type { Row } from "../../decode";

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

/** A company that a name may mean. */
export interface MatchCandidate {
  /** The company as `toTableRow` gives it. */
  readonly company: Row;
  /** 0 to 1. */
  readonly score: number;
  readonly evidence: readonly Evidence[];
}

export interface NameMatch {
  readonly state: MatchState;
  /** At most five, best first; exactly the first one is meant where the state is "exact" or "sure". */
  readonly candidates: readonly MatchCandidate[];
  /** Number of companies that fit as well as the first candidate, itself included; 0 without candidates. */
  readonly alike: number;
  /** Whether a person has decided it for the workbook; in state "none" that it has no company. */
  readonly isDecided: boolean;
  /** Place in the call, from 0, of the first name that leads to the same company; null where there is none before. */
  readonly sameAs: number | null;
}

/** The matches of the first names of a call, of all names once complete. */
export interface NameMatches {
  readonly matches: readonly NameMatch[];
}
