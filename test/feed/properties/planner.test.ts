import { it } from "@jest/globals";
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
import { FeedError } from "../../../src/client/errors";
import { toCompanyKey } from "../../../src/client/ids";
import type { Financials } from "../../../src/feed/decode";
import { toCall } from "../../../src/feed/financials/batch";
import { answerIn, type Kind, kindOf, read, refuse, toId, type World, YEARS } from "../../client/batch/planner-world";
import { type Chance, createChance } from "../../support/chance";
import { toRuns } from "../../support/property";

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

/** Requests companies as a batch does; answers arrive in random order. */
function run(world: World, lessons: Lessons, ids: readonly string[], year: number | null, chance: Chance): Run {
  const result: Run = { lessons, outcomes: new Map(), failed: new Set(), doubted: new Set(), offences: [] };
  const plans: { plan: Plan<Financials>; requests: number }[] = [];
  const underWay: { at: number; ids: Group }[] = [];
  for (const [at, group] of toGroups(ids, lessons.companiesAtOnce).entries()) {
    const { plan, groups } = startPlan<Financials>(lessons, group, year);
    plans.push({ plan, requests: groups.length });
    underWay.push(...groups.map((ids) => ({ at, ids })));
  }
  while (underWay.length > 0) {
    const [request] = underWay.splice(chance.below(underWay.length), 1) as [(typeof underWay)[number]];
    const state = plans[request.at] as (typeof plans)[number];
    if (request.ids.length > 25) result.offences.push(`${request.ids.length} ids in one request`);
    if (request.ids.some((id) => state.plan.outcomes.has(toCompanyKey(id)))) result.offences.push("asked for in vain");
    const isFailing = chance.happens(world.failing / 10);
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

it("the planner ends with each company's own value or error, in few requests, however the provider behaves", () => {
  const law = fc.property(WORLD, fc.constantFrom(null, 2022), fc.nat(), (world, year, seed) => {
    const chance = createChance(seed);
    const ids = world.kinds.map((_, company) => toId(company));
    let lessons = NO_LESSONS;
    for (const requestedIds of [ids.slice(ids.length / 3), ids]) {
      const result = run(world, lessons, requestedIds, year, chance);
      ({ lessons } = result);
      const wrong = requestedIds.filter((id) => {
        const outcome = result.outcomes.get(id);
        if (outcome === "FEED_SERVER_FAILED") return !result.failed.has(id);
        if (outcome === "FEED_SCOPE_MISSING" && result.doubted.has(id)) return false;
        return outcome !== toExpected(world, id);
      });
      const outcomes = wrong.map((id) => `${id}: ${result.outcomes.get(id)}`);
      if (outcomes.length + result.offences.length > 0) throw new Error([...outcomes, ...result.offences].join("; "));
    }
  });
  fc.assert(law, { seed: 7, numRuns: toRuns(1_000, 5_000) });
});
