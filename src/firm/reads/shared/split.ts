import { toCompanyKey } from "../../../client/ids";
import { Refusal } from "../../../companion/refusal";
import { OPERATIONS } from "../../../contract/constants";
import { readJsonObject } from "../json";

/** Only certain ids are batched: a provider refuses all companies for one bad id. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isCompanyId = (text: string): boolean => UUID.test(text);

/** Several times the pane's own chunk; an answer for so many is joined in memory. */
const MOST_COMPANIES = 250;

/** A POST /financials that can be split (§4.2). */
export interface FinancialsQuery {
  year: Year;
  /** Distinct company ids in lower case, in the order of the request. */
  ids: readonly string[];
}

/** Reads a body; undefined where it requests anything but companies by id, for one year or all. */
export function readFinancialsQuery(body: Buffer | undefined): FinancialsQuery | undefined {
  const { companyIds, year, ...others } = readJsonObject(body);
  if (!Array.isArray(companyIds) || companyIds.length === 0 || Object.keys(others).length > 0) return undefined;
  if (!companyIds.every((id) => typeof id === "string" && UUID.test(id))) return undefined;
  if (year !== undefined && !Number.isSafeInteger(year)) return undefined;
  return { year: year === undefined ? "all" : (year as number), ids: [...new Set(companyIds.map(toCompanyKey))] };
}

/** The number of companies that a body requests, as far as it says. */
export function countCompanies(body: Buffer | undefined): number {
  const lists = Object.values(readJsonObject(body)).filter(Array.isArray);
  return Math.max(1, ...lists.map(({ length }) => length));
}

/** @throws Refusal (400) of a body with more than 250 companies. */
export function checkCompanyCount(body: Buffer | undefined): void {
  if (countCompanies(body) <= MOST_COMPANIES) return;
  const sentence = `Ask for up to ${MOST_COMPANIES} companies at once, and for the others after that.`;
  throw new Refusal(400, sentence, "FEED_REQUEST_INVALID");
}

/** The path of a company's own read, whose answer equals its element (§2.3). */
export function toOwnPath(year: Year, id: string): string {
  const path = OPERATIONS.getCompanyFinancials.path.replace("{companyId}", id);
  return year === "all" ? path : `${path}?year=${year}`;
}

/** A fiscal year, or all years. */
export type Year = number | "all";

/** The parts of an answer for several companies. */
interface Split {
  /** The element of each company as the provider wrote it, by {@link toCompanyKey}. */
  found: ReadonlyMap<string, Buffer>;
  /** Whether the other companies are known to be absent; otherwise the answer may be cut. */
  isComplete: boolean;
}

/**
 * Splits an answer of POST /financials (§4.2), byte for byte.
 * @param keys The requested companies, by {@link toCompanyKey}.
 * @returns Undefined where a part cannot be assigned to one company for certain.
 */
export function splitFinancials(body: Buffer, keys: readonly string[], year: Year): Split | undefined {
  const { data, total, error } = readJsonObject(body);
  if (!Array.isArray(data) || (error !== undefined && error !== null)) return undefined;
  const rows = data.map(readRow);
  if (mayBeInPieces(rows, total, keys.length, year)) return undefined;
  const spans = findElements(body, "data");
  if (spans?.length !== rows.length) return undefined;
  const found = new Map<string, Buffer>();
  for (const [nth, [from, to]] of spans.entries()) {
    const { key, years } = rows[nth]!;
    if (key === undefined || years === undefined || !keys.includes(key) || found.has(key)) return undefined;
    found.set(key, body.subarray(from, to));
  }
  return { found, isComplete: isComplete(keys.length, found.size, total) };
}

/** Joins elements to an answer of one page (§2.1); a larger total shows that some are missing. */
export function joinFinancials(elements: readonly Buffer[], total: number): Buffer {
  const parts: Buffer[] = [Buffer.from('{"data":[')];
  for (const [nth, element] of elements.entries()) {
    if (nth > 0) parts.push(Buffer.from(","));
    parts.push(element);
  }
  parts.push(Buffer.from(`],"page":1,"pageSize":${elements.length},"total":${total}}`));
  return Buffer.concat(parts);
}

/** Whether a company's own answer is complete, so that it can stand for an element. */
export function isElementOf(key: string, body: Buffer): boolean {
  const row = readRow(readJsonObject(body));
  return row.key === key && row.years !== undefined;
}

const BOUNDS = ["periodYear", "financialPeriodStart", "financialPeriodEnd"];

/**
 * Whether each year of an element has the fields that only a single company's answer is sure to have (§2.3); undefined
 * where it has no year.
 */
export function hasBounds(element: Buffer): boolean | undefined {
  const { years } = readJsonObject(element);
  const isBounded = (year: unknown) => BOUNDS.every((name) => name in Object(year));
  if (Array.isArray(years) && years.length === 0) return undefined;
  return Array.isArray(years) && years.every(isBounded);
}

interface Row {
  key: string | undefined;
  /** Number of years. */
  years: number | undefined;
}

function readRow(row: unknown): Row {
  const { companyId, years } = Object(row) as Record<string, unknown>;
  return {
    key: typeof companyId === "string" ? toCompanyKey(companyId) : undefined,
    years: Array.isArray(years) ? years.length : undefined,
  };
}

/** Whether a company may have several elements, one per year: a cut can go through such a company. */
function mayBeInPieces(rows: readonly Row[], total: unknown, requested: number, year: Year): boolean {
  if (typeof total === "number" && total > requested) return true;
  return year === "all" && total !== rows.length && rows.length > 0 && rows.every(({ years }) => years === 1);
}

/**
 * Whether the missing companies are absent. A total may count only the elements that came, so it is not trusted where
 * most are missing.
 */
function isComplete(requested: number, found: number, total: unknown): boolean {
  if (found === requested) return true;
  return total === found && (found === 0 || requested - found <= found);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const LARGEST_BLANK = 0x20;

/** The place of a value in a text: its first byte, and the one behind its last. */
type Span = readonly [from: number, to: number];

/**
 * Finds the elements of one array of a JSON object. In UTF-8 no byte of a longer character looks like a quote or
 * bracket, so bytes suffice.
 * @param text Valid JSON; a member of that name is an array or an object.
 * @returns Undefined where the text is no object, or has not exactly one array of that name.
 */
export function findElements(text: Buffer, name: string): readonly Span[] | undefined {
  const spans: Span[] = [];
  let named = 0;
  let isNamed = false;
  let depth = 0;
  let key: Span = [0, 0];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]!;
    if (byte === QUOTE) {
      const end = skipString(text, at);
      if (depth === 1) key = [at, end];
      at = end - 1;
    } else if (byte === COLON && depth === 1) {
      isNamed = JSON.parse(text.toString("utf8", ...key)) === name;
      if (isNamed) named += 1;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      depth += 1;
      if (depth === 2) from = at + 1;
      if (depth === 2 && isNamed && byte === OPENING_BRACE) return undefined;
    } else if (byte === COMMA || byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      if (depth === 2 && isNamed) spans.push(trim(text, from, at));
      if (depth === 2) from = at + 1;
      if (byte !== COMMA) depth -= 1;
      if (depth === 1) isNamed = false;
    }
  }
  return named === 1 ? spans.filter(([first, end]) => first < end) : undefined;
}

/** Leaves out the blanks around a value; an empty array has only blanks. */
function trim(text: Buffer, first: number, end: number): Span {
  let [from, to] = [first, end];
  while (from < to && text[from]! <= LARGEST_BLANK) from += 1;
  while (from < to && text[to - 1]! <= LARGEST_BLANK) to -= 1;
  return [from, to];
}

function skipString(text: Buffer, from: number): number {
  let at = from + 1;
  for (;;) {
    const end = text.indexOf(QUOTE, at);
    if (end < 0) return text.length;
    let before = end;
    while (text[before - 1] === BACKSLASH) before -= 1;
    at = end + 1;
    if ((end - before) % 2 === 0) return at;
  }
}
