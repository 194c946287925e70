import { afterEach, describe, expect, it } from "@jest/globals";
import {
  ASSERTION_PATH,
  awaitAnswer,
  type FeedOnSandbox,
  type FeedOnServer,
  settle,
  startFeed,
  startFeedOn,
  TOKEN_PATH,
} from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import { until } from "../../support/until";
import CASES from "./token.json";
import { answerFinancials, bearerOf, countRequests, FINANCIALS, loadMany, readIds } from "./token-reads";

describe("the token of a sandbox", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());

  it("is exchanged once when 500 cells need it at the same time", async () => {
    running = await startFeed();
    const years = Array.from({ length: 500 }, (_, index) => index);
    await settle(
      years.map((year) => awaitAnswer(running.feed, running.feed.financials.query({ companyId: "x" }, { year }))),
    );
    expect([running.controls.count("createToken"), running.signed.length]).toEqual([1, 1]);
  });

  it("is requested with a fresh assertion at each attempt", async () => {
    running = await startFeed();
    running.controls.answers.createToken = { status: 503, times: 2 };
    await running.feed.token.bearer();
    expect(running.controls.count("createToken")).toBe(3);
    expect(running.signed).toHaveLength(3);
  });

  it.each([
    ["without a token", { withoutAccessToken: true }],
    ["of zero seconds", { expiresIn: 0 }],
    ["of minus one second", { expiresIn: -1 }],
    ["of no number of seconds", { expiresIn: "soon" }],
  ])("is FEED_TOKEN_MALFORMED after one more exchange if it comes %s", async (_, tokenFaults) => {
    running = await startFeed();
    running.controls.tokenFaults = tokenFaults;
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_TOKEN_MALFORMED" });
    expect(running.controls.count("createToken")).toBe(2);
  });

  it.each(["html", "truncated", "empty"] as const)(
    "that comes as %s is a network failure, not the key's",
    async (fault) => {
      running = await startFeed();
      running.controls.bodyFaults.createToken = fault;
      await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
      expect(running.controls.count("createToken")).toBe(3);
    },
  );

  it.each(CASES.refusals as [number, string, number][])(
    "whose request is answered %p is %s after %p requests",
    async (status, code, requests) => {
      running = await startFeed();
      running.controls.answers.createToken = { status, times: Number.POSITIVE_INFINITY };
      await expect(running.feed.token.bearer()).rejects.toMatchObject({ code, facts: { status } });
      expect(running.controls.count("createToken")).toBe(requests);
    },
  );

  it("that one family refuses with 403 keeps serving the others", async () => {
    running = await startFeed({ scopes: ["company:read"] });
    const [id = ""] = await readIds(running, 1);
    const answers = [
      awaitAnswer(running.feed, running.feed.financials.query({ companyId: id })),
      awaitAnswer(running.feed, running.feed.taxonomies.queryTree()),
      awaitAnswer(running.feed, running.feed.companies.query(id)),
    ];
    expect(await settle<unknown>(answers)).toEqual([
      "FEED_SCOPE_MISSING",
      "FEED_SCOPE_MISSING",
      expect.objectContaining({ id }),
    ]);
    expect(running.controls.count("createToken")).toBe(0);
  });
});

describe("the token of a provider", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());

  it("is never sent in a URL", async () => {
    running = await startFeedOn((request) => (request.path === FINANCIALS ? answerFinancials(request) : undefined));
    await Promise.all(loadMany(running, 3));
    const [data] = running.requests();
    expect(bearerOf(data as Received)).toBe("Bearer token-2");
    expect(running.server.requests.map(({ query }) => String(query))).toEqual(["", "", ""]);
  });

  it.each([["a b"], ["a\nb"], [""], [7], [null]])("with the text %p is malformed", async (accessToken) => {
    running = await startFeedOn(({ path }) =>
      path === TOKEN_PATH ? { json: { access_token: accessToken, expires_in: 300 } } : undefined,
    );
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_TOKEN_MALFORMED" });
  });

  it("is not requested when the companion refuses to sign; its reason is reported", async () => {
    running = await startFeedOn(({ path }) =>
      path === ASSERTION_PATH ? { status: 403, json: { error: { code: "X", message: "Not paired." } } } : undefined,
    );
    await expect(running.feed.token.bearer()).rejects.toMatchObject({
      code: "FEED_SIGNER_REFUSED",
      message: expect.stringContaining("Not paired."),
      facts: { status: 403 },
    });
    expect([countRequests(running, ASSERTION_PATH), countRequests(running, TOKEN_PATH)]).toEqual([1, 0]);
  });

  it.each<[string, Answering]>([
    ["fails", { status: 500, json: {} }],
    ["closes the connection", { raw: (response) => response.destroy() }],
    ["is some other program's page", { text: "<html>" }],
  ])("is FEED_SIGNER_UNREACHABLE after three attempts if the companion %s", async (_, answering) => {
    running = await startFeedOn(({ path }) => (path === ASSERTION_PATH ? answering : undefined));
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_SIGNER_UNREACHABLE" });
    expect([countRequests(running, ASSERTION_PATH), countRequests(running, TOKEN_PATH)]).toEqual([3, 0]);
  });

  it.each(CASES.badAssertions as [unknown][])("is FEED_SIGNER_REFUSED if the companion signs with %j", async (json) => {
    running = await startFeedOn(({ path }) => (path === ASSERTION_PATH ? { json } : undefined));
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_SIGNER_REFUSED" });
  });

  it("gets its assertion although five slow answers are pending", async () => {
    const held: (() => void)[] = [];
    let isSlow = true;
    running = await startFeedOn((request) => {
      if (!request.path.startsWith("/asia")) return undefined;
      const answer: Answering = { json: { id: request.path.split("/").at(-1), companyName: "A" } };
      return isSlow ? new Promise((resolve) => held.push(() => resolve(answer))) : answer;
    });
    const slow = Array.from({ length: 5 }, (_, index) =>
      awaitAnswer(running.feed, running.feed.companies.query(`s${index}`)),
    );
    await until(() => held.length === 5);
    isSlow = false;
    running.feed.token.forget();
    expect(await running.feed.token.bearer()).toMatchObject({ token: "token-4" });
    for (const release of held) release();
    await Promise.all(slow);
  });
});

describe("an assertion", () => {});
