import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createRefreshing, type Refreshing } from "../../src/session/refreshing";
import { createQueries, type Queries } from "../feed/observed-queries";
import { drain } from "../support/clock";

let queries: Queries;
let refreshing: Refreshing;
let begun: number;

beforeEach(() => {
  begun = 0;
  queries = createQueries();
  const { clock, queryCache } = queries;
  refreshing = createRefreshing({ ports: clock.ports, queryCache, requests: () => 0, notify: () => {} });
  refreshing.onBegin(() => begun++);
});

afterEach(() => queries.queryCache.close());

describe("a refresh", () => {
  it("joins a running refresh: it adds only missing queries and counts each once", async () => {
    for (const key of ["a", "b"]) queries.listen(key);
    await queries.settle(0, "1");
    await queries.settle(1, "2");
    const first = refreshing.refresh([["a"]]);
    const second = refreshing.refresh();
    await drain();
    expect(refreshing.state().running).toMatchObject({ total: 2, done: 0 });
    await queries.settle(2, "1 again");
    await queries.settle(3, "2 again");
    expect(await first).toMatchObject({ refetched: 2, isCancelled: false });
    expect(await second).toEqual(await first);
    expect([queries.loads.length, begun]).toEqual([4, 1]);
  });

  it("by hand waits for a scheduled one and refetches the same queries", async () => {
    const events = queries.listen("a");
    await queries.settle(0, "old");
    const scheduled = refreshing.refresh(undefined, () => 900_000);
    await drain();
    const own = refreshing.refresh();
    await queries.settle(1, "of a quarter of an hour ago");
    expect(await scheduled).toMatchObject({ refetched: 1 });
    await drain();
    await queries.settle(2, "new");
    expect(await own).toMatchObject({ refetched: 1 });
    expect([events.shown().at(-1), begun]).toEqual(["new", 2]);
  });

  it("on schedule joins one by hand", async () => {
    queries.listen("a");
    await queries.settle(0, "old");
    const own = refreshing.refresh();
    const scheduled = refreshing.refresh(undefined, () => 900_000);
    await drain();
    await queries.settle(1, "new");
    expect(await scheduled).toEqual(await own);
    expect([queries.loads.length, begun]).toEqual([2, 1]);
  });

  it("keeps old values when it is cancelled, and lets a first list finish", async () => {
    const [first, whole] = [queries.listen("first"), queries.listen("whole")];
    queries.advance(0, 2);
    await queries.settle(1, "old");
    const refreshed = refreshing.refresh();
    await drain();
    refreshing.cancel();
    expect(await refreshed).toMatchObject({ isCancelled: true });
    await queries.settle(0, "all");
    expect([first.shown().at(-1), whole.shown().at(-1)]).toEqual(["all", "old"]);
  });

  it("refetches after a cancelled one, even while a first answer is pending", async () => {
    queries.listen("slow");
    const quick = queries.listen("quick");
    await queries.settle(1, "old");
    const calledOff = refreshing.refresh();
    await drain();
    refreshing.cancel();
    await calledOff;
    const again = refreshing.refresh([["quick"]]);
    await drain();
    await queries.settle(queries.loads.length - 1, "new");
    expect(await again).toMatchObject({ refetched: 1, isCancelled: false });
    expect(quick.shown().at(-1)).toBe("new");
  });

  it("without queries does not start, so the previous one can still be undone", async () => {
    const events = queries.listen("a");
    await queries.settle(0, "old");
    const refreshed = refreshing.refresh();
    await drain();
    await queries.settle(1, "new");
    await refreshed;
    expect(await refreshing.refresh([])).toMatchObject({ refetched: 0 });
    queries.queryCache.undo();
    await drain();
    expect([events.shown().at(-1), begun]).toEqual(["old", 1]);
  });
});
