import { afterEach, describe, expect, it } from "@jest/globals";
import type { Feed } from "../../../src/feed/feed";
import type { Query, State } from "../../../src/feed/query-cache";
import { ASSERTION_PATH, awaitAnswer, type FeedOnServer, settle, startFeedOn, TOKEN_PATH } from "../../support/feed";
import { until } from "../../support/until";

const DAY = { start: "2026-01-01T00:00:00", end: "2026-01-01T23:59:59" };
const ALL = { country: "ALL", companyType: "ALL" };

/** A query for each shape of answer. */
const QUESTIONS: Record<string, (feed: Feed) => Query<unknown>> = {
  "a company": ({ companies }) => companies.query("a"),
  "a company's classifications": ({ taxonomies }) => taxonomies.query({ companyId: "a" }),
  "a company's financials": ({ financials }) => financials.query({ companyId: "a" }),
  "the company of a number": ({ companies }) => companies.queryId({ registrationNumber: "7" }),
  "a list of companies": ({ companies }) => companies.querySearch({ country: "ALL" }, 5),
  "the tree": ({ taxonomies }) => taxonomies.queryTree(),
  "a list of classified companies": ({ taxonomies }) => taxonomies.queryUniverse(ALL, 5),
  "the companies of a node": ({ taxonomies }) => taxonomies.queryConstituentsOf("sector:1", ALL, false, 5),
  "a ranking": ({ rankings }) => rankings.queryCompanies(DAY, 5),
};

const ERROR = { error: { code: "TEMPORARY", message: "try later", traceId: "t-9" } };
const MALFORMED = { code: "FEED_RESPONSE_MALFORMED" };

describe("an error body with status 200", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());
  const start = async (json: unknown) => {
    running = await startFeedOn(({ path }) => ([ASSERTION_PATH, TOKEN_PATH].includes(path) ? undefined : { json }));
    return running.feed;
  };

  it.each(Object.keys(QUESTIONS))("is malformed in place of %s, with its message", async (name) => {
    const query = QUESTIONS[name]!;
    const failed = async (json: unknown) => {
      const feed = await start(json);
      const error = await awaitAnswer(feed, query(feed)).catch((thrown) => thrown);
      await running.close();
      return error;
    };
    const failure = { message: expect.stringContaining("(try later); refresh later"), facts: { traceId: "t-9" } };
    expect(await failed(ERROR)).toMatchObject({ ...MALFORMED, ...failure });
    expect(await failed({})).toMatchObject(MALFORMED);
    expect(await failed({ error: "temporary" })).toMatchObject(MALFORMED);
  });

  it("is malformed for each of several companies", async () => {
    const feed = await start(ERROR);
    const answers = ["a", "b"].map((companyId) => awaitAnswer(feed, feed.financials.query({ companyId })));
    expect(await settle(answers)).toEqual([MALFORMED.code, MALFORMED.code]);
    expect(running.requests()).toHaveLength(1);
  });

  it.each([
    ["a company", { id: "A", companyName: "Example" }],
    ["a company's classifications", { companyId: "a", taxonomy: [{ sectorId: "s" }] }],
    ["a company's financials", { companyId: "a", years: [] }],
  ])("does not replace the value when %s is refetched", async (name, good) => {
    let json: unknown = good;
    running = await startFeedOn(({ path }) => ([ASSERTION_PATH, TOKEN_PATH].includes(path) ? undefined : { json }));
    const { queryCache } = running.feed;
    let state: State<unknown> = { status: "pending" };
    const stop = queryCache.observe(QUESTIONS[name]!(running.feed), (next) => {
      state = next;
    });
    await until(() => state.status === "answered");
    const { answer } = state as unknown as Extract<State<unknown>, { status: "answered" }>;
    for (json of [ERROR, {}]) {
      expect((await queryCache.refresh()).failures).toEqual([expect.objectContaining(MALFORMED)]);
      expect(state).toMatchObject({ status: "answered", answer: { value: answer.value }, error: MALFORMED });
    }
    stop();
  });

  it("does not repeat a token that it quotes", async () => {
    running = await startFeedOn(({ path, headers }) =>
      [ASSERTION_PATH, TOKEN_PATH].includes(path)
        ? undefined
        : { json: { error: { message: `bad ${headers.authorization}` } } },
    );
    const error = await awaitAnswer(running.feed, running.feed.companies.query("a")).catch((thrown) => thrown);
    expect(error.message).toBe("the provider answered with an error in place of data (bad Bearer …); refresh later");
  });
});
