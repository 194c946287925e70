import { FeedError } from "../../client/errors";
import type { Financials } from "../../feed/decode";
import { type ListedMetric, listMetrics } from "../../feed/financials/metric-lists";
import { listVersions, listYears } from "../../feed/financials/periods";
import type { Answer } from "../../feed/query-cache";
import type { Table } from "../cells";
import { CURES, type FigureFormat } from "../figures";
import { toNoAnnual, type YearChoice } from "../financial-arguments";

/** A company of a table: its cell's content, and its financials or error. */
export type CompanyAnswer = Answered | { given: unknown; error: unknown };

export interface Answered {
  given: unknown;
  answer: Answer<Financials>;
}

/** The options of a table of financials. */
export interface FinancialsTableOptions extends FigureFormat {
  /** Fiscal years in the order wanted; null for all of each answer, ascending. */
  years: readonly YearChoice[] | null;
  /** Metrics or facts of a year in the order wanted; null for all metrics of the answers. */
  metrics: readonly string[] | null;
  /** The versions to prefer. */
  basis: readonly string[];
  /** Whether a header row comes first. */
  headers: boolean;
}

export const isAnswered = (company: CompanyAnswer): company is Answered => "answer" in company;

/** Whether an error means a missing value, which a table leaves empty. */
export const isAbsence = (error: unknown): boolean => error instanceof FeedError && error.code === "FEED_NO_VALUE";

/** The answered financials. */
const toFinancials = (companies: readonly CompanyAnswer[]): Financials[] =>
  companies.filter(isAnswered).map(({ answer }) => answer.value);

/** The metrics of a table that names none, by its versions. */
export const listShown = (companies: readonly CompanyAnswer[], { basis }: FinancialsTableOptions): ListedMetric[] =>
  listMetrics(listVersions(toFinancials(companies), basis));

/** All metrics of the answers, in any version, to check named ones against. */
export const listKnown = (companies: readonly CompanyAnswer[]): ListedMetric[] =>
  listMetrics(toFinancials(companies).flatMap(({ years }) => years));

/** The years wanted of a company. */
export function listChoices({ answer }: Answered, { years, basis }: FinancialsTableOptions): readonly YearChoice[] {
  return years ?? listYears(answer.value, basis).map((year) => ({ kind: "fiscal", year }));
}

/**
 * Throws the error of a single company, since it is the formula's.
 *
 * @throws what the company's query failed with; NoValueError (FEED_NO_VALUE) when all of no years is wanted
 */
export function assertAnswered(companies: readonly CompanyAnswer[], options: FinancialsTableOptions): void {
  const [company, ...others] = companies;
  if (company === undefined || others.length > 0) return;
  if (!isAnswered(company)) throw company.error;
  if (listChoices(company, options).length === 0) throw toNoAnnual(company.answer.value);
}

/** The row of a failed company: each cell has its error. */
export function toErrorRow({ given, error }: Exclude<CompanyAnswer, Answered>, width: number): unknown[] {
  return [given, ...Array.from({ length: width - 1 }, () => error)];
}

/** Makes the table, with its header row where wanted. */
export function toFinancialsTable(
  header: readonly unknown[],
  body: readonly (readonly unknown[])[],
  { headers }: FinancialsTableOptions,
): Table {
  const rows = headers ? [header, ...body] : body;
  return { rows, cures: CURES };
}
