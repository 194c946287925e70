import { decodeFinancials, decodePage, type Financials, type Row, readText } from "./decode";
import { FeedError } from "./errors";
import type { LoadOptions, Provider } from "./provider";

/** What became of each company asked for, by {@link toKey} of its id. */
export type Outcomes = Map<string, Financials | FeedError>;

/** How many companies this provider answered at once; shared by all chunks, only ever lowered. */
export interface Capacity {
  companies: number;
}

/** Company ids are UUIDs, so letter case tells nothing. */
export const toKey = (companyId: string): string => companyId.toLowerCase();

/**
 * Reads the financials of some companies and loses none. POST /financials answers in an envelope but takes no
 * page (§4.2), so what it leaves out is asked again: in groups of the size it did answer, one by one at last.
 * An id that spoils a whole request is found by halving.
 *
 * @param ids distinct company ids, 1 or more
 * @param year a fiscal year, or null for all
 */
export async function loadChunk(
  provider: Provider,
  capacity: Capacity,
  ids: readonly string[],
  year: number | null,
  options: LoadOptions,
): Promise<Outcomes> {
  const again = (groups: string[][]) =>
    Promise.all(groups.map((group) => loadChunk(provider, capacity, group, year, options))).then(merge);
  try {
    if (ids.length === 1) return await loadOne(provider, ids[0] as string, year, options);
    const found = await loadSeveral(provider, ids, year, options);
    const missing = ids.filter((id) => !found.has(toKey(id)));
    if (missing.length === 0) return found;
    const rest = await again(toGroups(missing, Math.max(1, found.size)));
    // Only what exists after all was left out for its number; an unknown company is missing from any answer.
    const wasCut = [...rest.values()].some((outcome) => !(outcome instanceof FeedError));
    if (wasCut && found.size > 0) capacity.companies = Math.min(capacity.companies, found.size);
    return merge([found, rest]);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    const mayBeOneId = error.code === "FEED_REQUEST_INVALID" || error.code === "FEED_NOT_FOUND";
    if (ids.length > 1 && mayBeOneId) return again(toGroups(ids, Math.ceil(ids.length / 2)));
    return new Map(ids.map((id) => [toKey(id), error]));
  }
}

/** Cuts a list into groups of at most `size`. */
export function toGroups<T>(items: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let start = 0; start < items.length; start += size) groups.push(items.slice(start, start + size));
  return groups;
}

async function loadOne(provider: Provider, id: string, year: number | null, options: LoadOptions): Promise<Outcomes> {
  const query = year === null ? {} : { year };
  const { body } = await provider.load({ operation: "getCompanyFinancials", path: { companyId: id }, query }, options);
  return new Map([[toKey(id), decodeFinancials(body)]]);
}

async function loadSeveral(
  provider: Provider,
  ids: readonly string[],
  year: number | null,
  options: LoadOptions,
): Promise<Outcomes> {
  const body = year === null ? { companyIds: ids } : { companyIds: ids, year };
  const reply = await provider.load({ operation: "getFinancialsOfMany", body }, options);
  const { rows, total } = decodePage(reply.body, "financials");
  const asked = new Set(ids.map(toKey));
  const found: Outcomes = new Map();
  for (const row of rows) addTo(found, row, asked);
  const mayBeCut = found.size < ids.length || total === null || total > rows.length;
  // With an element for each year, a cut can go through the middle of a company: none of them is sure to be whole.
  return mayBeCut && year === null && isByYear(rows, found.size) ? new Map() : found;
}

/** Whether the elements are years of companies rather than companies. */
function isByYear(rows: readonly Row[], companies: number): boolean {
  return rows.length > companies || rows.every(({ years }) => Array.isArray(years) && years.length === 1);
}

/**
 * A company may stand in several elements (one a year, say): they are one company's years. An element that
 * cannot be read spoils its own company; one that names none is missing and is asked for by its id.
 */
function addTo(found: Outcomes, row: Row, asked: ReadonlySet<string>): void {
  const key = toKey(readText(row.companyId) ?? "");
  if (!asked.has(key)) return;
  const before = found.get(key);
  const financials = tryDecode(row);
  if (before === undefined || financials instanceof FeedError) found.set(key, financials);
  else if (!(before instanceof FeedError)) {
    found.set(key, { ...before, years: [...before.years, ...financials.years] });
  }
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
