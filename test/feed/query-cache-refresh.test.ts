import { describe, expect, it } from "@jest/globals";
import { hasCode, RequestError } from "../../src/client/errors";
import type { Query, QueryCache } from "../../src/feed/query-cache";
import { drain } from "../support/clock";
import { startLoading } from "../support/feed";
import { failure, keepQueries } from "./observed-queries";

const unsigned = new RequestError("FEED_UNAUTHORISED", "x");

const queries = keepQueries();

/** Refreshes, to the start of the loads. */
const startRefresh = async (options?: Parameters<QueryCache["refresh"]>[0]) => {
  const refreshed = queries.queryCache.refresh(options);
  await drain();
  return { refreshed };
};

describe("a live query", () => {
  it("reports its progress on the first load, and keeps its answer on a refresh", async () => {
    const { listen, advance, settle } = queries;
    const { shown } = listen();
    advance(0, 2);
    await settle(0, "one");
    await startRefresh();
    advance(1, 2);
    await settle(1, "two");
    expect(shown()).toEqual(["1 of 2", "one", "two"]);
  });

  it("keeps its last whole answer when a refresh fails, with the error beside it", async () => {
    const { listen, settle } = queries;
    const { shown } = listen();
    await settle(0, "one");
    const { refreshed } = await startRefresh();
    await settle(1, failure);
    expect(await refreshed).toEqual({ refetched: 1, failures: [failure], isCancelled: false });
    expect(shown()).toEqual(["one", "one !"]);
    await startRefresh();
    await settle(2, "two");
    expect(shown().at(-1)).toBe("two");
  });

  it("is refetched at the next connection if it or its refresh failed without one, else not", async () => {
    const { queryCache, loads, listen, settle } = queries;
    listen("mended");
    listen("stale");
    listen("other");
    await settle(0, unsigned);
    await settle(1, "one");
    await settle(2, failure);
    await startRefresh();
    await settle(3, unsigned);
    await settle(4, unsigned);
    await settle(5, failure);
    queryCache.retryFailed(hasCode("FEED_UNAUTHORISED"));
    await drain();
    expect(loads).toHaveLength(8);
    queryCache.retryFailed(hasCode("FEED_UNAUTHORISED"));
    await drain();
    expect(loads).toHaveLength(8);
  });

  it("forgets its answer when the client changes, and is refetched", async () => {
    const { clock, queryCache, loads, ofKey, listen, settle } = queries;
    const persisted = listen("kept");
    await settle(0, "old");
    persisted.stop();
    await clock.advance(1_500);
    const { shown } = listen("a");
    await settle(1, "one");
    const loading = listen("flying");
    queryCache.reset();
    await drain();
    expect(shown().at(-1)).toBe("pending");
    expect(loads[2]?.context.signal.aborted).toBe(true);
    expect(loads).toHaveLength(5);
    expect(queryCache.peek(ofKey("kept"))).toEqual({ status: "pending" });
    await settle(2, "too late");
    expect(loading.shown()).not.toContain("too late");
    await settle(3, "new");
    await settle(4, "new");
    expect([shown().at(-1), loading.shown().at(-1)]).toEqual(["new", "new"]);
  });

  it("refreshed many times at once is fetched once", async () => {
    const { queryCache, loads, listen, settle } = queries;
    listen();
    await settle(0, "one");
    const refreshes = Array.from({ length: 20 }, () => queryCache.refresh());
    await drain();
    expect(loads).toHaveLength(2);
    await settle(1, "two");
    await Promise.all(refreshes);
  });

  it("is refetched before it serves another query after a refresh, and serves its old answer if that fails", async () => {
    const { clock, queryCache, loads, ofKey, settle } = queries;
    const loading = startLoading();
    const refreshUnwatched = async () => {
      await clock.advance(2_000);
      await queryCache.refresh();
    };
    const first = queryCache.wait(ofKey("a"), loading);
    await settle(0, "one");
    expect(await first).toBe("one");
    await refreshUnwatched();
    const second = queryCache.wait(ofKey("a"), loading);
    await settle(1, "two");
    expect(await second).toBe("two");
    await refreshUnwatched();
    const third = queryCache.wait(ofKey("a"), loading);
    await settle(2, failure);
    expect(await third).toBe("two");
    expect(loads).toHaveLength(3);
    await clock.advance(2_000);
  });
});

describe("a refresh of some queries", () => {
  /** A query composed of another one's answer. */
  const madeOf = (key: string, part: Query<string>): Query<string> => ({
    key: [key],
    load: async (loading) => `made of ${await queries.queryCache.wait(part, loading)}`,
  });

  it("fetches those alone, each once however often it is named", async () => {
    const { loads, listen, settle } = queries;
    const [one, other] = [listen("one"), listen("other")];
    await settle(0, "1");
    await settle(1, "2");
    const { refreshed } = await startRefresh({ keys: [["one"], ["one"], ["nobody watches this"]] });
    expect(loads).toHaveLength(3);
    await settle(2, "1 again");
    expect(await refreshed).toEqual({ refetched: 1, failures: [], isCancelled: false });
    expect([one.shown(), other.shown()]).toEqual([["1", "1 again"], ["2"]]);
  });

  it("refetches the queries they are composed of first, at any depth, and no others", async () => {
    const { loads, ofKey, listenTo, settle } = queries;
    const middle = madeOf("middle", ofKey("base"));
    const { shown } = listenTo(madeOf("top", middle));
    listenTo(madeOf("neighbour", ofKey("other base")));
    await drain();
    await settle(0, "old");
    await settle(1, "x");
    const { refreshed } = await startRefresh({ keys: [["top"]] });
    expect(loads).toHaveLength(3);
    await settle(2, "new");
    await refreshed;
    expect(shown()).toEqual(["made of made of old", "made of made of new"]);
  });

  it("keeps their old answers when it fails, and refetches their parts at the next one", async () => {
    const { loads, ofKey, listenTo, settle } = queries;
    const { shown } = listenTo(madeOf("top", ofKey("base")));
    await drain();
    await settle(0, "old");
    const { refreshed: failing } = await startRefresh({ keys: [["top"]] });
    await settle(1, failure);
    await failing;
    const { refreshed } = await startRefresh({ keys: [["top"]] });
    expect(loads).toHaveLength(3);
    await settle(2, "new");
    await refreshed;
    expect(shown().at(-1)).toBe("made of new");
  });
});
