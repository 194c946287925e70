import { afterEach, expect, it, jest } from "@jest/globals";
import type { Feed } from "../../src/feed/feed";
import type { Query } from "../../src/feed/query-cache";
import { awaitAnswer, type FeedOnSandbox, startFeed } from "../support/feed";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

let running: FeedOnSandbox;
afterEach(() => running.close());

const load = <T>(toQuery: (feed: Feed) => Query<T>) => awaitAnswer(running.feed, toQuery(running.feed));

const LISTS = "../../src/feed/pages/load";
it.each<[string, string, (feed: Feed) => Query<{ rows: readonly unknown[] }>]>([
  ["a ranking", LISTS, ({ rankings }) => rankings.queryCompanies(RANGE, 3)],
  ["a search", LISTS, ({ companies }) => companies.querySearch({ country: "ALL" }, 3)],
  [
    "a list of classified companies",
    "../../src/feed/taxonomies/lists",
    ({ taxonomies }) => taxonomies.queryUniverse({ country: "ALL", companyType: "ALL" }, 3),
  ],
  ["a name", "../../src/feed/names/build", ({ names }) => names.query("a", "ALL", 3)],
])("a script that does not load fails %s as a network failure; the next one asks again", async (_, script, toQuery) => {
  running = await startFeed({ companies: 60 });
  jest.doMock(script, () => {
    throw new Error("Loading chunk lists failed.");
  });
  await expect(load(toQuery)).rejects.toMatchObject({
    code: "FEED_NETWORK_FAILED",
    cell: "#N/A",
    message: "a script of this add-in was not reached; check the network and that the companion runs, then refresh",
  });
  jest.dontMock(script);
  await running.feed.queryCache.refresh();
  expect((await load(toQuery)).rows).toHaveLength(3);
});
