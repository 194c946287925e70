import { toCompanyKey } from "../../../client/batch/planner";
import { readJsonObject } from "../json-object";
import { findElements } from "./spans";

/** A fiscal year, or all that there are. */
export type Year = number | "all";

/** What an answer for several companies has of them. */
interface Split {
  /** The element of each company as the provider wrote it, by {@link toCompanyKey}. */
  found: ReadonlyMap<string, Buffer>;
  /** Whether the provider has none of the others: else the answer may be cut. */
  isComplete: boolean;
}

/**
 * Takes an answer of POST /financials apart (§4.2), byte for byte.
 * @param keys Whom was asked for, by {@link toCompanyKey}.
 * @returns Nothing where it is not sure which part of the answer is all of which company's.
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

/** Joins elements to the answer of one page that they would have come in (§2.1); a larger total says that some are missing. */
export function joinFinancials(elements: readonly Buffer[], total: number): Buffer {
  const parts: Buffer[] = [Buffer.from('{"data":[')];
  for (const [nth, element] of elements.entries()) {
    if (nth > 0) parts.push(Buffer.from(","));
    parts.push(element);
  }
  parts.push(Buffer.from(`],"page":1,"pageSize":${elements.length},"total":${total}}`));
  return Buffer.concat(parts);
}

/** Whether the answer of one company's own read is all of that company's, so that it may stand for an element. */
export function isElementOf(key: string, body: Buffer): boolean {
  const row = readRow(readJsonObject(body));
  return row.key === key && row.years !== undefined;
}

interface Row {
  key: string | undefined;
  /** How many. */
  years: number | undefined;
}

function readRow(row: unknown): Row {
  const { companyId, years } = Object(row) as Record<string, unknown>;
  return {
    key: typeof companyId === "string" ? toCompanyKey(companyId) : undefined,
    years: Array.isArray(years) ? years.length : undefined,
  };
}

/** An element for each year or period: a cut can go through the middle of a company, and of some there is one by chance. */
function mayBeInPieces(rows: readonly Row[], total: unknown, asked: number, year: Year): boolean {
  if (typeof total === "number" && total > asked) return true;
  return year === "all" && total !== rows.length && rows.length > 0 && rows.every(({ years }) => years === 1);
}

/** A total may count what came alone: where most are missing it is not taken at its word. */
function isComplete(asked: number, found: number, total: unknown): boolean {
  if (found === asked) return true;
  return total === found && (found === 0 || asked - found <= found);
}
