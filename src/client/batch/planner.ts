import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import { FeedError, hasCode, RequestError } from "../errors";
import { toCompanyKey } from "../ids";
import { msg } from "../messages";

/**
 * The progress of one chunk of companies. POST /financials answers in an envelope but takes no page (§4.2), so companies
 * that an answer lacks are requested again; no undocumented parameter is ever sent. The caller knows what an element `T`
 * is and how an answer is read.
 *
 *     startPlan ──→ groups ──→ advance, by the result of one of them ──→ every company has its outcome
 *                     ↑                          │
 *                     └── more of them, if any ──┘
 *
 * | requested | result                                             | next for its companies                           |
 * |-----------|----------------------------------------------------|--------------------------------------------------|
 * | one       | its element, or a failure                          | outcome: the element or the failure              |
 * | several   | 400, 404, 403 or 500: one of them may cause it     | requested in two halves                          |
 * | a half    | 403, where another chunk was wholly refused by it  | waits: the failure of each if all of this chunk  |
 * |           |                                                    | get it; else requested in two halves             |
 * | several   | any other failure, or no envelope                  | outcome: that failure, for each                  |
 * | several   | a company in several elements, or signs of it      | requested one by one: a cut may go through one   |
 * | several   | some of them, as known to a companion              | outcome for these; the others are requested      |
 * |           |                                                    | together, and nothing is learnt                  |
 * | several   | n of them, whatever the total says                 | outcome for these n, and for those known to be   |
 * |           |                                                    | absent; the others are requested in groups of n, |
 * |           |                                                    | or one by one when n is 0                        |
 *
 * A company is always in exactly one place: a request under way, `heldBack` or `outcomes`. Each row either ends companies
 * or requests them in several smaller groups, so n companies take at most 2n - 1 requests. One cut may be an accident:
 * the page cap is lowered only after the same size was cut in two chunks.
 */
export interface Plan<T> {
  /** How many companies the chunk has: with as many outcomes the plan has ended. */
  readonly count: number;
  /** A fiscal year, or null for all. */
  readonly year: number | null;
  readonly outcomes: Outcomes<T>;
  /** Halves that were refused as everybody was before, until it is known whether that goes for all of them again. */
  readonly heldBack: readonly Refused[];
  /** Companies that an answer left out, and how many others it had. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** The most companies that one answer had. */
  readonly mostAtOnce: number;
  /** Companies that the answer splits over several elements. */
  readonly inPieces: readonly string[];
}

/** The outcome of each company, by {@link toCompanyKey} of its id. */
export type Outcomes<T> = ReadonlyMap<string, T | FeedError>;

/** Facts about the provider that earlier answers showed. */
export interface Lessons {
  /** The page cap that it showed; only ever lowered. */
  readonly companiesAtOnce: number;
  /** Sizes of cut answers; the same size twice is taken for a cap. A larger answer removes it. */
  readonly cuts: ReadonlySet<number>;
  /** Companies that came in several elements: each is loaded alone. Several of them suggest that any company may be. */
  readonly inPieces: ReadonlySet<string>;
  /** Whether it refused every company of a whole chunk, and has answered none since. */
  readonly isBarred: boolean;
  /**
   * Companies and years that it refused as unknown when loaded alone; they are not loaded again when an answer lacks
   * them.
   */
  readonly unknown: ReadonlySet<string>;
}

export const NO_LESSONS: Lessons = {
  companiesAtOnce: DEFAULT_PAGE_SIZE,
  cuts: new Set(),
  inPieces: new Set(),
  isBarred: false,
  unknown: new Set(),
};

/** The companies of one request: one uses its own path, several use the joint one. */
export type Group = readonly string[];

/** Companies of a refused request, and the refusal. */
interface Refused {
  readonly ids: Group;
  readonly error: FeedError;
}

/** The elements of an answer. */
export interface Elements<T> {
  /** Maps each {@link toCompanyKey} to its element, or to an error where that is unreadable or surely absent. */
  found: ReadonlyMap<string, T | FeedError>;
  /** Number of companies in the answer; default the size of `found`. */
  came?: number;
  /** Companies that the answer splits over several elements. */
  inPieces?: readonly string[];
  /** Whether others are left out only for now, so that this says nothing about the provider. */
  isPartial?: boolean | undefined;
  /** Whether the answer may lack part of a company's data; each company is then requested alone. */
  mayBeCut?: boolean;
}

/** A plan, and the requests to send for it now. */
interface Step<T> {
  readonly plan: Plan<T>;
  readonly groups: readonly Group[];
}

/**
 * Loads companies and returns an outcome for each. Sends the plan's requests in parallel, and further ones until the plan ends.
 * @param memory lessons of earlier answers, shared by the chunks under way
 * @param ids distinct company ids: 1 to `lessons.companiesAtOnce`
 * @param year a fiscal year, or null for all
 * @param notify gets the outcomes so far after each answer; an outcome is final
 * @throws the errors of `send`
 */
export async function loadPlanned<T>(
  memory: { lessons: Lessons },
  ids: Group,
  year: number | null,
  send: (group: Group) => Promise<Elements<T> | FeedError>,
  notify: (outcomes: Outcomes<T>) => void = () => {},
): Promise<Outcomes<T>> {
  let { plan, groups: first } = startPlan<T>(memory.lessons, ids, year);
  const load = async (group: Group): Promise<void> => {
    const result = await send(group);
    const step = advance(memory.lessons, plan, group, result);
    ({ plan, lessons: memory.lessons } = step);
    notify(plan.outcomes);
    await Promise.all(step.groups.map(load));
  };
  await Promise.all(first.map(load));
  return plan.outcomes;
}

/** Starts the plan of a chunk; parameters as of {@link loadPlanned}. */
export function startPlan<T>({ inPieces }: Lessons, ids: Group, year: number | null): Step<T> {
  const nothing = { outcomes: new Map(), heldBack: [], leftOut: new Map(), mostAtOnce: 0, inPieces: [] };
  const plan = { count: ids.length, year, ...nothing };
  const alone = ids.filter((id) => inPieces.has(toCompanyKey(id)));
  const together = ids.filter((id) => !alone.includes(id));
  return { plan, groups: [...toGroups(alone, 1), ...toGroups(together, ids.length)] };
}

/** Applies the result of one request: gives the next state, the next requests and the lessons so far. */
export function advance<T>(
  lessons: Lessons,
  plan: Plan<T>,
  ids: Group,
  result: Elements<T> | FeedError,
): Step<T> & { readonly lessons: Lessons } {
  const step = settle(toStep(lessons, plan, ids, result));
  const hasEnded = step.plan.outcomes.size === plan.count;
  return { ...step, lessons: hasEnded ? learnPageCap(lessons, step.plan) : lessons };
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

function toStep<T>(lessons: Lessons, plan: Plan<T>, ids: Group, result: Elements<T> | FeedError): Step<T> {
  if (!(result instanceof FeedError)) return afterAnswer(lessons, plan, ids, result);
  if (ids.length < 2 || !isRefusal(result)) return end(plan, ids, result);
  const isBelieved = lessons.isBarred && isBarring(result) && ids.length < plan.count;
  if (!isBelieved) return { plan, groups: toHalves(ids) };
  return { plan: { ...plan, heldBack: [...plan.heldBack, { ids, error: result }] }, groups: [] };
}

/** Refusals that may concern one company, yet refuse all of a request. */
const isRefused = hasCode("FEED_REQUEST_INVALID", "FEED_NOT_FOUND", "FEED_SCOPE_MISSING");
/** Also a 500: one company may break a provider. During an outage the circuit breaker ends the halving. */
const isRefusal = (error: FeedError): boolean => error.facts.status === 500 || isRefused(error);
const isUnknown = hasCode("FEED_NOT_FOUND");
const isBarring = hasCode("FEED_SCOPE_MISSING");

const toHalves = (ids: Group): Group[] => toGroups(ids, Math.ceil(ids.length / 2));

/** Ends the held-back companies, or requests them after all, as soon as the cause is known. */
function settle<T>({ plan, groups }: Step<T>): Step<T> {
  const { heldBack, outcomes } = plan;
  if (![...outcomes.values()].every(isBarring)) {
    return {
      plan: { ...plan, heldBack: [] },
      groups: [...groups, ...heldBack.flatMap(({ ids }) => toHalves(ids))],
    };
  }
  const waiting = heldBack.reduce((sum, { ids }) => sum + ids.length, outcomes.size);
  if (waiting < plan.count) return { plan, groups };
  const ended = heldBack.reduce<Step<T>>((step, { ids, error }) => end(step.plan, ids, error), { plan, groups });
  return { ...ended, plan: { ...ended.plan, heldBack: [] } };
}

function end<T>(plan: Plan<T>, ids: Group, error: FeedError): Step<T> {
  const outcomes = new Map([...plan.outcomes, ...ids.map((id) => [toCompanyKey(id), error] as const)]);
  return { plan: { ...plan, outcomes }, groups: [] };
}

/** Requests the companies that an answer lacks, except those known to be absent. */
function afterAnswer<T>({ unknown }: Lessons, plan: Plan<T>, ids: Group, elements: Elements<T>): Step<T> {
  const { found, came = found.size, inPieces = [], isPartial, mayBeCut } = elements;
  const outcomes = new Map([...plan.outcomes, ...found]);
  if (isPartial && came > 0) {
    const others = ids.filter((id) => !outcomes.has(toCompanyKey(id)));
    return { plan: { ...plan, outcomes }, groups: toGroups(others, ids.length) };
  }
  if (mayBeCut) return { plan: { ...plan, inPieces: [...plan.inPieces, ...inPieces] }, groups: toGroups(ids, 1) };
  const { year } = plan;
  const leftOut = new Map(plan.leftOut);
  for (const id of ids) {
    const key = toCompanyKey(id);
    if (found.has(key)) continue;
    if (came > 0) leftOut.set(key, came);
    if (unknown.has(toUnknownKey(key, year))) outcomes.set(key, toUnknown(id, year));
  }
  const doubtful = ids.filter((id) => !outcomes.has(toCompanyKey(id)));
  const mostAtOnce = Math.max(plan.mostAtOnce, came);
  return { plan: { ...plan, outcomes, leftOut, mostAtOnce }, groups: toGroups(doubtful, came || 1) };
}

/** Adds the lessons of an ended plan. */
function learnPageCap<T>(lessons: Lessons, { count, year, outcomes, leftOut, mostAtOnce, ...plan }: Plan<T>): Lessons {
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
    // Only an existing company was left out for a page cap; an unknown one is missing from any answer.
    if (size === undefined) continue;
    if (lessons.cuts.has(size)) companiesAtOnce = Math.min(companiesAtOnce, size);
    cuts.add(size);
  }
  const isBarred = count > 1 ? [...outcomes.values()].every(isBarring) : lessons.isBarred;
  return { companiesAtOnce, cuts, inPieces, isBarred, unknown };
}

/** The key has the year: a company that lacks one year may have another. */
const toUnknownKey = (key: string, year: number | null): string => JSON.stringify([key, year]);

function toUnknown(id: string, year: number | null): RequestError {
  const text =
    year === null
      ? msg`the provider has no financials of company ${id}; check the id`
      : msg`the provider has no financials of company ${id} for ${year}; check the id and the year`;
  return new RequestError("FEED_NOT_FOUND", text);
}
