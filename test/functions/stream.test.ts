import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ArgumentError, RequestError } from "../../src/client/errors";
import { createPorts } from "../../src/client/ports";
import type { Query } from "../../src/feed/query-cache";
import type { View } from "../../src/functions/view-observer";
import { createSession, type Session } from "../../src/session/session";
import { installCustomFunctions } from "../office/custom-functions";
import { createClock } from "../support/clock";
import { until } from "../support/until";
import { createInvocation, createQuery, type Invocation, openCell, settle, viewOf } from "./streamed-queries";

beforeAll(installCustomFunctions);

let session: Session;
beforeEach(() => {
  session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:9" });
});
afterEach(() => session.feed.queryCache.close());

const open = (invocation: Invocation, read: () => View) => openCell(session, invocation, read);

const errorText = (value: unknown) => (value as Error).message;

describe("a stream", () => {
  it("shows its first answer, then each different one", async () => {
    const { query, loads } = createQuery("a");
    const invocation = createInvocation();
    open(invocation, () => viewOf(query));
    await settle();
    expect(invocation.shown).toEqual([]);
    loads[0]?.answer(1);
    await settle();
    for (const [index, value] of [1, 2, 2, 3].entries()) {
      const refreshed = session.refresh();
      await settle();
      loads[index + 1]?.answer(value);
      await refreshed;
      await settle();
    }
    expect(invocation.shown).toEqual([[[1]], [[2]], [[3]]]);
  });

  it("shows a grid once, when all its queries have settled", async () => {
    const [one, two] = [createQuery("one"), createQuery("two")];
    const invocation = createInvocation();
    open(invocation, () => viewOf(one.query, two.query));
    await until(() => one.loads.length > 0 && two.loads.length > 0);
    one.loads[0]?.answer("A");
    await settle();
    expect(invocation.shown).toEqual([]);
    two.loads[0]?.answer("B");
    await settle();
    expect(invocation.shown).toEqual([[["A", "B"]]]);
  });

  it("shows a cached answer synchronously", async () => {
    const { query, loads } = createQuery("a");
    open(createInvocation(), () => viewOf(query));
    await settle();
    loads[0]?.answer(1);
    await settle();
    const second = createInvocation();
    open(second, () => viewOf(query));
    expect(second.shown).toEqual([[[1]]]);
    expect(loads).toHaveLength(1);
  });

  it.each([
    [
      "a known error",
      () => new ArgumentError("year is missing; give a year"),
      "FEED_ARGUMENT_INVALID: year is missing; give a year",
    ],
    [
      "an unforeseen one",
      () => new TypeError("x"),
      "FEED_INTERNAL: FEED for Excel failed on its own: x; copy the text for support in the pane and report it to us",
    ],
    [
      "no Error at all",
      () => "oops",
      "FEED_INTERNAL: FEED for Excel failed on its own: oops; copy the text for support in the pane and report it to us",
    ],
  ])("shows an error thrown while reading its arguments: %s", (_, create, text) => {
    const invocation = createInvocation();
    open(invocation, () => {
      throw create();
    });
    expect(invocation.shown.map(errorText)).toEqual([text]);
  });

  it("shows a failure, then the answer of a refetch", async () => {
    const { query, loads } = createQuery("a");
    const invocation = createInvocation();
    open(invocation, () => viewOf(query));
    await settle();
    loads[0]?.fail(new RequestError("FEED_SERVER_FAILED", "down; refresh later"));
    await settle();
    expect(invocation.shown.map(errorText)).toEqual(["FEED_SERVER_FAILED: down; refresh later"]);
    const refreshed = session.refresh();
    await settle();
    loads[1]?.answer(5);
    await refreshed;
    await settle();
    expect(invocation.shown[1]).toEqual([[5]]);
  });

  it("reports a missing answer after 30 s, whatever the number of requests, and shows a later one", async () => {
    const clock = createClock({});
    session = createSession({ ports: clock.ports, companionUrl: "http://127.0.0.1:9" });
    const { query, loads } = createQuery("a");
    const [late, left] = [createInvocation(), createInvocation()];
    const show: View["show"] = ([settled]) =>
      settled?.status === "answered" && settled.answer.isComplete
        ? { rows: [[settled.answer.value]], expected: 1 }
        : null;
    open(late, () => ({ ...viewOf(query), show }));
    open(left, () => viewOf(query));
    left.onCanceled();
    await clock.advance(29_000);
    loads[0]?.context.grow("part");
    await clock.advance(999);
    expect(late.shown).toEqual([]);
    await clock.advance(1);
    expect(late.shown.map(errorText)).toEqual([
      expect.stringMatching(/^FEED_TIMED_OUT: no answer within 30 seconds; /),
    ]);
    loads[0]?.answer("whole");
    await settle();
    expect([late.shown[1], left.shown]).toEqual([[["whole"]], []]);
  });

  it("shows nothing after its cancel, which can come twice", async () => {
    const { query, loads } = createQuery("a");
    const invocation = createInvocation();
    open(invocation, () => viewOf(query));
    await settle();
    invocation.onCanceled();
    invocation.onCanceled();
    loads[0]?.answer(1);
    await settle();
    expect(invocation.shown).toEqual([]);
  });

  it("leaves the query to its other subscribers when it is cancelled", async () => {
    const { query, loads } = createQuery("a");
    const [first, second] = [createInvocation(), createInvocation()];
    open(first, () => viewOf(query));
    open(second, () => viewOf(query));
    await settle();
    first.onCanceled();
    expect(loads[0]?.context.signal.aborted).toBe(false);
    loads[0]?.answer(1);
    await settle();
    expect([first.shown, second.shown]).toEqual([[], [[[1]]]]);
  });

  it("refetches a too large result at a refresh", async () => {
    const { query, loads } = createQuery("a");
    const invocation = createInvocation();
    let expected = 1_000_000;
    open(invocation, () => ({ ...viewOf(query), show: () => ({ rows: [["x".repeat(1000)]], expected }) }));
    await settle();
    loads[0]?.context.grow("first page");
    await settle();
    expected = 1;
    void session.refresh();
    await settle();
    loads.at(-1)?.answer("all");
    await settle();
    expect(invocation.shown.slice(1)).toEqual([[["x".repeat(1000)]]]);
  });

  it("requests no further pages of a too large result", async () => {
    const { query, loads } = createQuery("a");
    const invocation = createInvocation();
    open(invocation, () => ({
      ...viewOf(query),
      show: () => ({ rows: [["x".repeat(1000)]], expected: 1_000_000 }),
    }));
    await settle();
    loads[0]?.context.grow("first page");
    await settle();
    expect(invocation.shown.map(errorText)).toEqual([expect.stringMatching(/^FEED_RESULT_TOO_LARGE: /)]);
    loads[0]?.answer("all");
    await settle();
    expect(invocation.shown).toHaveLength(1);
  });

  it("shows no partial result if that would be wrong", async () => {
    const { query, loads } = createQuery("a");
    const invocation = createInvocation();
    const show: View["show"] = ([settled]) =>
      settled?.status === "answered" && settled.answer.isComplete
        ? { rows: [[settled.answer.value]], expected: 1 }
        : null;
    open(invocation, () => ({ ...viewOf(query), show }));
    await settle();
    loads[0]?.context.grow("part");
    await settle();
    expect(invocation.shown).toEqual([]);
    loads[0]?.answer("whole");
    await settle();
    expect(invocation.shown).toEqual([[["whole"]]]);
  });

  it("shows known values alone in a value preview", async () => {
    const { query, loads } = createQuery("a");
    const typing = createInvocation(true);
    open(typing, () => viewOf(query));
    await settle();
    expect(loads).toEqual([]);
    expect(typing.shown.map(errorText)).toEqual(["FEED_NO_VALUE: not read yet; press Enter to read it"]);
  });

  it("ends with the last arguments' value in any order of calls, cancels and answers", async () => {
    const schedule = fc.array(fc.record({ next: fc.nat(2), cancelFirst: fc.boolean(), answerBefore: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(schedule, async (steps) => {
        session.feed.queryCache.close();
        session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:9" });
        const queries = ["A", "B", "C"].map((name) => ({ name, ...createQuery(name) }));
        const answerAll = () => {
          for (const { name, loads } of queries) for (const load of loads.splice(0)) load.answer(name);
        };
        let cell = createInvocation();
        for (const { next, cancelFirst, answerBefore } of steps) {
          const former = cell;
          if (cancelFirst) former.onCanceled();
          cell = createInvocation();
          open(cell, () => viewOf(queries[next]?.query as Query<unknown>));
          await settle();
          if (answerBefore) answerAll();
          const before = former.shown.length;
          former.onCanceled();
          await settle();
          expect(former.shown).toHaveLength(before);
        }
        answerAll();
        await settle();
        expect(cell.shown).toEqual([[[queries[steps.at(-1)?.next ?? 0]?.name]]]);
      }),
      { seed: 5, numRuns: 40 },
    );
  });
});
