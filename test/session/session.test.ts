import { beforeEach, describe, expect, it } from "@jest/globals";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { toPolicies } from "../../src/session/settings";
import { drain } from "../support/clock";
import { ASSERTION_PATH, awaitAnswer, settle } from "../support/feed";
import { type Answering, type Received, startServer } from "../support/http-server";
import { until } from "../support/until";
import configuration from "./configuration.json";
import { keepPage } from "./scripted-session";

const CONFIG_PATH = "/companion/config";
const RELAY = "/companion/relay";
const TOKEN_PATH = `${RELAY}/token`;
const COMPANY = `${RELAY}/asia/private-markets/v1/companies/`;

const refusal = { status: 400, headers: { "feed-refusal": "FEED_REQUEST_INVALID" }, json: {} };

describe("a session", () => {
  /** The companion's answers by path; tests change them. */
  let answers: Record<string, Answering | (() => Answering | Promise<Answering>)>;
  let statuses: string[];

  const page = keepPage(
    async () => {
      let issued = 0;
      answers = {
        [CONFIG_PATH]: { json: configuration },
        [ASSERTION_PATH]: { json: { clientId: "client-1", keyId: "key-1", assertion: "assertion" } },
        [TOKEN_PATH]: () => ({ json: { access_token: `token-${++issued}`, expires_in: 300 } }),
      };
      const server = await startServer(({ path, headers }: Received) => {
        const answer = answers[path];
        if (answer !== undefined) return typeof answer === "function" ? answer() : answer;
        return { json: { id: path.slice(COMPANY.length), with: headers.authorization } };
      });
      return { ...server, origin: server.url };
    },
    { isOfTest: true },
  );
  beforeEach(() => {
    page.open();
    statuses = [];
    page.session.subscribe(() => statuses.push(page.session.state().status));
  });

  const company = (id: string) => page.session.feed.companies.query(id);
  const listen = (id: string) => page.watch(company(id));
  const requestsOf = (path: string) => page.server.requests.filter((request) => request.path === path).length;
  /** Delays a path's answer until the returned function is called. */
  const hold = (path: string, answer: Answering = answers[path] as Answering) => {
    let release = () => {};
    const held = new Promise<Answering>((resolve) => {
      release = () => resolve(answer);
    });
    answers[path] = () => held;
    return () => release();
  };

  it("starts idle, and connects by configuration, assertion and token", async () => {
    expect(page.session.state()).toEqual({ status: "idle", configuration: null });
    await page.session.connect();
    expect(page.session.state()).toEqual({
      status: "connected",
      configuration: { ...configuration, weeks: 0 },
      connectedAtMs: page.clock.nowMs(),
    });
    expect(page.server.requests.map(({ path }) => path)).toEqual([CONFIG_PATH, ASSERTION_PATH, TOKEN_PATH]);
    expect([statuses[0], statuses.at(-1)]).toEqual(["connecting", "connected"]);
  });

  it("connects once when the first cells subscribe", async () => {
    const all = await Promise.all(["a", "b", "c"].map((id) => awaitAnswer(page.session.feed, company(id))));
    expect(all.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    await until(() => page.session.state().status === "connected");
    expect([CONFIG_PATH, ASSERTION_PATH, TOKEN_PATH].map(requestsOf)).toEqual([1, 1, 1]);
  });

  it("reaches the provider through the companion, or directly if configured so", async () => {
    await awaitAnswer(page.session.feed, company("a"));
    expect(requestsOf(`${COMPANY}a`)).toBe(1);
    await page.close();
    const { url } = page.server;
    answers[CONFIG_PATH] = {
      json: { ...configuration, transport: "direct", baseUrl: `${url}${RELAY}`, tokenUrl: `${url}/direct-token` },
    };
    answers["/direct-token"] = { json: { access_token: "direct", expires_in: 300 } };
    page.open();
    expect(await awaitAnswer(page.session.feed, company("b"))).toEqual({ id: "b", with: "Bearer direct" });
  });

  it("sends no request once disconnected; cells keep their values", async () => {
    const events = listen("a");
    await until(() => events.includes("answered"));
    page.session.disconnect();
    const before = page.server.requests.length;
    expect(await settle([awaitAnswer(page.session.feed, company("b"))])).toEqual(["FEED_NOT_CONNECTED"]);
    expect(page.session.feed.queryCache.peek(company("a"))).toMatchObject({ status: "answered" });
    expect([page.server.requests.length, page.session.state().status]).toEqual([before, "disconnected"]);
  });

  it("refetches only the queries that failed without a connection", async () => {
    answers[`${COMPANY}gone`] = { status: 404, json: {} };
    const fine = listen("fine");
    const gone = listen("gone");
    await until(() => gone.length > 0 && fine.length > 0);
    page.session.disconnect();
    const missed = ["x", "y"].map(listen);
    await until(() => missed.every((events) => events.includes("FEED_NOT_CONNECTED")));
    await page.session.connect();
    await until(() => missed.every((events) => events.at(-1) === "answered"));
    expect([requestsOf(`${COMPANY}x`), requestsOf(`${COMPANY}fine`), requestsOf(`${COMPANY}gone`)]).toEqual([1, 1, 1]);
    expect(gone.at(-1)).toBe("FEED_NOT_FOUND");
  });

  it("fails while the companion does not answer, and recovers afterwards", async () => {
    const refuse: Answering = { raw: (response) => response.destroy() };
    const { [CONFIG_PATH]: config } = answers;
    answers[CONFIG_PATH] = refuse;
    const events = listen("a");
    await until(() => events.includes("FEED_SIGNER_UNREACHABLE") && page.session.state().status === "failed");
    expect(page.session.state()).toMatchObject({ configuration: null, error: { code: "FEED_SIGNER_UNREACHABLE" } });
    expect(requestsOf(CONFIG_PATH)).toBeLessThanOrEqual(6);
    answers[CONFIG_PATH] = config as Answering;
    await page.session.connect();
    await until(() => events.at(-1) === "answered");
    expect(page.session.state().status).toBe("connected");
  });

  it.each([
    ["the companion refuses", ASSERTION_PATH, { status: 403, json: {} }, "FEED_SIGNER_REFUSED"],
    ["the companion's configuration lacks a part", CONFIG_PATH, { json: { clientId: "c" } }, "FEED_SIGNER_REFUSED"],
    ["the provider refuses the assertion", TOKEN_PATH, { status: 401, json: {} }, "FEED_TOKEN_REFUSED"],
    ["the companion refuses to pass it on", TOKEN_PATH, refusal, "FEED_REQUEST_INVALID"],
  ])("reports %s and recovers", async (_, path, answer, code) => {
    const good = answers[path] as Answering;
    answers[path] = answer;
    await page.session.connect();
    expect(page.session.state()).toMatchObject({ status: "failed", error: { code } });
    answers[path] = good;
    await page.session.connect();
    expect(page.session.state().status).toBe("connected");
  });

  const STEPS = [CONFIG_PATH, ASSERTION_PATH, TOKEN_PATH];
  it.each(STEPS)("stays disconnected when the user disconnects during the connection, at %s", async (path) => {
    const release = hold(path, path === TOKEN_PATH ? { json: { access_token: "t", expires_in: 300 } } : undefined);
    const connecting = page.session.connect();
    await until(() => requestsOf(path) === 1);
    page.session.disconnect();
    release();
    await connecting;
    await drain();
    expect(page.session.state().status).toBe("disconnected");
  });

  it("ignores the result of a superseded attempt", async () => {
    const release = hold(CONFIG_PATH, { status: 403, json: {} });
    const old = page.session.connect();
    await until(() => requestsOf(CONFIG_PATH) === 1);
    page.session.disconnect();
    answers[CONFIG_PATH] = { json: configuration };
    const recent = page.session.connect();
    release();
    await Promise.all([old, recent]);
    expect(page.session.state().status).toBe("connected");
    expect(statuses).not.toContain("failed");
  });

  it("stays connected when the companion refuses a bearer replaced by another window", async () => {
    const storage = page.storage();
    storage.setItem(PAIRING_STORAGE_KEY, "old");
    await page.session.connect();
    const events = ["a", "b"].map((id) => {
      const release = hold(`${COMPANY}${id}`, { ...refusal, status: 401 });
      return { release, codes: listen(id) };
    });
    await until(() => requestsOf(`${COMPANY}a`) + requestsOf(`${COMPANY}b`) === 2);
    storage.setItem(PAIRING_STORAGE_KEY, "new");
    events[0]?.release();
    await until(() => events[0]?.codes.at(-1) === "FEED_SIGNER_REFUSED");
    expect([page.session.state().status, page.session.pairing()]).toEqual(["connected", "kept"]);
    storage.setItem(PAIRING_STORAGE_KEY, "old");
    events[1]?.release();
    await until(() => events[1]?.codes.at(-1) === "FEED_SIGNER_REFUSED");
    expect([page.session.state().status, page.session.pairing()]).toEqual(["failed", "wanted"]);
  });

  it("exchanges a new token when the user connects again", async () => {
    await page.session.connect();
    await page.session.connect();
    expect(requestsOf(TOKEN_PATH)).toBe(2);
  });

  it("clears answers and token when the client changed, and refetches live queries", async () => {
    const events = listen("a");
    await until(() => events.includes("answered")).then(() => page.session.refresh());
    page.session.disconnect();
    await page.session.connect();
    expect([requestsOf(`${COMPANY}a`), page.session.changes.state().sinceMs]).toEqual([2, expect.any(Number)]);
    answers[CONFIG_PATH] = { json: { ...configuration, clientId: "client-2" } };
    page.session.disconnect();
    await page.session.connect();
    await until(() => requestsOf(`${COMPANY}a`) === 3 && events.at(-1) === "answered");
    const last = page.server.requests.filter(({ path }) => path === `${COMPANY}a`).at(-1);
    expect(last?.headers.authorization).toBe("Bearer token-3");
    expect([page.session.state().configuration?.clientId, page.session.changes.state().sinceMs]).toEqual([
      "client-2",
      null,
    ]);
  });

  it("notifies formulas and pane of changed settings without a request", async () => {
    const observed = listen("a");
    await until(() => observed.includes("answered"));
    const events: string[] = [];
    const leave = page.session.onSettings(() => events.push(`formula ${page.session.settings.dateSystem}`));
    page.session.onReread(() => events.push("today"));
    page.session.subscribe(() => events.push("pane"));
    page.session.change({ dateSystem: 1904 });
    page.session.change({ dateSystem: 1904, country: "JPN" });
    page.session.change({});
    page.session.change({ sheets: [{ name: "Ranking", template: "ranking" }] }); // no setting of formulas
    leave();
    page.session.change({ numberProperties: true });
    expect(events).toEqual(["formula 1904", "pane", "pane", "pane"]);
    expect(page.session.settings).toMatchObject({ dateSystem: 1904, numberProperties: true, country: "JPN" });
    expect(requestsOf(`${COMPANY}a`)).toBe(1);
  });

  it("refreshes everything at the chosen interval while connected", async () => {
    listen("a");
    await until(() => page.session.state().status === "connected" && requestsOf(`${COMPANY}a`) === 1);
    page.session.change({ refresh: toPolicies("every-5") });
    await page.clock.advance(5 * 60_000);
    await until(() => page.session.refreshing.state().last?.refetched === 1);
    expect(requestsOf(`${COMPANY}a`)).toBe(2);
    page.session.disconnect();
    expect(page.session.schedule.nextAtMs()).toBeNull();
    await page.clock.advance(10 * 60_000);
    expect(requestsOf(`${COMPANY}a`)).toBe(2);
  });

  it("ends a cell's wait at its deadline if the companion never answers, and leaves no timer", async () => {
    answers[CONFIG_PATH] = { raw: () => {} };
    const events = listen("a");
    await until(() => requestsOf(CONFIG_PATH) === 1);
    await drain();
    for (let second = 0; second < 31; second++) await page.clock.advance(1_000);
    expect(events).toEqual([expect.stringMatching(/^FEED_(SIGNER_UNREACHABLE|TIMED_OUT)$/)]);
    page.session.disconnect();
    page.session.feed.queryCache.close();
    for (let second = 0; second < 31; second++) await page.clock.advance(1_000);
    expect(page.clock.timers()).toBe(0);
  });
});
