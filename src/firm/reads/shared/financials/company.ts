import { LRUCache } from "lru-cache";
import { OPERATIONS } from "../../../../contract/constants";
import type { AgeLimit } from "../age-limit";
import { loadInBatchOnly } from "../financials";
import { type CachePlace, type Read, type ReadThroughOptions, readThrough, toAnswerPlace } from "../read-through";
import { type AgedAnswer, type Found, isOut, isPassing, type LoadResult, toAnswer } from "../result";
import { toAnswerKey, toElementKey } from "../shared-cache";
import { hasBounds, isCompanyId, type Year } from "../split";
import type { FinancialsOptions } from "./read";

/** One company's financials, as a query of its own requests them. */
interface CompanyQuery {
  year: Year;
  id: string;
}

/** How long an answer tells what batches of the provider lack. */
const LESSON_MS = 3_600_000;
/** Within this time of another company's read, a batch of both is likely. */
const LATELY_MS = 10_000;
/** How long a company that a batch did not bring is read by itself. */
const DOUBTFUL_MS = 60_000;
const MOST_DOUBTFUL = 10_000;

const [BEFORE_ID, BEHIND_ID] = OPERATIONS.getCompanyFinancials.path.split("{companyId}") as [string, string];

/** Reads a path; undefined where it requests more than a company and a year. */
export function readCompanyQuery(pathWithQuery: string): CompanyQuery | undefined {
  const [path = "", text = ""] = pathWithQuery.split("?");
  if (!path.startsWith(BEFORE_ID) || !path.endsWith(BEHIND_ID)) return undefined;
  const id = path.slice(BEFORE_ID.length, path.length - BEHIND_ID.length).toLowerCase();
  const [[name, year] = ["year", undefined], ...others] = [...new URLSearchParams(text)];
  const isPlain = isCompanyId(id) && name === "year" && others.length === 0;
  if (!isPlain || (year !== undefined && !/^\d{4}$/.test(year))) return undefined;
  return { id, year: year === undefined ? "all" : Number(year) };
}

/**
 * Whether single companies are read in batches. An element of a batch may lack the bounds of fiscal years, which a
 * single company's answer has (§2.3).
 *
 * | batches of this provider | are known by            | a single company is read                            |
 * |--------------------------|-------------------------|-----------------------------------------------------|
 * | unknown                  | nothing so far          | by itself; in a batch soon after another company    |
 * | have bounds              | their latest element    | in a batch                                          |
 * | lack bounds              | their latest element    | by itself, for an hour                              |
 */
export function createSingleCompanies(nowMs: () => number) {
  const doubtful = new LRUCache<string, true>({ max: MOST_DOUBTFUL });
  let lacksUntilMs = 0;
  let haveBounds = false;
  let latest: { id: string; atMs: number } | undefined;
  const toKey = ({ year, id }: CompanyQuery) => `${year} ${id}`;
  return {
    mayBatch(query: CompanyQuery): boolean {
      const before = latest;
      latest = { id: query.id, atMs: nowMs() };
      if (nowMs() < lacksUntilMs || doubtful.has(toKey(query))) return false;
      return haveBounds || (before !== undefined && before.id !== query.id && before.atMs > nowMs() - LATELY_MS);
    },
    /** Takes the lesson of a batch's result. */
    learn(query: CompanyQuery, result: LoadResult): void {
      if (result.is !== "found") {
        // The client narrows a failing batch down to this company: others must not share its requests.
        if (!(result.is === "failed" && isPassing(result))) doubtful.set(toKey(query), true, { ttl: DOUBTFUL_MS });
        return;
      }
      const has = hasBounds(result.body);
      if (has === undefined) return;
      haveBounds = has;
      lacksUntilMs = haveBounds ? 0 : nowMs() + LESSON_MS;
    },
  };
}

/** The parts that reads of one company's financials use. */
type CompanyOptions = FinancialsOptions & ReadThroughOptions & { singles: ReturnType<typeof createSingleCompanies> };

/**
 * Reads one company's financials, in a batch with other readers' companies where its element equals its own answer. A
 * company that a batch does not bring is read by itself: only its own answer is the provider's word on it.
 * @throws Refusal as of ProviderClient, and of the reader's own quota.
 */
export async function readCompanyFinancials(
  options: CompanyOptions,
  wanted: CompanyQuery,
  read: Read,
): Promise<AgedAnswer> {
  const { singles, nowMs } = options;
  const { reader, limit } = read;
  const place = toCompanyPlace(options, wanted, read.query.path);
  const isBatched = singles.mayBatch(wanted) && !(await isCached(place, limit));
  if (!isBatched) return readThrough(options, place, read);
  const many = { year: wanted.year, ids: [wanted.id] };
  const { result, isCounted } = await loadInBatchOnly(options, many, read);
  singles.learn(wanted, result);
  const isOwn = result.is === "found" && isOwnAnswer(result.body);
  const isRefused = result.is === "failed" && isPassing(result);
  if (isRefused && isOut(result) && limit.allowsStale) {
    const stale = await place.read();
    if (stale !== undefined) return { ...toAnswer(stale, nowMs()), requested: 1, known: 1 };
  }
  if (isOwn || isRefused) return { ...toAnswer(result, nowMs()), requested: 1, known: isCounted ? 0 : 1 };
  return readThrough(options, place, isCounted ? { ...read, reader: { ...reader, admit: () => undefined } } : read);
}

async function isCached(place: CachePlace, { afterMs }: AgeLimit): Promise<boolean> {
  const found = await place.read();
  return found !== undefined && found.atMs > afterMs;
}

/** Whether an element of a batch equals the company's own answer: it lacks no bounds, also where it has no year. */
const isOwnAnswer = (element: Buffer): boolean => hasBounds(element) !== false;

/** The place of a company's own answer. An element of a batch serves too where it equals that. */
function toCompanyPlace({ cache, scope }: CompanyOptions, { year, id }: CompanyQuery, path: string): CachePlace {
  const own = toAnswerPlace(cache, toAnswerKey(scope, path));
  return {
    ...own,
    async read() {
      const [element] = await cache.read([toElementKey(scope, year, id)]);
      const answer = await own.read();
      const isUsable = element !== undefined && element.atMs > (answer?.atMs ?? 0) && isOwnAnswer(element.body);
      return isUsable ? ({ is: "found", ...element } satisfies Found) : answer;
    },
  };
}
