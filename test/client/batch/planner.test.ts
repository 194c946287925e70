import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  advance,
  type Group,
  type Lessons,
  NO_LESSONS,
  type Plan,
  startPlan,
  toGroups,
} from "../../../src/client/batch/planner";
import { DecodeError, FeedError, RequestError } from "../../../src/client/errors";
import { toCompanyKey } from "../../../src/client/ids";
import type { Financials } from "../../../src/feed/decode";
import { toCall } from "../../../src/feed/financials/batch";
import CASES from "./planner.json";
import { type Answer, answerIn, type Kind, kindOf, read, refuse, toId, type World, YEARS } from "./planner-world";

/** The outcome of several parallel plans. */
interface Run {
  lessons: Lessons;
  /** By company, as {@link toOutcome} formats it. */
  outcomes: Map<string, string>;
  /** Companies of failed requests, and those requested while the client counted as forbidden. */
  failed: Set<string>;
  doubted: Set<string>;
  /** Violations of a plan's rules. */
  offences: string[];
}

/** A generator of numbers from 0 to 1, repeatable by seed. */
function createDraw(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Requests companies as a batch does; answers arrive in random order. */
function run(world: World, lessons: Lessons, ids: readonly string[], year: number | null, draw: () => number): Run {
  const result: Run = { lessons, outcomes: new Map(), failed: new Set(), doubted: new Set(), offences: [] };
  const plans: { plan: Plan<Financials>; requests: number }[] = [];
  const underWay: { at: number; ids: Group }[] = [];
  for (const [at, group] of toGroups(ids, lessons.companiesAtOnce).entries()) {
    const { plan, groups } = startPlan<Financials>(lessons, group, year);
    plans.push({ plan, requests: groups.length });
    underWay.push(...groups.map((ids) => ({ at, ids })));
  }
  while (underWay.length > 0) {
    const [request] = underWay.splice(Math.floor(draw() * underWay.length), 1) as [(typeof underWay)[number]];
    const state = plans[request.at] as (typeof plans)[number];
    if (request.ids.length > 25) result.offences.push(`${request.ids.length} ids in one request`);
    if (request.ids.some((id) => state.plan.outcomes.has(toCompanyKey(id)))) result.offences.push("asked for in vain");
    const isFailing = draw() * 10 < world.failing;
    if (isFailing) for (const id of request.ids) result.failed.add(id);
    if (result.lessons.isBarred) for (const id of request.ids) result.doubted.add(id);
    const answer = isFailing ? refuse("FEED_SERVER_FAILED") : answerIn(world, toCall(year, request.ids));
    const step = advance(result.lessons, state.plan, request.ids, read(year, request.ids, answer));
    const { companiesAtOnce } = step.lessons;
    if (companiesAtOnce > result.lessons.companiesAtOnce) result.offences.push("raised what it learnt");
    if (companiesAtOnce < 1) result.offences.push("learnt to ask for nobody");
    result.lessons = step.lessons;
    state.plan = step.plan;
    state.requests += step.groups.length;
    if (state.requests >= 2 * state.plan.count) throw new Error(`too many requests for ${state.plan.count} companies`);
    underWay.push(...step.groups.map((ids) => ({ at: request.at, ids })));
  }
  for (const { plan } of plans) {
    if (plan.outcomes.size !== plan.count) result.offences.push(`${plan.outcomes.size} outcomes for ${plan.count}`);
    for (const [key, outcome] of plan.outcomes) result.outcomes.set(key, toOutcome(key, outcome, year));
  }
  return result;
}

function toOutcome(key: string, outcome: Financials | FeedError, year: number | null): string {
  if (outcome instanceof FeedError) return outcome.code;
  const isOwn = outcome.years.every(({ fields }) => fields.of === key && fields.part === undefined);
  const years = outcome.years.map((each) => each.year);
  return isOwn && years.join() === (year ?? YEARS.join()).toString()
    ? "its own value"
    : `a wrong value: ${JSON.stringify(outcome)}`;
}

function toExpected(world: World, id: string): string {
  const kinds = { known: "its own value", unknown: "FEED_NOT_FOUND", bad: world.refusal, barred: "FEED_SCOPE_MISSING" };
  return kinds[kindOf(world, id) ?? "unknown"];
}

/** Most companies are known. */
const toKind = (drawn: number): Kind => (["unknown", "bad", "barred"] as const)[drawn] ?? "known";

const WORLD: fc.Arbitrary<World> = fc.record({
  kinds: fc.array(fc.nat(14).map(toKind), { minLength: 1, maxLength: 40 }),
  most: fc.constantFrom(Number.POSITIVE_INFINITY, 0, 1, 2, 3, 7, 10, 24, 25),
  total: fc.constantFrom("true", "own", "absent", "less", "more"),
  element: fc.constantFrom("company", "company", "year", "part"),
  refusal: fc.constantFrom("FEED_REQUEST_INVALID", "FEED_NOT_FOUND"),
  failing: fc.constantFrom(0, 0, 1, 5),
  repeats: fc.boolean(),
  hasStrangers: fc.boolean(),
  shouts: fc.boolean(),
});

describe("the planner", () => {
  it("ends with each company's own value or error, in few requests, however the provider behaves", () => {
    fc.assert(
      fc.property(WORLD, fc.constantFrom(null, 2022), fc.nat(), (world, year, seed) => {
        const draw = createDraw(seed);
        const ids = world.kinds.map((_, company) => toId(company));
        let lessons = NO_LESSONS;
        for (const requestedIds of [ids.slice(ids.length / 3), ids]) {
          const result = run(world, lessons, requestedIds, year, draw);
          ({ lessons } = result);
          const wrong = requestedIds.filter((id) => {
            const outcome = result.outcomes.get(id);
            if (outcome === "FEED_SERVER_FAILED") return !result.failed.has(id);
            if (outcome === "FEED_SCOPE_MISSING" && result.doubted.has(id)) return false;
            return outcome !== toExpected(world, id);
          });
          const outcomes = wrong.map((id) => `${id}: ${result.outcomes.get(id)}`);
          if (outcomes.length + result.offences.length > 0)
            throw new Error([...outcomes, ...result.offences].join("; "));
        }
      }),
      { seed: 7, numRuns: 5_000 },
    );
  });

  const element = (companyId: string, ...years: number[]) => ({ companyId, years: years.map((year) => ({ year })) });
  const envelope = (...data: object[]) => ({ body: { data, total: data.length } });
  const receive = (lessons: Lessons, ids: Group, answer: Answer, year: number | null = null) =>
    advance(lessons, startPlan<Financials>(lessons, ids, year).plan, ids, read(year, ids, answer));
  /** Goes on to what becomes of a further request for all years. */
  const goOn = (step: ReturnType<typeof receive>, ids: Group, answer: Answer) =>
    advance(step.lessons, step.plan, ids, read(null, ids, answer));

  it("is pure: it changes no input and repeats its output", () => {
    const ids = ["a", "b", "c"];
    const { plan } = startPlan<Financials>(NO_LESSONS, ids, null);
    const lessons = { ...NO_LESSONS, unknown: new Set(['["c",null]']) };
    const answer = read(null, ids, envelope(element("a", 2022, 2023)));
    const before = structuredClone([lessons, plan, ids, answer]);
    expect(advance(lessons, plan, ids, answer)).toEqual(advance(lessons, plan, ids, answer));
    expect([lessons, plan, ids, answer]).toEqual(before);
  });

  it("merges an element that comes twice", () => {
    const twice = [element("a", 2022, 2023), element("a", 2022, 2023), element("b", 2022, 2023)];
    const { plan, groups, lessons } = receive(NO_LESSONS, ["a", "b"], envelope(...twice));
    expect([plan.outcomes.size, groups, lessons.inPieces.size]).toEqual([2, [], 0]);
  });

  it.each([
    ["its total is higher", 2023, 4, [["a"], ["b"]]],
    ["it may lack years", null, null, [["a"], ["b"]]],
    ["its total counts just these", null, 2, []],
  ])("decides whether a company's element is the first of several: %s", (_, year, total, groups) => {
    const data = [element("a", 2023), element("b", 2023)];
    expect(receive(NO_LESSONS, ["a", "b"], { body: { data, total } }, year).groups).toEqual(groups);
  });

  it("reports companies without an answer by id and year", () => {
    const lessons = { ...NO_LESSONS, unknown: new Set(['["b",2023]']) };
    const { plan, groups } = receive(lessons, ["Aa", "B"], envelope(element("aA", 2023)), 2023);
    expect([groups, plan.outcomes.get("b")]).toEqual([
      [],
      new RequestError(
        "FEED_NOT_FOUND",
        "the provider has no financials of company B for 2023; check the id and the year",
      ),
    ]);
  });

  const ofAll = (...ids: string[]) => envelope(...ids.map((id) => element(id, 2022, 2023)));
  const FOUR = ["a", "b", "c", "d"];
  /** The lesson from four companies, of which the first few come at once and the others alone. */
  const receiveCut = (lessons: Lessons, came: number) => {
    const first = receive(lessons, FOUR, ofAll(...FOUR.slice(0, came)));
    return first.groups.flat().reduce((step, id) => goOn(step, [id], { body: element(id, 2023) }), first).lessons;
  };

  it.each(CASES.cuts as [string, number[], number][])(
    "learns a batch size from a cut that comes %s",
    (_, cuts, learnt) => {
      expect(cuts.reduce(receiveCut, NO_LESSONS).companiesAtOnce).toBe(learnt);
    },
  );

  it("never raises a known batch size", () => {
    const known = { ...NO_LESSONS, companiesAtOnce: 2, cuts: new Set([3]) };
    expect(receiveCut(known, 3).companiesAtOnce).toBe(2);
  });

  it("refetches a company that the provider lacked before", () => {
    const lacking = receive(NO_LESSONS, ["b"], refuse("FEED_NOT_FOUND")).lessons;
    const { lessons } = receive(lacking, ["b"], { body: element("b", 2023) });
    expect(receive(lacking, ["a", "b"], envelope(element("a", 2022, 2023))).groups).toEqual([]);
    expect(receive(lessons, ["a", "b"], envelope(element("a", 2022, 2023))).groups).toEqual([["b"]]);
  });

  it("assumes that a chunk is forbidden after another was, until one is answered", () => {
    const refused = (lessons: Lessons) => receive(lessons, ["a", "b"], refuse("FEED_SCOPE_MISSING"));
    const barred = { ...NO_LESSONS, isBarred: true };
    const { lessons } = receive(barred, ["a", "b"], envelope(element("a", 2022, 2023), element("b", 2022, 2023)));
    expect([refused(barred).lessons.isBarred, lessons.isBarred]).toEqual([true, false]);
    expect(receive(NO_LESSONS, ["a"], refuse("FEED_SCOPE_MISSING")).lessons.isBarred).toBe(false);
    const halves = refused(NO_LESSONS);
    const half = goOn(halves, ["a"], refuse("FEED_SCOPE_MISSING"));
    expect(goOn(half, ["b"], { body: element("b", 2023) }).lessons.isBarred).toBe(false);
    expect(goOn(half, ["b"], refuse("FEED_SCOPE_MISSING")).lessons.isBarred).toBe(true);
  });

  it("drops refused halves after that, but continues if any company is answered or fails otherwise", () => {
    const refusal = refuse("FEED_SCOPE_MISSING");
    const first = receive({ ...NO_LESSONS, isBarred: true }, ["a", "b", "c", "d"], refusal);
    const half = goOn(first, ["a", "b"], refusal);
    const others = (event: ReturnType<typeof refuse>) => goOn(half, ["c", "d"], event);
    expect([half.groups, half.plan.outcomes.size]).toEqual([[], 0]);
    const given = others(refusal);
    expect([given.groups, given.plan.outcomes.size, given.lessons.isBarred]).toEqual([[], 4, true]);
    const answer = envelope(element("c", 2022, 2023), element("d", 2022, 2023));
    for (const event of [answer, refuse("FEED_SERVER_FAILED")]) expect(others(event).groups).toEqual([["a"], ["b"]]);
  });

  it("fails every company of a chunk whose answer is no envelope", () => {
    const { plan, groups } = receive(NO_LESSONS, ["a", "b"], { body: [] });
    expect([[...plan.outcomes.values()].map((outcome) => outcome instanceof DecodeError), groups]).toEqual([
      [true, true],
      [],
    ]);
  });
});
