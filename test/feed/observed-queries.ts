import { afterEach, beforeEach, expect } from "@jest/globals";
import { RequestError } from "../../src/client/errors";
import type { LoadContext, Query, State } from "../../src/feed/query-cache";
import { createClock, drain } from "../support/clock";
import { createPlainQueryCache } from "../support/query-cache";

/** A load of a query; the test completes it. */
interface Load {
  context: LoadContext;
  answer: (value: string) => void;
  fail: (error: unknown) => void;
}

export const failure = new RequestError("FEED_SERVER_FAILED", "x");

export type Queries = ReturnType<typeof createQueries>;

/** A query cache of each test on its own clock, which it leaves without a timer; read it in the test. */
export function keepQueries(): Queries {
  const queries = {} as Queries;
  beforeEach(() => void Object.assign(queries, createQueries()));
  afterEach(() => {
    queries.queryCache.close();
    expect(queries.clock.timers()).toBe(0);
  });
  return queries;
}

/** Creates a query cache on its own clock, and helpers to subscribe and to answer its loads in order. */
export function createQueries() {
  const clock = createClock();
  const notices = { count: 0 };
  const queryCache = createPlainQueryCache(clock.ports, () => void notices.count++);
  const loads: Load[] = [];
  const ofKey = (key: string, within?: string): Query<string> => ({
    key: [key],
    ...(within !== undefined && { within: [within] }),
    load: (context) => new Promise((answer, fail) => loads.push({ context, answer, fail })),
  });
  const listen = (key = "a", within?: string) => listenTo(ofKey(key, within));
  const listenTo = (query: Query<string>) => {
    const states: State<string>[] = [];
    const stop = queryCache.observe(query, (state) => states.push(state));
    const shown = () =>
      states.map((state) => {
        if (state.status === "failed") return state.error;
        if (state.status === "answered") return `${state.answer.value}${state.error ? " !" : ""}`;
        return state.progress ? `${state.progress.rows.length} of ${state.progress.expected}` : state.status;
      });
    return { states, shown, stop };
  };
  /** Reports that one row of a load has come, of so many. */
  const advance = (index: number, expected: number) => loads[index]?.context.advance?.({ rows: ["row"], expected });
  const settle = async (index: number, outcome: string | Error) => {
    const load = loads[index] as Load;
    if (typeof outcome === "string") load.answer(outcome);
    else load.fail(outcome);
    await drain();
  };
  return { clock, queryCache, notices, loads, ofKey, listen, listenTo, advance, settle };
}
