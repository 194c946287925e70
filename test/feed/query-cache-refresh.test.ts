import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { hasCode, RequestError } from "../../src/client/errors";
import { drain } from "../support/clock";
import { startLoading } from "../support/feed";
import { createQueries, failure, type Queries } from "./observed-queries";

const unsigned = new RequestError("FEED_UNAUTHORISED", "x");

describe("a live query", () => {
  let queries: Queries;
  beforeEach(() => {
    queries = createQueries();
  });
  afterEach(() => {
    queries.queryCache.close();
    expect(queries.clock.timers()).toBe(0);
  });

  it("shows its growth on the first load, and only the whole answer on a refresh", async () => {
    const { queryCache, loads, listen, settle } = queries;
    const { shown } = listen();
    loads[0]?.context.grow("o");
    await drain();
    loads[0]?.context.grow("on");
    await drain();
    await settle(0, "one");
    void queryCache.refresh();
    await drain();
    loads[1]?.context.grow("t");
    await drain();
    await settle(1, "two");
    expect(shown()).toEqual(["o …", "on …", "one", "two"]);
  });

  it("keeps its last whole answer when a refresh fails, with the error beside it", async () => {
    const { queryCache, listen, settle } = queries;
    const { shown } = listen();
    await settle(0, "one");
    const refreshed = queryCache.refresh();
    await drain();
    await settle(1, failure);
    expect(await refreshed).toEqual({ refetched: 1, failures: [failure], isCancelled: false });
    expect(shown()).toEqual(["one", "one !"]);
    void queryCache.refresh();
    await drain();
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
    void queryCache.refresh();
    await drain();
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
