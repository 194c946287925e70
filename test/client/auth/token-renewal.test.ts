import { afterEach, describe, expect, it } from "@jest/globals";
import { createToken } from "../../../src/client/auth/token";
import { createHttp } from "../../../src/client/http";
import { createClock } from "../../support/clock";
import {
  awaitAnswer,
  type FeedOnSandbox,
  type FeedOnServer,
  settle,
  startFeed,
  startFeedOn,
  TOKEN_PATH,
} from "../../support/feed";
import type { Answering } from "../../support/http-server";
import { until } from "../../support/until";
import { answerFinancials, bearerOf, countRequests, FINANCIALS, loadMany, readIds } from "./token-reads";

const refused: Answering = { status: 401, json: {} };

describe("the token of a sandbox", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());

  it("is renewed once when it is revoked under many requests, and all get their values", async () => {
    running = await startFeed();
    const ids = await readIds(running, 200);
    running.controls.dropTokens();
    const answers = ids.map((companyId) => awaitAnswer(running.feed, running.feed.financials.query({ companyId })));
    expect(await Promise.all(answers)).toHaveLength(200);
    expect(running.controls.count("createToken")).toBe(1);
    const statuses = running.controls.requests.map(({ operationId, status }) => `${operationId} ${status}`);
    expect(statuses.filter((each) => each === "getFinancialsOfMany 401").length).toBeLessThanOrEqual(8);
    expect(statuses.filter((each) => each === "getFinancialsOfMany 200")).toHaveLength(8);
  });

  it.each([
    [300, 270],
    ["300", 270],
    [undefined, 270],
    [null, 270],
    [60, 45],
    [1, 0.75],
    [1e12, 3_570],
  ])("with expires_in %p is renewed after %p seconds, counted from the request", async (expiresIn, seconds) => {
    running = await startFeed({ clock: { hurryMs: -1 } });
    running.controls.tokenFaults = { expiresIn };
    running.controls.latencyMsOf.createToken = 1;
    const sentAtMs = running.clock.nowMs();
    const bearer = running.feed.token.bearer();
    await until(() => running.controls.count("createToken") === 1);
    await running.clock.advance(500);
    expect((await bearer).renewAtMs - sentAtMs).toBe(seconds * 1_000);
  });
});

describe("the token of a provider", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());

  it("that is always refused ends after two attempts of each request, without a storm of exchanges", async () => {
    running = await startFeedOn(({ path }) => (path.startsWith(FINANCIALS) ? refused : undefined));
    const codes = await settle(loadMany(running, 100));
    expect(new Set(codes)).toEqual(new Set(["FEED_UNAUTHORISED"]));
    expect(running.requests()).toHaveLength(8);
    expect(countRequests(running, TOKEN_PATH)).toBe(2);
    running.feed.queryCache.close();
    for (let round = 0; round < 20; round++) {
      expect(await settle(loadMany(running, 1))).toEqual(["FEED_UNAUTHORISED"]);
      running.feed.queryCache.close();
    }
    expect(countRequests(running, TOKEN_PATH)).toBe(2);
    await running.clock.advance(10_000);
    await settle(loadMany(running, 1));
    expect(countRequests(running, TOKEN_PATH)).toBe(3);
  });

  it("is not renewed for a late refusal of the previous one", async () => {
    let release = () => {};
    running = await startFeedOn((request) => {
      if (!request.path.startsWith(FINANCIALS)) return undefined;
      if (bearerOf(request) !== "Bearer token-2")
        return { json: { companyId: request.path.split("/").at(-1), years: [] } };
      return running.requests().length > 1 ? refused : new Promise((resolve) => (release = () => resolve(refused)));
    });
    const late = awaitAnswer(running.feed, running.feed.financials.query({ companyId: "late" }));
    await until(() => running.requests().length === 1);
    await awaitAnswer(running.feed, running.feed.financials.query({ companyId: "early" }));
    release();
    await late;
    expect(countRequests(running, TOKEN_PATH)).toBe(2);
  });

  it("that was accepted before is renewed when it is refused, however soon", async () => {
    let taken = 0;
    running = await startFeedOn((request) => {
      if (request.path !== FINANCIALS) return undefined;
      return ++taken % 2 === 0 ? refused : answerFinancials(request);
    });
    for (let round = 0; round < 5; round++) {
      const codes = await settle(loadMany(running, 2).map((answer) => answer.then(() => "value")));
      expect(codes).toEqual(["value", "value"]);
      running.feed.queryCache.close();
    }
  });
});

describe("a forgotten token", () => {
  it("does not fail new callers with the failure of the old exchange", async () => {
    const held: (() => void)[] = [];
    const running = await startFeedOn(({ path }) => {
      if (path !== TOKEN_PATH || held.length > 0) return undefined;
      return new Promise((resolve) => held.push(() => resolve({ status: 400, json: {} })));
    });
    const before = running.feed.token.bearer();
    await until(() => held.length === 1);
    running.feed.token.forget();
    held[0]?.();
    expect((await before).token).toMatch(/^token-/);
    await running.close();
  });

  it("requests no assertion while there is no connection", async () => {
    const clock = createClock({ hurryMs: 1_000 });
    let signed = 0;
    const token = createToken({
      ports: clock.ports,
      http: createHttp(clock.ports, 1),
      connection: () => Promise.reject(new Error("not connected")),
      sign: async () => ({ clientId: "c", keyId: "k", assertion: `a${++signed}` }),
    });
    await expect(token.bearer()).rejects.toThrow("not connected");
    expect(signed).toBe(0);
  });
});
