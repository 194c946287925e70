import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { NoValueError } from "../../../src/client/errors";
import { msg } from "../../../src/client/messages";
import type { NameMatches, NameToMatch } from "../../../src/feed/matching";
import { createQueryCache, type QueryCache } from "../../../src/feed/query-cache";
import type { Session } from "../../../src/session/session";
import { matchNames } from "../../../src/taskpane/match/match-names";
import { createClock } from "../../support/clock";

const NOT_READY = new NoValueError("FEED_INDEX_NOT_READY", msg`the index is not built`);

let queryCache: QueryCache;
let calls: string[][];
let failures: unknown[];
let found: string[];

const toName = (_: unknown, index: number) => ({ text: `Name ${index}`, hints: [], rows: [index] });
const listNames = (length: number) => Array.from({ length }, toName);

function match(length: number, signal = new AbortController().signal) {
  const query = (names: readonly NameToMatch[], country: string) => ({
    key: ["matchNames", country, names],
    async load(): Promise<NameMatches> {
      calls.push(names.map(({ name }) => name));
      const [failure] = failures.splice(0, 1);
      if (failure !== undefined) throw failure;
      return {
        matches: names.map(() => ({ state: "none", candidates: [], alike: 0, isDecided: false, sameAs: null })),
      };
    },
  });
  const feed = { queryCache, matching: { query } } as unknown as Session["feed"];
  const options = {
    country: "JPN",
    signal,
    found: (names: readonly { text: string }[]) => found.push(...toTexts(names)),
  };
  return matchNames(feed, listNames(length), options);
}

const toTexts = (names: readonly { text: string }[]) => names.map(({ text }) => text);

beforeEach(() => {
  queryCache = createQueryCache(createClock().ports);
  [calls, failures, found] = [[], [], []];
});
afterEach(() => queryCache.close());

describe("matching names", () => {
  it("takes 50 at a time, and gives all in their order", async () => {
    await match(120);
    expect(calls.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(found).toEqual(toTexts(listNames(120)));
  });

  it("ends with an error, after the names that were found", async () => {
    failures = [undefined, NOT_READY];
    await expect(match(120)).rejects.toBe(NOT_READY);
    expect(found).toHaveLength(50);
  });

  it("tries again at once after a failure, as when the index has been built meanwhile", async () => {
    failures = [NOT_READY];
    await expect(match(1)).rejects.toBe(NOT_READY);
    await match(1);
    expect(calls).toHaveLength(2);
    expect(found).toEqual(["Name 0"]);
  });

  it("fails again where the second try fails", async () => {
    failures = [NOT_READY, NOT_READY];
    await expect(match(1)).rejects.toBe(NOT_READY);
    await expect(match(1)).rejects.toBe(NOT_READY);
    expect(calls).toHaveLength(2);
  });

  it("ends by an abort", async () => {
    const abort = new AbortController();
    const matching = match(1, abort.signal);
    abort.abort(new Error("stopped"));
    await expect(matching).rejects.toThrow("stopped");
  });
});
