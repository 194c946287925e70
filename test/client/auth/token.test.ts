import { afterEach, describe, expect, it } from "@jest/globals";
import { loadAssertion } from "../../../src/client/auth/assertion";
import { createToken } from "../../../src/client/auth/token";
import { createHttp } from "../../../src/client/http";
import { createClock } from "../../support/clock";
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
import { createWire } from "../wire";
import CASES from "./token.json";
import { answerFinancials, bearerOf, countRequests, FINANCIALS, loadMany, readIds } from "./token-reads";

/** Starts a provider that answers a path so, and all else as usual. */
const startWith = (path: string, answering: Answering) =>
  startFeedOn((request) => (request.path === path ? answering : undefined));
const REFUSED: Answering = { status: 401, json: {} };

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

  const WITHOUT_TOKEN = CASES.withoutToken as unknown as [string, object][];
  it.each(WITHOUT_TOKEN)("is FEED_TOKEN_MALFORMED after one more exchange if it comes %s", async (_, tokenFaults) => {
    running = await startFeed();
    running.controls.tokenFaults = tokenFaults;
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_TOKEN_MALFORMED" });
    expect(running.controls.count("createToken")).toBe(2);
  });

  const FAULTS = ["html", "truncated", "empty"] as const;
  it.each(FAULTS)("that comes as %s is a network failure, not the key's", async (fault) => {
    running = await startFeed();
    running.controls.bodyFaults.createToken = fault;
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
    expect(running.controls.count("createToken")).toBe(3);
  });

  const REFUSALS = CASES.refusals as [number, string, number][];
  it.each(REFUSALS)("whose request is answered %p is %s after %p requests", async (status, code, requests) => {
    running = await startFeed();
    running.controls.answers.createToken = { status, times: Number.POSITIVE_INFINITY };
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code, facts: { status } });
    expect(running.controls.count("createToken")).toBe(requests);
  });

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

  it.each<[unknown, number]>([...(CASES.lifetimes as [unknown, number][]), [undefined, 270]])(
    "with expires_in %p is renewed after %p seconds, counted from the request",
    async (expiresIn, seconds) => {
      running = await startFeed({ clock: { hurryMs: -1 } });
      running.controls.tokenFaults = { expiresIn };
      running.controls.latencyMsOf.createToken = 1;
      const sentAtMs = running.clock.nowMs();
      const bearer = running.feed.token.bearer();
      await until(() => running.controls.count("createToken") === 1);
      await running.clock.advance(500);
      expect((await bearer).renewAtMs - sentAtMs).toBe(seconds * 1_000);
    },
  );
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
    running = await startWith(TOKEN_PATH, { json: { access_token: accessToken, expires_in: 300 } });
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_TOKEN_MALFORMED" });
  });

  it("is not requested when the companion refuses to sign; its reason is reported", async () => {
    running = await startWith(ASSERTION_PATH, { status: 403, json: { error: { code: "X", message: "Not paired." } } });
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
    running = await startWith(ASSERTION_PATH, answering);
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_SIGNER_UNREACHABLE" });
    expect([countRequests(running, ASSERTION_PATH), countRequests(running, TOKEN_PATH)]).toEqual([3, 0]);
  });

  it.each(CASES.badAssertions as [unknown][])("is FEED_SIGNER_REFUSED if the companion signs with %j", async (json) => {
    running = await startWith(ASSERTION_PATH, { json });
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

  it("that is always refused ends after two attempts of each request, without a storm of exchanges", async () => {
    running = await startFeedOn(({ path }) => (path.startsWith(FINANCIALS) ? REFUSED : undefined));
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
      return running.requests().length > 1 ? REFUSED : new Promise((resolve) => (release = () => resolve(REFUSED)));
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
      return ++taken % 2 === 0 ? REFUSED : answerFinancials(request);
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

describe("an assertion", () => {
  const wire = createWire();
  afterEach(() => wire.server.close());
  const signed = { clientId: "client", keyId: "key", assertion: "header.payload.signature" };

  const SKEWS: [unknown, number][] = [...(CASES.skews as [unknown, number][]), [undefined, 0]];
  it.each(SKEWS)("with the clock skew %j counts as %d ms", async (clockSkewMs, expected) => {
    await wire.startWith([{ json: { ...signed, clockSkewMs } }]);
    expect(await loadAssertion(wire.http, wire.server.url)).toEqual({ ...signed, clockSkewMs: expected });
  });
});
