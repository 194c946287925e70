import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Query } from "../../src/feed/query-cache";
import { drain } from "../support/clock";
import { createQueries, failure, type Queries } from "./observed-queries";

describe("a refresh of some queries", () => {
  let queries: Queries;
  beforeEach(() => {
    queries = createQueries();
  });
  afterEach(() => queries.queryCache.close());

  /** A query composed of another one's answer. */
  const madeOf = (key: string, part: Query<string>): Query<string> => ({
    key: [key],
    load: async (loading) => `made of ${await queries.queryCache.wait(part, loading)}`,
  });

  it("fetches those alone, each once however often it is named", async () => {
    const { queryCache, loads, listen, settle } = queries;
    const [one, other] = [listen("one"), listen("other")];
    await settle(0, "1");
    await settle(1, "2");
    const refreshed = queryCache.refresh({ keys: [["one"], ["one"], ["nobody watches this"]] });
    await drain();
    expect(loads).toHaveLength(3);
    await settle(2, "1 again");
    expect(await refreshed).toEqual({ refetched: 1, failures: [], isCancelled: false });
    expect([one.shown(), other.shown()]).toEqual([["1", "1 again"], ["2"]]);
  });

  it("refetches the queries they are composed of first, at any depth, and no others", async () => {
    const { queryCache, loads, ofKey, settle } = queries;
    const shown: unknown[] = [];
    const middle = madeOf("middle", ofKey("base"));
    queryCache.observe(madeOf("top", middle), (state) => state.status === "answered" && shown.push(state.answer.value));
    queryCache.observe(madeOf("neighbour", ofKey("other base")), () => {});
    await drain();
    await settle(0, "old");
    await settle(1, "x");
    const refreshed = queryCache.refresh({ keys: [["top"]] });
    await drain();
    expect(loads).toHaveLength(3);
    await settle(2, "new");
    await refreshed;
    expect(shown).toEqual(["made of made of old", "made of made of new"]);
  });

  it("keeps their old answers when it fails, and refetches their parts at the next one", async () => {
    const { queryCache, loads, ofKey, settle } = queries;
    const states: string[] = [];
    queryCache.observe(madeOf("top", ofKey("base")), (state) => {
      if (state.status === "answered") states.push(`${state.answer.value}${state.error === null ? "" : " !"}`);
    });
    await drain();
    await settle(0, "old");
    const failing = queryCache.refresh({ keys: [["top"]] });
    await drain();
    await settle(1, failure);
    await failing;
    const refreshed = queryCache.refresh({ keys: [["top"]] });
    await drain();
    expect(loads).toHaveLength(3);
    await settle(2, "new");
    await refreshed;
    expect(states.at(-1)).toBe("made of new");
  });
});
