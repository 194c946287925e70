import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { Query } from "../../src/feed/query-cache";
import { awaitAnswer, type FeedOnSandbox, startFeed } from "../support/feed";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
/** The script that a query needs, and how to send it. */
const QUESTIONS: [string, string, (running: FeedOnSandbox) => Query<{ rows: readonly unknown[] }>][] = [
  ["a ranking", "../../src/feed/pages/load", ({ feed }) => feed.rankings.queryCompanies(RANGE, 3)],
  ["a search", "../../src/feed/pages/load", ({ feed }) => feed.companies.querySearch({ country: "ALL" }, 3)],
  [
    "a list of classified companies",
    "../../src/feed/taxonomies/lists",
    ({ feed }) => feed.taxonomies.queryUniverse({ country: "ALL", companyType: "ALL" }, 3),
  ],
  ["a name", "../../src/feed/names/build", ({ feed }) => feed.names.query("a", "ALL", 3)],
];

describe("a script that does not load", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());

  it.each(QUESTIONS)("fails %s as a network failure, and is requested again by the next one", async (_, script, to) => {
    running = await startFeed();
    jest.doMock(script, () => {
      throw new Error("Loading chunk lists failed.");
    });
    await expect(awaitAnswer(running.feed, to(running))).rejects.toMatchObject({
      code: "FEED_NETWORK_FAILED",
      cell: "#N/A",
      message: expect.stringMatching(
        /^a script of this add-in was not reached; check the network and that the companion runs, then refresh$/,
      ),
    });
    jest.dontMock(script);
    await running.feed.queryCache.refresh();
    expect((await awaitAnswer(running.feed, to(running))).rows).toHaveLength(3);
  });
});
