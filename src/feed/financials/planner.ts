import { FeedError, hasCode, RequestError } from "../../client/errors";
import type { Call } from "../../client/provider";
import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import { assertAnswerOf, toCompanyKey } from "../company-ref";
import { decodeFinancials, decodeObjects, decodeRow, type Financials, type Row, readCount, readText } from "../decode";

/**
 * How far the reading of a chunk of companies has come. POST /financials answers in an envelope but takes no page
 * (§4.2), so what an answer leaves out is asked for again; no undocumented parameter is ever sent.
 *
 *     startPlan ──→ groups ──→ advance, by what became of one of them ──→ every company has its outcome
 *                     ↑                          │
 *                     └── more of them, if any ──┘
 *
 * | asked for | what comes                                         | becomes of its companies                         |
 * |-----------|----------------------------------------------------|--------------------------------------------------|
 * | one       | its financials, or a failure                       | outcome: these, or that                          |
 * | several   | 400, 404, 403 or 500: one of them may spoil it     | asked for in two halves                          |
 * | a half    | 403, after one for every company of another chunk  | kept back: outcome, that failure for each, where |
 * |           |                                                    | it is everybody's in the end; else two halves    |
 * | several   | any other failure, or no envelope                  | outcome: that failure, for each                  |
 * | several   | a company in several elements, or signs of it      | asked for one by one: a cut may go through one   |
 * | several   | n of them, whatever the total says                 | outcome for these n, and for whom the provider   |
 * |           |                                                    | is known not to have; the others are asked for   |
 * |           |                                                    | in groups of n, or one by one when n is 0        |
 *
 * At any time a company is in exactly one place, a request under way, `keptBack` or `outcomes`. Each row either ends companies
 * or asks for them in several smaller groups, so that n companies take 2n - 1 requests at most. A cut may be an
 * accident: fewer companies are asked for at once only when it has come in the same size for two chunks.
 */
export interface Plan {
  /** How many companies the chunk has: with as many outcomes the plan has ended. */
  readonly count: number;
  /** A fiscal year, or null for all. */
  readonly year: number | null;
  readonly outcomes: Outcomes;
  /** Halves that were refused as everybody was before, until it is known whether that goes for all of them again. */
  readonly persistedBack: readonly Refused[];
  /** Companies that an answer left out, and how many others it had. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** The most companies that one answer had. */
  readonly mostAtOnce: number;
  /** Companies that came in several elements. */
  readonly inPieces: readonly string[];
}

/** What became of companies, by {@link toCompanyKey} of their ids. */
export type Outcomes = ReadonlyMap<string, Financials | FeedError>;

/** What a provider's answers taught, for the chunks after them. */
export interface Lessons {
  /** How many companies it answers at once; only ever lowered. */
  readonly companiesAtOnce: number;
  /** How many came where a chunk was cut, until more come at once: the same number again is believed. */
  readonly cuts: ReadonlySet<number>;
  /** Companies that came in several elements: each is read alone, and several of them say that any may be. */
  readonly inPieces: ReadonlySet<string>;
  /** Whether it refused every company of a whole chunk, and has answered none since. */
  readonly isBarred: boolean;
  /** What it said it does not have, each company and year asked for alone; left out again, it is not asked for again. */
  readonly unknown: ReadonlySet<string>;
}

export const NO_LESSONS: Lessons = {
  companiesAtOnce: DEFAULT_PAGE_SIZE,
  cuts: new Set(),
  inPieces: new Set(),
  isBarred: false,
  unknown: new Set(),
};

/** The companies of one request: for one its own, for several the one for many. */
export type Group = readonly string[];

/** Companies of a request that was refused, and how. */
interface Refused {
  readonly ids: Group;
  readonly error: FeedError;
}

/** What became of a request: the body of its answer, or why there is none. */
interface PlanEvent {
  readonly ids: Group;
  readonly body?: unknown;
  readonly error?: FeedError;
}

/** A plan, and what is to be sent for it now. */
interface Turn {
  readonly plan: Plan;
  readonly groups: readonly Group[];
}

/**
 * Starts the plan of a chunk.
 *
 * @param ids distinct company ids: 1 to `lessons.companiesAtOnce`
 * @param year a fiscal year, or null for all
 */
export function startPlan({ inPieces }: Lessons, ids: Group, year: number | null): Turn {
  const nothing = { outcomes: new Map(), persistedBack: [], leftOut: new Map(), mostAtOnce: 0, inPieces: [] };
  const plan = { count: ids.length, year, ...nothing };
  const alone = ids.filter((id) => inPieces.has(toCompanyKey(id)));
  const together = ids.filter((id) => !alone.includes(id));
  return { plan, groups: [...toGroups(alone, 1), ...toGroups(together, ids.length)] };
}

/** Takes in what became of one request of a plan: the state after it, what is to be sent, and the lessons so far. */
export function advance(lessons: Lessons, plan: Plan, event: PlanEvent): Turn & { readonly lessons: Lessons } {
  const turn = settle(toTurn(lessons, plan, event));
  const hasEnded = turn.plan.outcomes.size === plan.count;
  return { ...turn, lessons: hasEnded ? learn(lessons, turn.plan) : lessons };
}

/** How a request is sent. */
export function toCall(year: number | null, ids: Group): Call {
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

function toTurn(lessons: Lessons, plan: Plan, { ids, body, error }: PlanEvent): Turn {
  const [only = "", ...others] = ids;
  if (others.length === 0) return end(plan, ids, error ?? tryDecode(() => decodeCompany(only, body)));
  const outcome = error ?? tryDecode(() => decodeElements(plan.year, ids, body));
  if (!(outcome instanceof FeedError)) return afterAnswer(lessons, plan, ids, outcome);
  if (!isRefusal(outcome)) return end(plan, ids, outcome);
  const isBelieved = lessons.isBarred && isBarring(outcome) && ids.length < plan.count;
  if (!isBelieved) return { plan, groups: toHalves(ids) };
  return { plan: { ...plan, persistedBack: [...plan.persistedBack, { ids, error: outcome }] }, groups: [] };
}

/** What may be about one company, and be said of all who are asked for together. */
const isRefused = hasCode("FEED_REQUEST_INVALID", "FEED_NOT_FOUND", "FEED_SCOPE_MISSING");
/** One company may break a provider too; while it is out, a circuit breaker ends the halves. */
const isRefusal = (error: FeedError): boolean => error.facts.status === 500 || isRefused(error);
const isUnknown = hasCode("FEED_NOT_FOUND");
const isBarring = hasCode("FEED_SCOPE_MISSING");

const toHalves = (ids: Group): Group[] => toGroups(ids, Math.ceil(ids.length / 2));

/** Ends what was kept back, or asks for it after all, as soon as it is known which. */
function settle({ plan, groups }: Turn): Turn {
  const { persistedBack, outcomes } = plan;
  if (![...outcomes.values()].every(isBarring)) {
    return {
      plan: { ...plan, persistedBack: [] },
      groups: [...groups, ...persistedBack.flatMap(({ ids }) => toHalves(ids))],
    };
  }
  const waiting = persistedBack.reduce((sum, { ids }) => sum + ids.length, outcomes.size);
  if (waiting < plan.count) return { plan, groups };
  const ended = persistedBack.reduce((turn, { ids, error }) => end(turn.plan, ids, error), { plan, groups });
  return { ...ended, plan: { ...ended.plan, persistedBack: [] } };
}

function end(plan: Plan, ids: Group, outcome: Financials | FeedError): Turn {
  const outcomes = new Map([...plan.outcomes, ...ids.map((id) => [toCompanyKey(id), outcome] as const)]);
  return { plan: { ...plan, outcomes }, groups: [] };
}

/** Whom an answer leaves out is asked for again, but for those that the provider does not have. */
function afterAnswer({ unknown }: Lessons, plan: Plan, ids: Group, { found, inPieces, mayBeCut }: Elements): Turn {
  if (mayBeCut) return { plan: { ...plan, inPieces: [...plan.inPieces, ...inPieces] }, groups: toGroups(ids, 1) };
  const { year } = plan;
  const { size } = found;
  const outcomes = new Map([...plan.outcomes, ...found]);
  const leftOut = new Map(plan.leftOut);
  for (const id of ids) {
    const key = toCompanyKey(id);
    if (found.has(key)) continue;
    if (size > 0) leftOut.set(key, size);
    if (unknown.has(toUnknownKey(key, year))) outcomes.set(key, toUnknown(id, year));
  }
  const doubtful = ids.filter((id) => !outcomes.has(toCompanyKey(id)));
  const mostAtOnce = Math.max(plan.mostAtOnce, size);
  return { plan: { ...plan, outcomes, leftOut, mostAtOnce }, groups: toGroups(doubtful, size || 1) };
}

/** What an answer for several companies has. */
interface Elements {
  found: ReadonlyMap<string, Financials | FeedError>;
  /** Companies that came in several elements. */
  inPieces: readonly string[];
  /** Whether there may be more of a company than came. */
  mayBeCut: boolean;
}

/** An element that cannot be read spoils its own company; one that names none is nobody's. */
function decodeElements(year: number | null, ids: Group, body: unknown): Elements {
  const envelope = decodeRow(body, "financials");
  const rows = decodeObjects(envelope.data, "financials");
  const total = readCount(envelope.total);
  const asked = ids.map(toCompanyKey);
  const meant = toDistinct(rows).filter((row) => asked.includes(toRowKey(row)));
  const found = new Map(meant.map((row) => [toRowKey(row), tryDecode(() => decodeFinancials(row))]));
  const inPieces = meant.map(toRowKey).filter((key, place, keys) => keys.indexOf(key) < place);
  const isCounted = found.size === ids.length && total === rows.length;
  const mayBeYears = year === null && meant.length > 0 && meant.every(hasOneYear) && !isCounted;
  const hasMorePieces = total !== null && total > Math.max(ids.length, rows.length);
  // An element for each year or period: a cut can go through the middle of a company, and no total would tell.
  return { found, inPieces, mayBeCut: inPieces.length > 0 || mayBeYears || hasMorePieces };
}

/** Of an element that came twice, one; where each is of a company of its own, none is written out to find that. */
function toDistinct(rows: readonly Row[]): readonly Row[] {
  if (new Set(rows.map(toRowKey)).size === rows.length) return rows;
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

const toRowKey = (row: Row): string => toCompanyKey(readText(row.companyId) ?? "");

const hasOneYear = ({ years }: Row): boolean => Array.isArray(years) && years.length === 1;

function tryDecode<T>(read: () => T): T | FeedError {
  try {
    return read();
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
}

/** What a plan that has ended adds to the lessons. */
function learn(lessons: Lessons, { count, year, outcomes, leftOut, mostAtOnce, ...plan }: Plan): Lessons {
  const inPieces = new Set([...lessons.inPieces, ...plan.inPieces]);
  const unknown = new Set(lessons.unknown);
  const cuts = new Set([...lessons.cuts].filter((size) => size >= mostAtOnce));
  let companiesAtOnce = inPieces.size > 1 ? 1 : lessons.companiesAtOnce;
  for (const [key, outcome] of outcomes) {
    const unknownKey = toUnknownKey(key, year);
    if (isUnknown(outcome)) unknown.add(unknownKey);
    if (outcome instanceof FeedError) continue;
    unknown.delete(unknownKey);
    const size = leftOut.get(key);
    // Only what exists after all was left out for its number; an unknown company is missing from any answer.
    if (size === undefined) continue;
    if (lessons.cuts.has(size)) companiesAtOnce = Math.min(companiesAtOnce, size);
    cuts.add(size);
  }
  const isBarred = count > 1 ? [...outcomes.values()].every(isBarring) : lessons.isBarred;
  return { companiesAtOnce, cuts, inPieces, isBarred, unknown };
}

/** A company that lacks one year may have another. */
const toUnknownKey = (key: string, year: number | null): string => JSON.stringify([key, year]);

function toUnknown(id: string, year: number | null): RequestError {
  const [what, check] = year === null ? ["", "the id"] : [` for ${year}`, "the id and the year"];
  return new RequestError("FEED_NOT_FOUND", `the provider has no financials of company ${id}${what}; check ${check}`);
}
