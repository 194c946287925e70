import type { Family } from "../contract/constants";
import type { Row } from "./decode";

/** How an answer is persisted. */
export interface PersistencePolicy {
  readonly family: Family;
  /** Whether the period of the answer is over, so that it hardly changes; default never. */
  isClosed?(nowMs: number): boolean;
  /** Gives the part of an answer that is persisted; default all. */
  toPersisted?(value: unknown): unknown;
  /** Whether a persisted answer may still serve; default always. */
  isValid?(value: unknown): Promise<boolean>;
}

/** Results of a fiscal year are published in the next one, and restated in the one after that. */
const YEARS_UNTIL_CLOSED = 2;

export const isPastYear = (year: number, nowMs: number): boolean =>
  year <= new Date(nowMs).getUTCFullYear() - YEARS_UNTIL_CLOSED;

/** Page views are counted late, in a time zone that the API document does not name (§4.4). */
const CLOSED_AFTER_MS = 48 * 60 * 60_000;

/** @param end date-time of a range as `yyyy-MM-ddTHH:mm:ss` */
export function isPastRange(end: string, nowMs: number): boolean {
  const endMs = Date.parse(`${end}Z`);
  return endMs + CLOSED_AFTER_MS < nowMs;
}

/**
 * Removes the persons' contact data of a company (§2.2), which are never persisted.
 *
 * @param named a representative's own field that stays, such as "email"; default none
 */
export function withoutContacts(company: Row, named?: string): Row {
  const { representatives } = company;
  if (representatives === undefined) return company;
  const withoutContact = (each: unknown) => toShown(each, named);
  const shown = Array.isArray(representatives) ? representatives.map(withoutContact) : withoutContact(representatives);
  return { ...company, representatives: shown };
}

function toShown(representative: unknown, named?: string): unknown {
  if (typeof representative !== "object" || representative === null) return null;
  const { fullName, role } = representative as Row;
  return { fullName, role, ...(named !== undefined && { [named]: (representative as Row)[named] }) };
}
