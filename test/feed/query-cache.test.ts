import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createQueryCache, type Query, type QueryCache } from "../../src/feed/query-cache";
import { createClock, drain } from "../support/clock";
import { createQueries, failure, type Load, type Queries } from "./observed-queries";

describe("a watched question", () => {
  let queries: Queries;
  beforeEach(() => {
    queries = createQueries();
  });
  afterEach(() => {
    queries.queryCache.close();
    expect(queries.clock.timers()).toBe(0);
  });

  it("is one load for any number of watchers, and each hears the answer once", async () => {
    const { queryCache, loads, listen, settle } = queries;
    const watchers = Array.from({ length: 200 }, () => listen());
    await settle(0, "one");
    expect(loads).toHaveLength(1);
    expect(queryCache.size()).toBe(1);
    expect(new Set(watchers.map(({ shown }) => shown().join()))).toEqual(new Set(["one"]));
    expect(listen().shown()).toEqual(["one"]);
    for (const { stop } of watchers) stop();
  });

  it("says when its answer came", async () => {
    const { clock, listen, settle } = queries;
    const { heard } = listen();
    await clock.advance(5_000);
    await settle(0, "one");
    expect(heard).toEqual([
      {
        status: "answered",
        answer: { value: "one", isComplete: true, asOfMs: clock.nowMs(), requests: [], persisted: null },
        error: null,
      },
    ]);
  });

  it("does not keep half of a first answer that failed", async () => {
    const { queryCache, loads, ofKey, listen, settle } = queries;
    const { shown } = listen();
    loads[0]?.context.grow("o");
    await drain();
    await settle(0, failure);
    expect(shown()).toEqual(["o …", failure]);
    expect(queryCache.peek(ofKey("a"))).toEqual({ status: "failed", error: failure });
  });

  it("is called off after a moment of grace when its last watcher leaves, not when one of two does", async () => {
    const { clock, queryCache, loads, listen } = queries;
    const [one, other] = [listen(), listen()];
    one.stop();
    await clock.advance(5_000);
    expect(loads[0]?.context.signal.aborted).toBe(false);
    other.stop();
    await clock.advance(1_499);
    expect(loads[0]?.context.signal.aborted).toBe(false);
    await clock.advance(1);
    expect([loads[0]?.context.signal.aborted, queryCache.size()]).toEqual([true, 0]);
  });

  it("outlives a watcher that is only replaced, and a stop that comes twice", async () => {
    const { clock, loads, listen, settle } = queries;
    const before = listen();
    before.stop();
    before.stop();
    await clock.advance(1_000);
    const after = listen();
    before.stop();
    await clock.advance(5_000);
    await settle(0, "one");
    expect([after.shown(), before.shown(), loads.length]).toEqual([["one"], [], 1]);
  });

  it.each([
    ["called off", null],
    ["failed", failure],
  ])("whose growth was %s is asked anew by the next watcher", async (_, error) => {
    const { clock, queryCache, loads, ofKey, listen, settle } = queries;
    const before = listen();
    loads[0]?.context.grow("o");
    await drain();
    if (error !== null) await settle(0, error);
    before.stop();
    await clock.advance(1_500);
    expect(queryCache.peek(ofKey("a"))).toEqual({ status: "pending" });
    const after = listen();
    expect(loads).toHaveLength(2);
    await settle(1, "one");
    expect(after.shown().at(-1)).toBe("one");
  });

  it("is answered at once from what is kept, without a load", async () => {
    const { clock, loads, listen, settle } = queries;
    const before = listen();
    await settle(0, "one");
    before.stop();
    await clock.advance(1_500);
    expect(listen().shown()).toEqual(["one"]);
    expect(loads).toHaveLength(1);
  });

  it("that failed is asked anew by the next watcher once nobody watches it", async () => {
    const { clock, loads, listen, settle } = queries;
    const before = listen();
    await settle(0, failure);
    before.stop();
    await clock.advance(1_500);
    listen();
    expect(loads).toHaveLength(2);
  });

  it("is answered by a wider one that has an answer, unless it is refreshed", async () => {
    const { queryCache, loads, ofKey, listen, settle } = queries;
    queryCache.seed(ofKey("all"), "everything", new AbortController().signal);
    const { shown } = listen("a", "all");
    await drain();
    expect([shown(), loads.length]).toEqual([["everything"], 0]);
    void queryCache.refresh();
    await drain();
    expect(loads).toHaveLength(1);
    await settle(0, "one");
    expect(shown().at(-1)).toBe("one");
  });

  it("is not answered by a wider one that is half there, failed, or from before a refresh", async () => {
    const { queryCache, loads, ofKey, listen, settle } = queries;
    listen("growing");
    loads[0]?.context.grow("o");
    listen("failing");
    await settle(1, failure);
    queryCache.seed(ofKey("old"), "old", new AbortController().signal);
    void queryCache.refresh();
    await drain();
    const before = loads.length;
    for (const within of ["growing", "failing", "old", "unasked"]) listen(`in ${within}`, within);
    await drain();
    expect(loads.length - before).toBe(4);
  });

  it("hears of an answer that came with another one", async () => {
    const { queryCache, ofKey, listen } = queries;
    const { shown } = listen();
    queryCache.seed(ofKey("a"), "seeded", new AbortController().signal);
    await drain();
    expect(shown()).toEqual(["seeded"]);
  });

  it("can be looked at without being asked", () => {
    const { queryCache, loads, ofKey } = queries;
    expect(queryCache.peek(ofKey("a"))).toEqual({ status: "pending" });
    expect([loads.length, queryCache.size()]).toEqual([0, 0]);
  });
});

describe("a question that another one waits for", () => {
  const clock = createClock();
  let queryCache: QueryCache;
  let loads: Load[];
  beforeEach(() => {
    queryCache = createQueryCache(clock.ports);
    loads = [];
  });
  afterEach(() => queryCache.close());
  const query: Query<string> = {
    key: ["a"],
    load: (context) => new Promise((answer, fail) => loads.push({ context, answer, fail })),
  };
  const alive = () => new AbortController().signal;

  it("is one load for all that wait and watch, and gives them the whole answer", async () => {
    queryCache.observe(query, () => {});
    const waits = [queryCache.wait(query, alive()), queryCache.wait(query, alive())];
    loads[0]?.context.grow("o");
    await drain();
    loads[0]?.answer("one");
    expect(await Promise.all(waits)).toEqual(["one", "one"]);
    expect(await queryCache.wait(query, alive())).toBe("one");
    expect(loads).toHaveLength(1);
  });

  it("is asked again when it failed before, though somebody still watches it", async () => {
    queryCache.observe(query, () => {});
    const failed = queryCache.wait(query, alive());
    loads[0]?.fail(failure);
    await expect(failed).rejects.toBe(failure);
    const again = queryCache.wait(query, alive());
    await drain();
    loads[1]?.answer("one");
    expect(await again).toBe("one");
  });

  it("is called off when all who wait have left, and they hear so", async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const waits = [one, other].map(({ signal }) => queryCache.wait(query, signal).catch((error) => error));
    one.abort("one");
    await clock.advance(2_000);
    expect(loads[0]?.context.signal.aborted).toBe(false);
    other.abort("other");
    await clock.advance(2_000);
    expect(loads[0]?.context.signal.aborted).toBe(true);
    expect(await Promise.all(waits)).toEqual(["one", "other"]);
  });
});
