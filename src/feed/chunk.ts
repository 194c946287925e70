import { assertAnswerOf, toCompanyKey } from "./company-ref";
import { decodeFinancials, decodeObjects, decodeRow, type Financials, type Row, readCount, readText } from "./decode";
import { FeedError, RequestError } from "./errors";
import type { LoadOptions, Provider } from "./provider";

/** What became of each company asked for, by {@link toCompanyKey} of its id. */
export type Outcomes = Map<string, Financials | FeedError>;

/** What this provider's answers taught, shared by all chunks. */
export interface Lessons {
  /** How many companies it answers at once; only ever lowered. */
  companiesAtOnce: number;
  /** Companies that came in several elements: each is read alone, and several of them say that any may be. */
  inPieces: Set<string>;
  /** Whether it refused every company of a whole chunk, and has answered none since. */
  isBarred: boolean;
  /** What it said it does not have, each company and year asked for alone; left out again, it is not asked for again. */
  unknown: Set<string>;
}

export const createLessons = (companiesAtOnce: number): Lessons => ({
  companiesAtOnce,
  inPieces: new Set(),
  isBarred: false,
  unknown: new Set(),
});

/** A group of companies to read, and how. */
interface Chunk {
  provider: Provider;
  lessons: Lessons;
  /** A fiscal year, or null for all. */
  year: number | null;
  options: LoadOptions;
}

/**
 * Reads the financials of some companies and loses none. POST /financials answers in an envelope but takes no
 * page (§4.2), so what it leaves out is asked again: in groups of the size it did answer, one by one at last.
 * An id that spoils a whole request is found by halving; an answer in pieces is not trusted to be whole.
 *
 * @param ids distinct company ids, 1 or more
 */
export async function loadChunk(chunk: Chunk, ids: readonly string[]): Promise<Outcomes> {
  const outcomes = await loadGroup(chunk, ids);
  if (ids.length > 1) chunk.lessons.isBarred = [...outcomes.values()].every(isBarred);
  return outcomes;
}

const isBarred = (outcome: unknown) => outcome instanceof FeedError && outcome.code === "FEED_SCOPE_MISSING";

async function loadGroup(chunk: Chunk, ids: readonly string[]): Promise<Outcomes> {
  const { lessons } = chunk;
  const [only, ...others] = ids as [string, ...string[]];
  if (others.length === 0) return loadAlone(chunk, only);
  const whole = ids.filter((id) => !lessons.inPieces.has(toCompanyKey(id)));
  if (whole.length < ids.length) {
    const pieces = ids.filter((id) => !whole.includes(id));
    return loadGroups(chunk, [...toGroups(pieces, 1), ...(whole.length > 0 ? [whole] : [])]);
  }
  try {
    const found = await loadTogether(chunk, ids);
    const missing = ids.filter((id) => !found.has(toCompanyKey(id)));
    const unknown: Outcomes = new Map();
    for (const id of missing)
      if (lessons.unknown.has(toUnknownKey(chunk, id))) unknown.set(toCompanyKey(id), toUnknown(chunk, id));
    const doubtful = missing.filter((id) => !unknown.has(toCompanyKey(id)));
    const rest = await loadGroups(chunk, toGroups(doubtful, Math.max(1, found.size)));
    // Only what exists after all was left out for its number; an unknown company is missing from any answer.
    const wasCut = [...rest.values()].some((outcome) => !(outcome instanceof FeedError));
    if (wasCut && found.size > 0) lessons.companiesAtOnce = Math.min(lessons.companiesAtOnce, found.size);
    return merge([found, unknown, rest]);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    const mayBeOneId = error.code === "FEED_REQUEST_INVALID" || error.code === "FEED_NOT_FOUND";
    if (mayBeOneId || (isBarred(error) && !lessons.isBarred)) {
      return loadGroups(chunk, toGroups(ids, Math.ceil(ids.length / 2)));
    }
    return new Map(ids.map((id) => [toCompanyKey(id), error]));
  }
}

/** Cuts a list into groups of at most `size`. */
export function toGroups<T>(items: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let start = 0; start < items.length; start += size) groups.push(items.slice(start, start + size));
  return groups;
}

/**
 * Reads the financials of one company (§4.2), which come whole: the answer is no list.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED), also for the answer of another company; what `provider.load` throws
 */
export async function loadCompany(provider: Provider, companyId: string, year: number | null, options: LoadOptions) {
  const query = year === null ? {} : { year };
  const reply = await provider.load({ operation: "getCompanyFinancials", path: { companyId }, query }, options);
  const financials = decodeFinancials(reply.body);
  assertAnswerOf(companyId, financials.companyId);
  return financials;
}

async function loadAlone(chunk: Chunk, id: string): Promise<Outcomes> {
  const { provider, lessons, year, options } = chunk;
  try {
    const financials = await loadCompany(provider, id, year, options);
    lessons.unknown.delete(toUnknownKey(chunk, id));
    return new Map([[toCompanyKey(id), financials]]);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    if (error.code === "FEED_NOT_FOUND") lessons.unknown.add(toUnknownKey(chunk, id));
    return new Map([[toCompanyKey(id), error]]);
  }
}

/** A company that lacks one year may have another. */
const toUnknownKey = ({ year }: Chunk, id: string): string => JSON.stringify([toCompanyKey(id), year]);

async function loadGroups(chunk: Chunk, groups: readonly string[][]): Promise<Outcomes> {
  return merge(await Promise.all(groups.map((group) => loadGroup(chunk, group))));
}

/** Reads several companies at once; those it does not return are missing. */
async function loadTogether(chunk: Chunk, ids: readonly string[]): Promise<Outcomes> {
  const { provider, lessons, year, options } = chunk;
  const body = year === null ? { companyIds: ids } : { companyIds: ids, year };
  const reply = await provider.load({ operation: "getFinancialsOfMany", body }, options);
  const envelope = decodeRow(reply.body, "financials");
  const rows = decodeObjects(envelope.data, "financials");
  const total = readCount(envelope.total);
  const asked = new Set(ids.map(toCompanyKey));
  const distinct = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  const meant = distinct.filter((row) => asked.has(toRowKey(row)));
  const found: Outcomes = new Map();
  for (const row of meant) {
    if (found.has(toRowKey(row))) lessons.inPieces.add(toRowKey(row));
    addTo(found, row);
  }
  const isInPieces = meant.length > found.size;
  const isCounted = found.size === ids.length && total === rows.length;
  const mayBeYears = year === null && meant.length > 0 && meant.every(hasOneYear) && !isCounted;
  const hasMorePieces = total !== null && total > Math.max(ids.length, rows.length);
  if (!isInPieces && !mayBeYears && !hasMorePieces) return found;
  // An element for each year or period: a cut can go through the middle of a company, and no total would tell.
  if (lessons.inPieces.size > 1) lessons.companiesAtOnce = 1;
  return loadGroups(chunk, toGroups(ids, 1));
}

const toRowKey = (row: Row): string => toCompanyKey(readText(row.companyId) ?? "");

function hasOneYear({ years }: Row): boolean {
  return Array.isArray(years) && years.length === 1;
}

function toUnknown({ year }: Chunk, id: string): RequestError {
  const [what, check] = year === null ? ["", "the id"] : [` for ${year}`, "the id and the year"];
  return new RequestError("FEED_NOT_FOUND", `the provider has no financials of company ${id}${what}; check ${check}`);
}

/**
 * A company may stand in several elements: they are one company's years. An element that cannot be read spoils
 * its own company; one that names none is nobody's, and its company is asked for by its id.
 */
function addTo(found: Outcomes, row: Row): void {
  const key = toRowKey(row);
  const before = found.get(key);
  if (before instanceof FeedError) return;
  const financials = tryDecode(row);
  const isMore = before !== undefined && !(financials instanceof FeedError);
  found.set(key, isMore ? { ...before, years: [...before.years, ...financials.years] } : financials);
}

function tryDecode(row: Row): Financials | FeedError {
  try {
    return decodeFinancials(row);
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
}

function merge(parts: readonly Outcomes[]): Outcomes {
  return new Map(parts.flatMap((part) => [...part]));
}
