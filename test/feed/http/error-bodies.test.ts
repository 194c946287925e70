import { afterEach, describe, expect, it } from "@jest/globals";
import type { Feed } from "../../../src/feed/feed";
import type { Question, State } from "../../../src/feed/query-cache";
import { until } from "../../support/clock";
import { ask, DOOR_PATH, type FeedOnServer, settle, startFeedOn, TOKEN_PATH } from "../../support/feed";

const DAY = { start: "2026-01-01T00:00:00", end: "2026-01-01T23:59:59" };
const ALL = { country: "ALL", companyType: "ALL" };

/** A question for each shape of answer. */
const QUESTIONS: Record<string, (feed: Feed) => Question<unknown>> = {
  "a company": ({ companies }) => companies.ask("a"),
  "a company's classifications": ({ taxonomies }) => taxonomies.ask({ companyId: "a" }),
  "a company's financials": ({ financials }) => financials.ask({ companyId: "a" }),
  "the company of a number": ({ companies }) => companies.askId({ registrationNumber: "7" }),
  "a list of companies": ({ companies }) => companies.askSearch({ country: "ALL" }, 5),
  "the tree": ({ taxonomies }) => taxonomies.askTree(),
  "a list of classified companies": ({ taxonomies }) => taxonomies.askUniverse(ALL, 5),
  "the companies of a node": ({ taxonomies }) => taxonomies.askConstituentsOf("sector:1", ALL, false, 5),
  "a ranking": ({ rankings }) => rankings.askCompanies(DAY, 5),
};

const ERROR = { error: { code: "TEMPORARY", message: "try later", traceId: "t-9" } };
const MALFORMED = { code: "FEED_RESPONSE_MALFORMED" };

describe("a success that is none", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());
  const start = async (json: unknown) => {
    running = await startFeedOn(({ path }) => ([DOOR_PATH, TOKEN_PATH].includes(path) ? undefined : { json }));
    return running.feed;
  };

  it.each(Object.keys(QUESTIONS))("is malformed in place of %s, with what it says", async (name) => {
    const question = QUESTIONS[name]!;
    const failed = async (json: unknown) => {
      const feed = await start(json);
      const error = await ask(feed, question(feed)).catch((thrown) => thrown);
      await running.close();
      return error;
    };
    const told = { message: expect.stringContaining("(try later); refresh later"), facts: { traceId: "t-9" } };
    expect(await failed(ERROR)).toMatchObject({ ...MALFORMED, ...told });
    expect(await failed({})).toMatchObject(MALFORMED);
    expect(await failed({ error: "temporary" })).toMatchObject(MALFORMED);
  });

  it("is malformed for each of several companies", async () => {
    const feed = await start(ERROR);
    const asked = ["a", "b"].map((companyId) => ask(feed, feed.financials.ask({ companyId })));
    expect(await settle(asked)).toEqual([MALFORMED.code, MALFORMED.code]);
    expect(running.requests()).toHaveLength(1);
  });

  it.each([
    ["a company", { id: "A", companyName: "Example" }],
    ["a company's classifications", { companyId: "a", taxonomy: [{ sectorId: "s" }] }],
    ["a company's financials", { companyId: "a", years: [] }],
  ])("takes the place of no value when %s is asked again", async (name, good) => {
    let json: unknown = good;
    running = await startFeedOn(({ path }) => ([DOOR_PATH, TOKEN_PATH].includes(path) ? undefined : { json }));
    const { watch } = running.feed;
    let state: State<unknown> = { status: "pending" };
    const stop = watch.watch(QUESTIONS[name]!(running.feed), (next) => {
      state = next;
    });
    await until(() => state.status === "answered");
    const { answer } = state as unknown as Extract<State<unknown>, { status: "answered" }>;
    for (json of [ERROR, {}]) {
      expect((await watch.refresh()).failures).toEqual([expect.objectContaining(MALFORMED)]);
      expect(state).toMatchObject({ status: "answered", answer: { value: answer.value }, error: MALFORMED });
    }
    stop();
  });

  it("repeats no token that it quotes", async () => {
    running = await startFeedOn(({ path, headers }) =>
      [DOOR_PATH, TOKEN_PATH].includes(path)
        ? undefined
        : { json: { error: { message: `bad ${headers.authorization}` } } },
    );
    const error = await ask(running.feed, running.feed.companies.ask("a")).catch((thrown) => thrown);
    expect(error.message).toBe("the provider answered with an error in place of data (bad Bearer …); refresh later");
  });
});
