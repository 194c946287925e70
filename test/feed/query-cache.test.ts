import { describe, expect, it } from "@jest/globals";
import { QuerySources } from "../../src/feed/query-cache/sources";
import { drain } from "../support/clock";
import { startLoading } from "../support/feed";
import { failure, keepQueries } from "./observed-queries";

const queries = keepQueries();

describe("a live query", () => {
  it("is one load for any number of subscribers, and notifies each once", async () => {
    const { queryCache, loads, listen, settle } = queries;
    const watchers = Array.from({ length: 200 }, () => listen());
    await settle(0, "one");
    expect(loads).toHaveLength(1);
    expect(queryCache.size()).toBe(1);
    expect(new Set(watchers.map(({ shown }) => shown().join()))).toEqual(new Set(["one"]));
    expect(listen().shown()).toEqual(["one"]);
    for (const { stop } of watchers) stop();
  });

  it("reports when its answer came", async () => {
    const { clock, listen, settle } = queries;
    const { states } = listen();
    await clock.advance(5_000);
    await settle(0, "one");
    const answer = { value: "one", asOfMs: clock.nowMs(), requests: [], persisted: null };
    expect(states).toEqual([{ status: "answered", answer, error: null }]);
  });

  it("reports its progress before its answer, and has no answer of a load that failed amid it", async () => {
    const { queryCache, notices, ofKey, listen, advance, settle } = queries;
    const { shown } = listen();
    const before = notices.count;
    advance(0, 3);
    advance(0, 2);
    expect(notices.count).toBe(before + 2); // the pane shows it too
    await settle(0, failure);
    expect(shown()).toEqual(["1 of 3", "1 of 2", failure]);
    expect(queryCache.peek(ofKey("a"))).toEqual({ status: "failed", error: failure });
  });

  it("is cancelled after a moment when its last subscriber leaves, not when one of two does", async () => {
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

  it("that was cancelled amid its progress is refetched for the next subscriber", async () => {
    const { clock, queryCache, loads, ofKey, listen, advance, settle } = queries;
    const before = listen();
    advance(0, 2);
    before.stop();
    await clock.advance(1_500);
    expect(queryCache.peek(ofKey("a"))).toEqual({ status: "pending" });
    const after = listen();
    expect(loads).toHaveLength(2);
    await settle(1, "one");
    expect(after.shown()).toEqual(["one"]);
  });

  it("is answered synchronously from the cache, without a load", async () => {
    const { clock, loads, listen, settle } = queries;
    const before = listen();
    await settle(0, "one");
    before.stop();
    await clock.advance(1_500);
    expect(listen().shown()).toEqual(["one"]);
    expect(loads).toHaveLength(1);
  });

  it("that failed is refetched for the next subscriber once it had none", async () => {
    const { clock, loads, listen, settle } = queries;
    const before = listen();
    await settle(0, failure);
    before.stop();
    await clock.advance(1_500);
    listen();
    expect(loads).toHaveLength(2);
  });

  it("is answered by a wider query's answer, unless it is refreshed", async () => {
    const { queryCache, loads, ofKey, listen, settle } = queries;
    queryCache.seed(ofKey("all"), "everything", new QuerySources());
    const { shown } = listen("a", "all");
    await drain();
    expect([shown(), loads.length]).toEqual([["everything"], 0]);
    void queryCache.refresh();
    await drain();
    expect(loads).toHaveLength(1);
    await settle(0, "one");
    expect(shown().at(-1)).toBe("one");
  });

  it("is not answered by a wider query that is under way, failed or older than a refresh", async () => {
    const { queryCache, loads, ofKey, listen, settle } = queries;
    listen("loading");
    listen("failing");
    await settle(1, failure);
    queryCache.seed(ofKey("old"), "old", new QuerySources());
    void queryCache.refresh();
    await drain();
    const before = loads.length;
    for (const within of ["loading", "failing", "old", "unasked"]) listen(`in ${within}`, within);
    await drain();
    expect(loads.length - before).toBe(4);
  });

  it("is notified of an answer that came with another query", async () => {
    const { queryCache, ofKey, listen } = queries;
    const { shown } = listen();
    queryCache.seed(ofKey("a"), "seeded", new QuerySources());
    await drain();
    expect(shown()).toEqual(["seeded"]);
  });

  it("can be peeked at without a load", () => {
    const { queryCache, loads, ofKey } = queries;
    expect(queryCache.peek(ofKey("a"))).toEqual({ status: "pending" });
    expect([loads.length, queryCache.size()]).toEqual([0, 0]);
  });
});

describe("a query that another one awaits", () => {
  const wait = (signal?: AbortSignal) => queries.queryCache.wait(queries.ofKey("a"), startLoading(signal));

  it("is one load for all that await or subscribe, and gives them its progress and answer", async () => {
    const { queryCache, ofKey, loads, listen, advance, settle } = queries;
    listen();
    const counts: number[] = [];
    const loading = { ...startLoading(), advance: ({ expected }: { expected: number }) => void counts.push(expected) };
    const waits = [wait(), queryCache.wait(ofKey("a"), loading)];
    advance(0, 7);
    await settle(0, "one");
    expect([await Promise.all(waits), counts]).toEqual([["one", "one"], [7]]);
    expect(await wait()).toBe("one");
    expect(loads).toHaveLength(1);
  });

  it("is refetched if it failed before, even with a subscriber", async () => {
    const { loads, listen, settle } = queries;
    listen();
    const failed = wait();
    loads[0]?.fail(failure);
    await expect(failed).rejects.toBe(failure);
    const again = wait();
    await drain();
    await settle(1, "one");
    expect(await again).toBe("one");
  });

  it("is cancelled when all that await it have left, and rejects for them", async () => {
    const { clock, loads } = queries;
    const [one, other] = [new AbortController(), new AbortController()];
    const waits = [one, other].map(({ signal }) => wait(signal).catch((error) => error));
    one.abort("one");
    await clock.advance(2_000);
    expect(loads[0]?.context.signal.aborted).toBe(false);
    other.abort("other");
    await clock.advance(2_000);
    expect(loads[0]?.context.signal.aborted).toBe(true);
    expect(await Promise.all(waits)).toEqual(["one", "other"]);
  });
});
