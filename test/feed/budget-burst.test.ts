import { beforeEach, describe, expect, it } from "@jest/globals";
import { type Budget, createBudget } from "../../src/feed/budget";
import type { Query } from "../../src/feed/query-cache";
import { type Clock, createClock } from "../support/clock";

let clock: Clock;
let budget: Budget;
let counted: number[];
let isMoreToCome: boolean;

beforeEach(() => {
  clock = createClock();
  counted = [];
  isMoreToCome = false;
  budget = createBudget({
    ports: clock.ports,
    count: (queries) => counted.push(queries.length) && 0,
    isMoreToCome: () => isMoreToCome,
    notify: () => {},
  });
});

/** A query that waits for the budget's admission. */
function run(name: string): void {
  const query: Query<unknown> = { key: ["figures", name], load: () => Promise.resolve() };
  void budget.run(query, { isPart: () => false, signal: new AbortController().signal }, () => Promise.resolve());
}

describe("a burst of queries", () => {
  it("waits four milliseconds in all for a query whose cache lookup is done", async () => {
    const found = budget.announce();
    await clock.advance(2);
    found();
    run("a");
    await clock.advance(1);
    expect(counted).toEqual([]);
    await clock.advance(1);
    expect(counted).toEqual([1]);
  });

  it("waits for pending cache lookups and counts their queries together", async () => {
    const finds = ["a", "b", "c"].map((name) => ({ name, found: budget.announce() }));
    for (const { name, found } of finds) {
      await clock.advance(100);
      found();
      run(name);
    }
    await clock.advance(8);
    expect(counted).toEqual([3]);
  });

  it("waits while more queries are announced", async () => {
    run("a");
    isMoreToCome = true;
    await clock.advance(100);
    run("b");
    isMoreToCome = false;
    await clock.advance(8);
    expect(counted).toEqual([2]);
  });

  it("is not extended by a query that the cache answered", async () => {
    budget.announce()();
    await clock.advance(4);
    run("a");
    await clock.advance(3);
    run("b");
    await clock.advance(4);
    expect(counted).toEqual([]);
    await clock.advance(4);
    expect(counted).toEqual([2]);
  });
});
