import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ArgumentError, NoValueError } from "../../src/client/errors";
import { createPorts } from "../../src/client/ports";
import type { View } from "../../src/functions/view-observer";
import { createCalls } from "../../src/session/calls";
import { createSession, type Session } from "../../src/session/session";
import { installCustomFunctions } from "../office/custom-functions";
import { until } from "../support/until";
import { createInvocation, createQuery, type Invocation, openCell, settle, viewOf } from "./streamed-queries";

beforeAll(installCustomFunctions);

let session: Session;
beforeEach(() => {
  session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:9" });
});
afterEach(() => {
  for (const invocation of invocations.splice(0)) invocation.onCanceled();
  session.feed.queryCache.close();
});

const invocations: Invocation[] = [];

/** Enters a formula, which is removed when the test ends. */
function open(read: () => View, given: object = {}): Invocation {
  const invocation = { ...createInvocation(), ...given };
  invocations.push(invocation);
  openCell(session, invocation, read);
  return invocation;
}

const list = () => session.calls.list();

describe("a streaming formula", () => {
  it("is live from entry to cancel, with its address and queries", () => {
    const { query } = createQuery("a");
    const invocation = open(() => viewOf(query), { address: "Sheet1!B3" });
    expect(list().map(({ name, address, queries, error }) => [name, address, queries, error])).toEqual([
      ["TEST", "Sheet1!B3", [query], null],
    ]);
    invocation.onCanceled();
    expect(list()).toEqual([]);
  });

  it("has no address if the host gives none", () => {
    open(() => viewOf(createQuery("a").query));
    expect(list()[0]?.address).toBeNull();
  });

  it("reports why its arguments are invalid, and has its new query once they are valid", () => {
    const { query } = createQuery("a");
    let error: Error | null = new ArgumentError("year is missing; give a year");
    open(() => {
      if (error !== null) throw error;
      return viewOf(query);
    });
    expect(list()[0]).toMatchObject({ error, queries: [] });
    error = null;
    session.change({ country: "SGP" });
    expect(list()[0]).toMatchObject({ error: null, queries: [query] });
  });

  it("reports why its single value is missing, but not one value among others", async () => {
    const nothing = new NoValueError("FEED_NO_VALUE", "no such metric");
    const { query, loads } = createQuery("a");
    let rows: unknown[][] = [[nothing]];
    open(() => ({ ...viewOf(query), show: () => ({ rows, expected: 1 }) }));
    await settle();
    loads[0]?.answer(1);
    await settle();
    expect(list()[0]?.error).toBe(nothing);
    rows = [[nothing, 2]];
    const refreshed = session.refresh();
    await settle();
    loads[1]?.answer(2);
    await refreshed;
    await settle();
    expect(list()[0]?.error).toBeNull();
  });

  it("is not live in a value preview; a call by the pane is listed separately", () => {
    const calls = createCalls();
    open(() => viewOf(createQuery("a").query), { isInValuePreview: true });
    open(() => viewOf(createQuery("b").query), { calls });
    expect(list()).toEqual([]);
    expect(calls.list()).toHaveLength(1);
  });

  it("rereads today's date when it is refreshed, and other formulas do not", async () => {
    const opened: string[] = [];
    const loadsOf = ["selected", "other"].map((name) => {
      const { query, loads } = createQuery(name);
      open((): View => {
        opened.push(name);
        return { ...viewOf(query), rereadsOnRefresh: true };
      });
      return loads;
    });
    await until(() => loadsOf.every(({ length }) => length === 1));
    for (const loads of loadsOf) loads[0]?.answer(1);
    await settle();
    opened.length = 0;
    void session.refresh(list().slice(0, 1));
    await until(() => loadsOf[0]?.length === 2);
    await settle();
    expect(opened).toEqual(["selected"]);
    expect(loadsOf.map((loads) => loads.length)).toEqual([2, 1]);
  });

  it("notifies of every change of its output", async () => {
    const { query, loads } = createQuery("a");
    open(() => viewOf(query));
    await until(() => loads.length === 1);
    let notifications = 0;
    session.calls.onChange(() => notifications++);
    loads[0]?.answer(1);
    await until(() => list()[0]?.shown !== null);
    expect(notifications).toBe(1);
    const refreshed = session.feed.queryCache.refresh();
    await until(() => loads.length === 2);
    loads[1]?.answer(2);
    await refreshed;
    await settle();
    expect([notifications, list()[0]?.shown]).toEqual([2, [[2]]]);
  });

  it("is added and removed among 14,000 others at constant cost", async () => {
    let notifications = 0;
    session.calls.onChange(() => notifications++);
    const { query } = createQuery("a");
    const entered = Array.from({ length: 14_000 }, () => open(() => viewOf(query)));
    await until(() => list().length === 14_000);
    expect(notifications).toBe(28_000); // one for its entry, one for its arguments
    for (const invocation of entered) invocation.onCanceled();
    expect(list()).toEqual([]);
    expect(notifications).toBe(42_000);
  });
});
