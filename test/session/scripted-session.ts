import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import type { List } from "../../src/feed/pages";
import type { Query, State } from "../../src/feed/query-cache";
import type { Call } from "../../src/session/calls";
import { createSession, type Session } from "../../src/session/session";
import { type Clock, type ClockOptions, createClock, drain } from "../support/clock";
import { createStorage } from "../support/storage";
import { until } from "../support/until";

export const HOUR_MS = 3_600_000;
export const JANUARY = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

/** A formula of one query, as a cell holds it. */
export const createCall = (query: Query<unknown>, show: () => Call["shown"] = () => null): Call => ({
  name: "RANKING",
  given: {},
  address: null,
  queries: [query],
  error: null,
  get shown() {
    return show();
  },
  readOrigins: () => () => ({ error: null, places: [] }),
  reread() {},
});

/** A companion, or a server with a test's answers. */
interface Server {
  origin: string;
  close(): Promise<unknown>;
}

interface PageOptions {
  /** Whether each test has a server of its own; default one for all. */
  isOfTest?: boolean;
  /** Whether no timer may be left where a test's cells have ended; default any may. */
  leavesNoTimer?: boolean;
}

/** Starts servers for the tests of a file or block; gives the page that a test opens there, and that ends with it. */
export function keepPage<S extends Server>(
  start: () => Promise<S>,
  { isOfTest = false, leavesNoTimer = false }: PageOptions = {},
) {
  let look = () => {};
  const fetchOnline: typeof fetch = (...parameters) =>
    page.isOnline ? fetch(...parameters) : Promise.reject(new TypeError("no network"));
  const page = {
    ...({} as { server: S; session: Session; clock: Clock }),
    /** The browser's storage, which is new for each test. */
    storage: createStorage(),
    isOnline: true,
    /** How far the computer's clock was set back. */
    backMs: 0,
    /** Opens a page, whose retries pass by themselves, but no pause and no probe. */
    open(options: ClockOptions = {}): void {
      const watch = (listener: () => void) => {
        look = listener;
      };
      const network = { isThere: () => page.isOnline, watch };
      page.clock = createClock({ hurryMs: 1_000, network, storage: page.storage, ...options });
      const ports = { ...page.clock.ports, nowMs: () => page.clock.nowMs() - page.backMs };
      page.session = createSession({ ports, companionUrl: page.server.origin });
    },
    async close(): Promise<void> {
      page.session.feed.queryCache.close();
      if (leavesNoTimer) {
        await drain();
        expect(page.clock.timers()).toBe(0);
      }
      page.session.disconnect();
    },
    /** The browser notices that the network comes or goes; requests do so where they are sent by {@link fetchOnline}. */
    setOnline(isOnline: boolean): void {
      page.isOnline = isOnline;
      look();
    },
    fetchOnline,
    toRanking: (top: number): Query<List> => page.session.feed.rankings.queryCompanies(JANUARY, top),
    stateOf: (query: Query<unknown>): State<unknown> => page.session.feed.queryCache.peek(query),
    /** Enters a cell for each query; the result deletes them. */
    listen(...queries: Query<unknown>[]): () => void {
      const stops = queries.map((query) => page.session.feed.queryCache.observe(query, () => {}));
      return () => {
        for (const stop of stops) stop();
      };
    },
    /** Enters a cell for a query, and gives its states so far, by status and by code. */
    watch(query: Query<unknown>): string[] {
      const events: string[] = [];
      page.session.feed.queryCache.observe(query, (state) => {
        const error = state.status === "pending" ? null : (state.error as { code: string } | null);
        if (error === null) events.push(state.status);
        else events.push(state.status === "failed" ? error.code : `${state.status}: ${error.code}`);
      });
      return events;
    },
    untilAll: (status: State<unknown>["status"], ...queries: Query<unknown>[]): Promise<void> =>
      until(() => queries.every((query) => page.stateOf(query).status === status)),
    /** Enters a cell for each query, and waits for their results. */
    async show(status: State<unknown>["status"], ...queries: Query<unknown>[]): Promise<void> {
      page.listen(...queries);
      await page.untilAll(status, ...queries);
    },
  };
  const [begin, end] = isOfTest ? [beforeEach, afterEach] : [beforeAll, afterAll];
  begin(async () => {
    page.server = await start();
  });
  beforeEach(() => {
    Object.assign(page, { storage: createStorage(), isOnline: true, backMs: 0 });
  });
  afterEach(() => page.close());
  end(async () => {
    await page.server.close();
  });
  return page;
}
