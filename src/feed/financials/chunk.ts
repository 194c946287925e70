import { type Elements, type Group, type Lessons, loadPlanned, type Outcomes } from "../../client/batch/planner";
import { FeedError } from "../../client/errors";
import { toCompanyKey } from "../../client/ids";
import type { Call, LoadOptions, Provider } from "../../client/provider";
import { assertAnswerOf } from "../company-ref";
import { decodeFinancials, decodeObjects, decodeRow, type Financials, type Row, readCount, readText } from "../decode";

/** The lessons of earlier answers, as one mutable object that all chunks under way share. */
export interface Memory {
  lessons: Lessons;
  /** Whether all answers for several companies had the bounds of their years (§2.3); absent before the first. */
  hasBounds?: boolean;
}

/** How a group of companies is read. */
interface Chunk {
  provider: Provider;
  memory: Memory;
  /** A fiscal year, or null for all. */
  year: number | null;
  options: LoadOptions;
  /** Called for each company that is read by a request of its own. */
  onSingleRead?: (companyId: string) => void;
}

/**
 * Reads the financials of some companies, with an outcome for each.
 *
 * @param ids distinct company ids, 1 or more
 * @throws the errors of `provider.load`, except a {@link FeedError}, which is an outcome
 */
export function loadChunk(chunk: Chunk, ids: Group): Promise<Outcomes<Financials>> {
  const { provider, memory, year, options, onSingleRead } = chunk;
  return loadPlanned(memory, ids, year, async (group) => {
    if (group.length === 1) onSingleRead?.(group[0] as string);
    const reply = provider.load(toCall(year, group), options);
    return reply.then(({ body }) => decodeAnswer(year, group, body)).catch(toFailure);
  });
}

/**
 * Reads the financials of one company (§4.2), which cannot be cut: the answer is no list.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED), also for the answer of another company; the errors of `provider.load`
 */
export async function loadCompany(provider: Provider, companyId: string, year: number | null, options: LoadOptions) {
  const { body } = await provider.load(toCall(year, [companyId]), options);
  return decodeCompany(companyId, body);
}

export function toCall(year: number | null, ids: Group): Call {
  const [companyId = "", ...others] = ids;
  const query = year === null ? {} : { year };
  if (others.length > 0) return { operation: "getFinancialsOfMany", body: { companyIds: ids, ...query } };
  return { operation: "getCompanyFinancials", path: { companyId }, query };
}

/**
 * Decodes the answer of a request for one company or for several.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED), also for the answer of another company
 */
export function decodeAnswer(year: number | null, ids: Group, body: unknown): Elements<Financials> {
  const [only = "", ...others] = ids;
  if (others.length > 0) return decodeElements(year, ids, body);
  return { found: new Map([[toCompanyKey(only), decodeCompany(only, body)]]) };
}

function decodeCompany(companyId: string, body: unknown): Financials {
  const financials = decodeFinancials(body);
  assertAnswerOf(companyId, financials.companyId);
  return financials;
}

/** A malformed element fails its own company only; one without a company id is ignored. */
function decodeElements(year: number | null, ids: Group, body: unknown): Elements<Financials> {
  const envelope = decodeRow(body, "financials");
  const rows = decodeObjects(envelope.data, "financials");
  const total = readCount(envelope.total);
  const requestedKeys = ids.map(toCompanyKey);
  const meant = toDistinct(rows).filter((row) => requestedKeys.includes(toRowKey(row)));
  const found = new Map(meant.map((row) => [toRowKey(row), decodeElement(row)]));
  const inPieces = meant.map(toRowKey).filter((key, place, keys) => keys.indexOf(key) < place);
  const isCounted = found.size === ids.length && total === rows.length;
  const mayBeYears = year === null && meant.length > 0 && meant.every(hasOneYear) && !isCounted;
  const hasMorePieces = total !== null && total > Math.max(ids.length, rows.length);
  // An element for each year or period: a cut can go through the middle of a company, and no total would tell.
  return { found, inPieces, mayBeCut: inPieces.length > 0 || mayBeYears || hasMorePieces };
}

/** Drops equal elements; serialises them only where a company has several. */
function toDistinct(rows: readonly Row[]): readonly Row[] {
  if (new Set(rows.map(toRowKey)).size === rows.length) return rows;
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

const toRowKey = (row: Row): string => toCompanyKey(readText(row.companyId) ?? "");

const hasOneYear = ({ years }: Row): boolean => Array.isArray(years) && years.length === 1;

function decodeElement(row: Row): Financials | FeedError {
  try {
    return decodeFinancials(row);
  } catch (error) {
    return toFailure(error);
  }
}

function toFailure(error: unknown): FeedError {
  if (error instanceof FeedError) return error;
  throw error;
}
