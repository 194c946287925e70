import { afterEach, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { createHttp } from "../../src/feed/http";
import type { Bearer } from "../../src/feed/token";
import { createToken } from "../../src/feed/token";
import { createClock, drain, until } from "../support/clock";
import {
  ask,
  DOOR_PATH,
  type FeedOnSandbox,
  type FeedOnServer,
  settle,
  startFeed,
  startFeedOn,
  TOKEN_PATH,
} from "../support/feed";
import type { Answering, Received } from "../support/http-server";

const FINANCIALS = "/asia/private-markets/v1/financials";

/** Answers POST /financials with the companies asked for, each with one year. */
const answerFinancials = ({ body }: Received): Answering => {
  const { companyIds } = body as { companyIds: string[] };
  const data = companyIds.map((companyId) => ({ companyId, years: [] }));
  return { json: { data, page: 1, pageSize: data.length, total: data.length } };
};
const refused: Answering = { status: 401, json: {} };
const bearerOf = ({ headers }: Received) => headers.authorization;

describe("the token of a sandbox", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());

  const idsOf = async (count: number) => {
    const { rows } = await ask(running.feed, running.feed.companies.askSearch({ country: "ALL" }, count));
    running.controls.reset();
    running.signed.length = 0;
    return rows.map(({ id }) => String(id));
  };

  it("is exchanged once when 500 cells ask at the same time", async () => {
    running = await startFeed();
    const years = Array.from({ length: 500 }, (_, index) => index);
    await settle(years.map((year) => ask(running.feed, running.feed.financials.ask({ companyId: "x" }, { year }))));
    expect([running.controls.count("createToken"), running.signed.length]).toEqual([1, 1]);
  });

  it("is renewed once when it is revoked under many requests, and all have their values", async () => {
    running = await startFeed();
    const ids = await idsOf(200);
    running.controls.dropTokens();
    const answers = ids.map((companyId) => ask(running.feed, running.feed.financials.ask({ companyId })));
    expect(await Promise.all(answers)).toHaveLength(200);
    expect(running.controls.count("createToken")).toBe(1);
    const statuses = running.controls.requests.map(({ operationId, status }) => `${operationId} ${status}`);
    expect(statuses.filter((each) => each === "getFinancialsOfMany 401").length).toBeLessThanOrEqual(8);
    expect(statuses.filter((each) => each === "getFinancialsOfMany 200")).toHaveLength(8);
  });

  it("is asked for with a fresh assertion at each try", async () => {
    running = await startFeed();
    running.controls.answers.createToken = { status: 503, times: 2 };
    await running.feed.token.bearer();
    expect(running.controls.count("createToken")).toBe(3);
    expect(running.signed).toHaveLength(3);
  });

  it("is renewed ahead of its end, so that no request leaves with one that ends on the way", async () => {
    running = await startFeed();
    const first = await running.feed.token.bearer();
    await running.clock.advance(first.renewAtMs - running.clock.nowMs() - 1);
    expect(await running.feed.token.bearer()).toBe(first);
    await running.clock.advance(1);
    expect(await running.feed.token.bearer()).not.toBe(first);
    expect(running.controls.count("createToken")).toBe(2);
  });

  it.each([
    ["without a token", { withoutAccessToken: true }],
    ["of zero seconds", { expiresIn: 0 }],
    ["of minus one second", { expiresIn: -1 }],
    ["of no number of seconds", { expiresIn: "soon" }],
  ])("is FEED_TOKEN_MALFORMED after one more exchange when it comes %s", async (_, tokenFaults) => {
    running = await startFeed();
    running.controls.tokenFaults = tokenFaults;
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_TOKEN_MALFORMED" });
    expect(running.controls.count("createToken")).toBe(2);
  });

  it.each([
    [300, 270],
    ["300", 270],
    [undefined, 270],
    [null, 270],
    [60, 45],
    [1, 0.75],
    [1e12, 3_570],
  ])("of expires_in %p is renewed after %p seconds, counted from when it was asked for", async (expiresIn, seconds) => {
    running = await startFeed({ clock: { hurryMs: -1 } });
    running.controls.tokenFaults = { expiresIn };
    running.controls.latencyMsOf.createToken = 1;
    const sentAtMs = running.clock.nowMs();
    const bearer = running.feed.token.bearer();
    await until(() => running.controls.count("createToken") === 1);
    await running.clock.advance(5_000);
    expect((await bearer).renewAtMs - sentAtMs).toBe(seconds * 1_000);
  });

  it.each(["html", "truncated", "empty"] as const)(
    "that comes as %s is the network's failure, not the key's",
    async (fault) => {
      running = await startFeed();
      running.controls.bodyFaults.createToken = fault;
      await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
      expect(running.controls.count("createToken")).toBe(3);
    },
  );

  it.each([
    [400, "FEED_TOKEN_REFUSED", 2],
    [401, "FEED_TOKEN_REFUSED", 2],
    [403, "FEED_TOKEN_REFUSED", 2],
    [408, "FEED_TIMED_OUT", 3],
    [429, "FEED_RATE_LIMITED", 3],
    [500, "FEED_SERVER_FAILED", 3],
  ])("whose request is answered %p is %s after %p requests", async (status, code, requests) => {
    running = await startFeed();
    running.controls.answers.createToken = { status, times: Number.POSITIVE_INFINITY };
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code, facts: { status } });
    expect(running.controls.count("createToken")).toBe(requests);
  });

  it("that one family refuses with 403 keeps serving the others", async () => {
    running = await startFeed({ scopes: ["company:read"] });
    const [id = ""] = await idsOf(1);
    const answers = [
      ask(running.feed, running.feed.financials.ask({ companyId: id })),
      ask(running.feed, running.feed.taxonomies.askTree()),
      ask(running.feed, running.feed.companies.ask(id)),
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
  const askMany = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      ask(running.feed, running.feed.financials.ask({ companyId: `c${index}` })),
    );
  const countOf = (path: string) => running.server.requests.filter((request) => request.path === path).length;

  it("that is refused for ever ends after two tries of each request, with no storm of exchanges", async () => {
    running = await startFeedOn(({ path }) => (path.startsWith(FINANCIALS) ? refused : undefined));
    const codes = await settle(askMany(100));
    expect(new Set(codes)).toEqual(new Set(["FEED_UNAUTHORISED"]));
    expect(running.requests()).toHaveLength(8);
    expect(countOf(TOKEN_PATH)).toBe(2);
    running.feed.watch.close();
    for (let round = 0; round < 20; round++) {
      expect(await settle(askMany(1))).toEqual(["FEED_UNAUTHORISED"]);
      running.feed.watch.close();
    }
    expect(countOf(TOKEN_PATH)).toBe(2);
    await running.clock.advance(10_000);
    await settle(askMany(1));
    expect(countOf(TOKEN_PATH)).toBe(3);
  });

  it("is not renewed for a refusal of the one before it that comes late", async () => {
    let release = () => {};
    running = await startFeedOn((request) => {
      if (!request.path.startsWith(FINANCIALS)) return undefined;
      if (bearerOf(request) !== "Bearer token-2")
        return { json: { companyId: request.path.split("/").at(-1), years: [] } };
      return running.requests().length > 1 ? refused : new Promise((resolve) => (release = () => resolve(refused)));
    });
    const late = ask(running.feed, running.feed.financials.ask({ companyId: "late" }));
    await until(() => running.requests().length === 1);
    await ask(running.feed, running.feed.financials.ask({ companyId: "early" }));
    release();
    await late;
    expect(countOf(TOKEN_PATH)).toBe(2);
  });

  it("that was taken before is renewed when it is refused, however soon", async () => {
    let taken = 0;
    running = await startFeedOn((request) => {
      if (request.path !== FINANCIALS) return undefined;
      return ++taken % 2 === 0 ? refused : answerFinancials(request);
    });
    for (let round = 0; round < 5; round++) {
      const codes = await settle(askMany(2).map((answer) => answer.then(() => "value")));
      expect(codes).toEqual(["value", "value"]);
      running.feed.watch.close();
    }
  });

  it("never travels in an address", async () => {
    running = await startFeedOn((request) => (request.path === FINANCIALS ? answerFinancials(request) : undefined));
    await Promise.all(askMany(3));
    const [data] = running.requests();
    expect(bearerOf(data as Received)).toBe("Bearer token-2");
    expect(running.server.requests.map(({ query }) => String(query))).toEqual(["", "", ""]);
  });

  it.each([["a b"], ["a\nb"], [""], [7], [null]])("of the text %p is malformed", async (accessToken) => {
    running = await startFeedOn(({ path }) =>
      path === TOKEN_PATH ? { json: { access_token: accessToken, expires_in: 300 } } : undefined,
    );
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_TOKEN_MALFORMED" });
  });

  it("is not asked for when the companion refuses to sign, and the companion's reason is told", async () => {
    running = await startFeedOn(({ path }) =>
      path === DOOR_PATH ? { status: 403, json: { error: { code: "X", message: "Not paired." } } } : undefined,
    );
    await expect(running.feed.token.bearer()).rejects.toMatchObject({
      code: "FEED_SIGNER_REFUSED",
      message: expect.stringContaining("Not paired."),
      facts: { status: 403 },
    });
    expect([countOf(DOOR_PATH), countOf(TOKEN_PATH)]).toEqual([1, 0]);
  });

  it.each<[string, Answering]>([
    ["fails", { status: 500, json: {} }],
    ["closes the connection", { raw: (response) => response.destroy() }],
    ["is some other program's page", { text: "<html>" }],
  ])("is FEED_SIGNER_UNREACHABLE after three tries when the companion %s", async (_, answering) => {
    running = await startFeedOn(({ path }) => (path === DOOR_PATH ? answering : undefined));
    await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_SIGNER_UNREACHABLE" });
    expect([countOf(DOOR_PATH), countOf(TOKEN_PATH)]).toEqual([3, 0]);
  });

  it.each([[{}], [[]], [{ clientId: "a" }], [{ clientId: 1, assertion: "x" }], [7]])(
    "is FEED_SIGNER_REFUSED when the companion signs with %j",
    async (json) => {
      running = await startFeedOn(({ path }) => (path === DOOR_PATH ? { json } : undefined));
      await expect(running.feed.token.bearer()).rejects.toMatchObject({ code: "FEED_SIGNER_REFUSED" });
    },
  );

  it("is signed for though five slow answers are awaited", async () => {
    const held: (() => void)[] = [];
    let isSlow = true;
    running = await startFeedOn((request) => {
      if (!request.path.startsWith("/asia")) return undefined;
      const answer: Answering = { json: { id: "a" } };
      return isSlow ? new Promise((resolve) => held.push(() => resolve(answer))) : answer;
    });
    const slow = Array.from({ length: 5 }, (_, index) => ask(running.feed, running.feed.companies.ask(`s${index}`)));
    await until(() => held.length === 5);
    isSlow = false;
    running.feed.token.forget();
    expect(await running.feed.token.bearer()).toMatchObject({ token: "token-4" });
    for (const release of held) release();
    await Promise.all(slow);
  });
});

describe("a token that is forgotten", () => {
  const assertionOf = ({ body }: Received) => new URLSearchParams(String(body)).get("client_assertion");

  it("while its exchange is under way serves nobody: they get the next one", async () => {
    const held: (() => void)[] = [];
    const running = await startFeedOn(({ path, body }) => {
      if (path !== TOKEN_PATH) return undefined;
      const assertion = new URLSearchParams(String(body)).get("client_assertion");
      const answer: Answering = { json: { access_token: `for-${assertion}`, expires_in: 300 } };
      return held.length === 0 ? new Promise((resolve) => held.push(() => resolve(answer))) : answer;
    });
    const before = running.feed.token.bearer();
    await until(() => held.length === 1);
    running.feed.token.forget();
    const after = running.feed.token.bearer();
    held[0]?.();
    const bearers: Bearer[] = await Promise.all([before, after]);
    expect(bearers.map(({ token }) => token)).toEqual(["for-assertion-2", "for-assertion-2"]);
    expect(await running.feed.token.bearer()).toBe(bearers[1]);
    const exchanges = running.server.requests.filter(({ path }) => path === TOKEN_PATH);
    expect(exchanges.map(assertionOf).sort()).toEqual(["assertion-1", "assertion-2"]);
    await running.close();
  });

  it("does not fail those who ask anew with the failure of the old exchange", async () => {
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

  it("asks the companion for nothing while there is no connection", async () => {
    const clock = createClock({ hurryMs: 1_000 });
    let signed = 0;
    const token = createToken({
      ports: clock.ports,
      http: createHttp(clock.ports, 1),
      connection: () => Promise.reject(new Error("not connected")),
      sign: async () => ({ clientId: "c", assertion: `a${++signed}` }),
    });
    await expect(token.bearer()).rejects.toThrow("not connected");
    expect(signed).toBe(0);
  });
});

describe("an assertion", () => {
  it("has its own jti in every exchange", async () => {
    const running = await startFeed();
    const sent: string[] = [];
    const { ports } = running.clock;
    const original = ports.fetch;
    ports.fetch = (input, init) => {
      const assertion = new URLSearchParams(String(init?.body)).get("client_assertion");
      if (assertion !== null) sent.push(String(decodeJwt(assertion).jti));
      return original(input, init);
    };
    running.controls.answers.createToken = { status: 503, times: 1 };
    await running.feed.token.bearer();
    running.feed.token.forget();
    await running.feed.token.bearer();
    await drain();
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(3);
    await running.close();
  });
});
