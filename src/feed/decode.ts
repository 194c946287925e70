import { DecodeError } from "../client/errors";
import { msg } from "../client/messages";

/** A JSON object of an answer; fields are checked where they are picked, so that a bad value fails one cell only. */
export type Row = Readonly<Record<string, unknown>>;

/** One page of a list (§2.1). */
export interface Page {
  rows: readonly Row[];
  /** Its number, as the answer states it; null or absent where it states none. */
  page?: number | null;
  /** Page size, as the answer states it; null where it states none. */
  pageSize: number | null;
  /** Elements across all pages; null where the answer states none. */
  total: number | null;
  /** It belongs to another reading than the pages before it: the list is read again. */
  isOfAnotherReading?: true;
  /** The provider refused it, as one past the end. */
  isPastEnd?: true;
  /** When the provider gave it, if it came from the companion's cache, in milliseconds since the Unix epoch. */
  asOfMs?: number | undefined;
}

/** @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export function decodeRow(value: unknown, what: string): Row {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DecodeError(msg`the provider's "${what}" is no object; report it to the provider`);
  }
  return value as Row;
}

/** @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export const decodeRows = (value: unknown, what: string): readonly Row[] =>
  decodeList(value, what).map((item) => decodeRow(item, what));

/**
 * Gives the objects of a list, and skips its other elements.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED) when it is no list
 */
export const decodeObjects = (value: unknown, what: string): readonly Row[] =>
  decodeList(value, what).filter((item) => typeof item === "object" && item !== null && !Array.isArray(item)) as Row[];

function decodeList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new DecodeError(msg`the provider's "${what}" is no list; report it to the provider`);
  return value;
}

/** A list of null is an empty one. @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export function decodePage(body: unknown, what: string): Page {
  const { data, page, pageSize, total } = decodeRow(body, what);
  const [size, count] = [readCount(pageSize), readCount(total)];
  return { rows: data === null ? [] : decodeRows(data, what), page: readCount(page), pageSize: size, total: count };
}

/** Reads a whole number, also one written as text. */
export function readInteger(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return Number.isInteger(number) ? (number as number) : null;
}

export function readCount(value: unknown): number | null {
  const count = readInteger(value);
  return count !== null && count >= 0 ? count : null;
}

/** The text of a field, or null where there is none. */
export function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Financials of one company (§2.3), by fiscal year. */
export interface Financials {
  readonly companyId: string;
  readonly years: readonly FinancialYear[];
}

export interface FinancialYear {
  readonly year: number;
  /** The year's own fields as they came: currency, periodType, financialPeriodStart … */
  readonly fields: Row;
  readonly statements: readonly Statement[];
}

interface Statement {
  readonly statementType: string;
  readonly consolidationType: string;
  /** Values are checked where they are picked: a bad one fails its own cell only. */
  readonly metrics: readonly Metric[];
}

interface Metric {
  readonly name: string;
  readonly value: unknown;
}

/** @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export function decodeFinancials(value: unknown): Financials {
  const { companyId, years } = decodeRow(value, "financials");
  const id = readText(companyId);
  if (id === null) throw new DecodeError(msg`the provider's financials name no company; report it to the provider`);
  return { companyId: id, years: decodeRows(years ?? [], "years").map(decodeYear) };
}

function decodeYear(fields: Row): FinancialYear {
  const year = readInteger(fields.year);
  if (year === null) throw new DecodeError(msg`a fiscal year of the provider has no number; report it to the provider`);
  return { year, fields, statements: decodeRows(fields.statements ?? [], "statements").map(decodeStatement) };
}

function decodeStatement({ statementType, consolidationType, metrics }: Row): Statement {
  const named = decodeRows(metrics ?? [], "metrics");
  return {
    statementType: readText(statementType) ?? "",
    consolidationType: readText(consolidationType) ?? "",
    metrics: named.map((metric) => (isNamed(metric) ? metric : { name: "", value: metric.value })),
  };
}

/** A named metric stays the object of the answer, without a copy: there are many of them. */
const isNamed = (metric: Row): metric is Row & Metric => readText(metric.name) !== null;
