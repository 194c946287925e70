import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { advance, type Group, type Lessons, NO_LESSONS, startPlan, toGroups } from "../../../src/client/batch/planner";
import { DecodeError, RequestError } from "../../../src/client/errors";
import type { Financials } from "../../../src/feed/decode";
import CASES from "./planner.json";
import { type Answer, read, refuse } from "./planner-world";

describe("the planner", () => {
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

  const CUTS = CASES.cuts as [string, number[], number][];
  it.each(CUTS)("learns a batch size from a cut that comes %s", (_, cuts, learnt) => {
    expect(cuts.reduce(receiveCut, NO_LESSONS).companiesAtOnce).toBe(learnt);
  });

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

it("groups split a list without losing or reordering an item", () => {
  const law = fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (items, size) => {
    const groups = toGroups(items, size);
    expect(groups.flat()).toEqual(items);
    expect(groups.every((group) => group.length > 0 && group.length <= size)).toBe(true);
  });
  fc.assert(law, { seed: 8 });
});
