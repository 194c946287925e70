import { DEFAULT_PAGE_SIZE } from "../contract/constants";
import { assertAnswerOf, toCompanyKey } from "./company-ref";
import { decodeFinancials, decodeObjects, decodeRow, type Financials, type Row, readCount, readText } from "./decode";
import { FeedError, RequestError } from "./errors";
import type { Call } from "./provider";

/**
 * The planner of the financials of several companies. POST /financials answers in an envelope but takes no page
 * (§4.2), so what an answer leaves out is asked for again, and no undocumented parameter is ever sent.
 * From start to end each company of a chunk is in exactly one place: in a request under way, or among the outcomes.
 *
 *     startPlan ──→ requests under way ──advance, once for each answer or failure──→ … ──→ every company has its outcome
 *
 * | asked for | what comes                                        | becomes of its companies                             |
 * |-----------|---------------------------------------------------|------------------------------------------------------|
 * | one       | its financials, or a failure                      | outcome: these, or that                              |
 * | several   | a refusal that one id may cause (400, 404, 403)   | asked for in two halves                              |
 * | several   | 403 again, after one for every company of a chunk | outcome: that refusal, for each                      |
 * | several   | any other failure, or what is no envelope         | outcome: that failure, for each                      |
 * | several   | a company in pieces, or what may be a piece       | asked for one by one: a cut may go through a company |
 * | several   | n of the companies, whatever the total says       | outcome for these n, and for those known as unknown; |
 * |           |                                                   | the others asked for in groups of n, alone if n is 0 |
 *
 * Every row ends companies or makes groups smaller: n companies take 2n - 1 requests at most.
 */
export interface Plan {
  /** How many companies the chunk has. */
  readonly count: number;
  /** A fiscal year, or null for all. */
  readonly year: number | null;
  readonly outcomes: Outcomes;
  /** The fewest companies of an answer that was cut, which shows when one comes that it had left out. */
  readonly cutTo: number;
  /** Companies that came in several elements. */
  readonly inPieces: readonly string[];
}

/** What became of companies, by {@link toCompanyKey} of their ids: at the end of all that were asked for. */
export type Outcomes = ReadonlyMap<string, Financials | FeedError>;

/** What a provider's answers taught, for all chunks after them. */
export interface Lessons {
  /** How many companies it answers at once; only ever lowered. */
  readonly companiesAtOnce: number;
  /** Companies that came in several elements: each is read alone, and several of them say that any may be. */
  readonly inPieces: ReadonlySet<string>;
  /** Whether it refused every company of a whole chunk, and has answered none since. */
  readonly isBarred: boolean;
  /** What it said it does not have, each company and year asked for alone; left out again, it is not asked for again. */
  readonly unknown: ReadonlySet<string>;
}

export const NO_LESSONS: Lessons = {
  companiesAtOnce: DEFAULT_PAGE_SIZE,
  inPieces: new Set(),
  isBarred: false,
  unknown: new Set(),
};

/** A request of a plan: for one company its own, for several the one for many. */
export interface PlannedRequest {
  readonly ids: readonly string[];
  /** The fewest companies of an answer that left out these. */
  readonly cutTo: number;
}

/** What became of a request: the body of its answer, or why there is none. */
export type PlanEvent = { readonly request: PlannedRequest } & (
  | { readonly body: unknown; readonly error?: never }
  | { readonly error: FeedError }
);

/** The plan as it then stands, the lessons as they then are, and what is to be sent now. */
export interface Step {
  readonly plan: Plan;
  readonly lessons: Lessons;
  readonly requests: readonly PlannedRequest[];
}

/**
 * Starts the plan of a chunk.
 *
 * @param ids distinct company ids: 1 to `lessons.companiesAtOnce`
 * @param year a fiscal year, or null for all
 */
export function startPlan({ inPieces }: Lessons, ids: readonly string[], year: number | null) {
  const plan: Plan = { count: ids.length, year, outcomes: new Map(), cutTo: Number.POSITIVE_INFINITY, inPieces: [] };
  const goesAlone = (id: string) => inPieces.has(toCompanyKey(id));
  const together = ids.filter((id) => !goesAlone(id));
  const groups = [...toGroups(ids.filter(goesAlone), 1), ...toGroups(together, ids.length)];
  return { plan, requests: toRequests(groups, plan.cutTo) };
}

/** Takes in what became of one request of a plan; nothing is under way any more when each company has its outcome. */
export function advance(lessons: Lessons, plan: Plan, event: PlanEvent): Step {
  const { cutTo } = event.request;
  const { ended, rest = [], size, inPieces = [] } = toTurn(lessons, plan.year, event);
  // Only what exists after all was left out for its number; an unknown company is missing from any answer.
  const wasCut = [...ended.values()].some((outcome) => !(outcome instanceof FeedError));
  const next = {
    ...plan,
    outcomes: new Map([...plan.outcomes, ...ended]),
    cutTo: wasCut ? Math.min(plan.cutTo, cutTo) : plan.cutTo,
    inPieces: [...plan.inPieces, ...inPieces],
  };
  return {
    plan: next,
    lessons: next.outcomes.size < next.count ? lessons : learn(lessons, next),
    requests: toRequests(rest, Math.min(cutTo, size || cutTo)),
  };
}

const toRequests = (groups: string[][], cutTo: number): PlannedRequest[] => groups.map((ids) => ({ ids, cutTo }));

/** How a request is sent. */
export function toCall(year: number | null, ids: readonly string[]): Call {
  const [companyId = "", ...others] = ids;
  const query = year === null ? {} : { year };
  if (others.length > 0) return { operation: "getFinancialsOfMany", body: { companyIds: ids, ...query } };
  return { operation: "getCompanyFinancials", path: { companyId }, query };
}

/**
 * Cuts a list into groups.
 *
 * @param size items of a group: 1 or more
 */
export function toGroups<T>(items: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let start = 0; start < items.length; start += size) groups.push(items.slice(start, start + size));
  return groups;
}

/**
 * Reads the answer of one company's own read (§2.3).
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED), also for the answer of another company
 */
export function decodeCompany(companyId: string, body: unknown): Financials {
  const financials = decodeFinancials(body);
  assertAnswerOf(companyId, financials.companyId);
  return financials;
}

/** What an event does to the companies of its request. */
interface Turn {
  ended: Outcomes;
  /** Those to be asked for again, in groups. */
  rest?: string[][];
  /** How many companies came, of which the rest was left out. */
  size?: number;
  inPieces?: string[];
}

function toTurn(lessons: Lessons, year: number | null, { request: { ids }, body, error }: PlanEvent): Turn {
  const [only = "", ...others] = ids;
  if (others.length === 0) return toEnd(ids, error ?? attempt(() => decodeCompany(only, body)));
  const turn = error ?? attempt(() => readTogether(lessons, year, ids, body));
  if (!(turn instanceof FeedError)) return turn;
  const mayBeOneId = turn.code === "FEED_REQUEST_INVALID" || turn.code === "FEED_NOT_FOUND";
  if (!mayBeOneId && (!isBarred(turn) || lessons.isBarred)) return toEnd(ids, turn);
  return { ended: new Map(), rest: toGroups(ids, Math.ceil(ids.length / 2)) };
}

const toEnd = (ids: readonly string[], outcome: Financials | FeedError): Turn => ({
  ended: new Map(ids.map((id) => [toCompanyKey(id), outcome])),
});

const isBarred = (outcome: unknown) => outcome instanceof FeedError && outcome.code === "FEED_SCOPE_MISSING";

/** Reads the answer for several companies: an element that cannot be read spoils its own, one that names none is nobody's. */
function readTogether({ unknown }: Lessons, year: number | null, ids: readonly string[], body: unknown): Turn {
  const envelope = decodeRow(body, "financials");
  const rows = decodeObjects(envelope.data, "financials");
  const total = readCount(envelope.total);
  const asked = new Set(ids.map(toCompanyKey));
  const distinct = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  const meant = distinct.filter((row) => asked.has(toRowKey(row)));
  const found = new Map(meant.map((row) => [toRowKey(row), attempt(() => decodeFinancials(row))]));
  const { size } = found;
  const inPieces = meant.map(toRowKey).filter((key, place, keys) => keys.indexOf(key) < place);
  const isCounted = size === ids.length && total === rows.length;
  const mayBeYears = year === null && size > 0 && meant.every(hasOneYear) && !isCounted;
  const hasMorePieces = total !== null && total > Math.max(ids.length, rows.length);
  // An element for each year or period: a cut can go through the middle of a company, and no total would tell.
  if (inPieces.length > 0 || mayBeYears || hasMorePieces) return { ended: new Map(), rest: toGroups(ids, 1), inPieces };
  for (const id of ids) {
    const key = toCompanyKey(id);
    if (!found.has(key) && unknown.has(toUnknownKey(key, year))) found.set(key, toUnknown(id, year));
  }
  const missing = ids.filter((id) => !found.has(toCompanyKey(id)));
  return { ended: found, rest: toGroups(missing, size || 1), size };
}

const toRowKey = (row: Row): string => toCompanyKey(readText(row.companyId) ?? "");

const hasOneYear = ({ years }: Row): boolean => Array.isArray(years) && years.length === 1;

function attempt<T>(read: () => T): T | FeedError {
  try {
    return read();
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
}

/** What a plan that has ended adds to the lessons. */
function learn(lessons: Lessons, { count, year, outcomes, ...plan }: Plan): Lessons {
  const inPieces = new Set([...lessons.inPieces, ...plan.inPieces]);
  const unknown = new Set(lessons.unknown);
  for (const [key, outcome] of outcomes) {
    if (!(outcome instanceof FeedError)) unknown.delete(toUnknownKey(key, year));
    else if (outcome.code === "FEED_NOT_FOUND") unknown.add(toUnknownKey(key, year));
  }
  return {
    companiesAtOnce: Math.min(lessons.companiesAtOnce, inPieces.size > 1 ? 1 : plan.cutTo),
    inPieces,
    isBarred: count > 1 ? [...outcomes.values()].every(isBarred) : lessons.isBarred,
    unknown,
  };
}

/** A company that lacks one year may have another. */
const toUnknownKey = (key: string, year: number | null): string => JSON.stringify([key, year]);

function toUnknown(id: string, year: number | null): RequestError {
  const [what, check] = year === null ? ["", "the id"] : [` for ${year}`, "the id and the year"];
  return new RequestError("FEED_NOT_FOUND", `the provider has no financials of company ${id}${what}; check ${check}`);
}
