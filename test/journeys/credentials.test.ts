import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { createPorts } from "../../src/client/ports";
import { HELD } from "../../src/contract/companion-api";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";

/** From the pane to a token, by the files of the second journey in src/README.md. */
describe("the credentials", () => {
  let companion: RunningCompanion;
  let session: Session;
  let sent: { url: string; init: RequestInit }[];

  beforeAll(async () => {
    companion = await startCompanion({ companies: 400 });
  });
  beforeEach(() => {
    companion.controls.reset();
    sent = [];
    const ports = createPorts();
    const recording: typeof fetch = (url, init = {}) => {
      sent.push({ url: String(url), init });
      return ports.fetch(url, init);
    };
    session = createSession({ ports: { ...ports, fetch: recording }, companionUrl: companion.origin });
  });
  afterEach(() => session.feed.queryCache.close());
  afterAll(() => companion.close());

  it("lead from the companion's signature to a bearer token in the page's memory", async () => {
    const steps: string[] = [];
    session.subscribe(() => steps.push(session.state().status));
    await session.connect();
    expect([steps[0], steps.at(-1)]).toEqual(["connecting", "connected"]);
    expect(session.state().configuration).toMatchObject({ sample: true, transport: "proxy" });
    expect(sent.map(({ url }) => url.slice(companion.origin.length))).toEqual([
      "/companion/config",
      "/companion/assertion",
      "/companion/relay/token",
    ]);
    expect(companion.controls.requests.map(({ operationId, status }) => [operationId, status])).toEqual([
      ["createToken", 200],
    ]);
  });

  it("are for the configured client alone; the signer gets no claims", async () => {
    await session.connect();
    expect(sent[1]?.init.body).toBe("{}");
    const form = new URLSearchParams(String(sent[2]?.init.body));
    const assertion = form.get("client_assertion") ?? "";
    const { configuration } = session.state();
    expect(decodeProtectedHeader(assertion)).toMatchObject({ alg: "RS256", typ: "JWT", kid: configuration?.keyId });
    const claims = decodeJwt(assertion);
    expect(claims).toMatchObject({
      iss: configuration?.clientId,
      sub: configuration?.clientId,
      aud: configuration?.tokenUrl,
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
    expect(form.get("grant_type")).toBe("client_credentials");
  });

  it("include a second, fresh assertion if the first is refused, and then the reason", async () => {
    companion.controls.answers.createToken = { status: 401, times: Number.POSITIVE_INFINITY };
    await session.connect();
    expect(session.state()).toMatchObject({ status: "failed", error: { code: "FEED_TOKEN_REFUSED" } });
    const assertions = sent
      .filter(({ url }) => url.endsWith("/token"))
      .map(({ init }) => decodeJwt(new URLSearchParams(String(init.body)).get("client_assertion") ?? "").jti);
    expect(assertions).toHaveLength(2);
    expect(new Set(assertions).size).toBe(2);
  });
});

/** The pane takes the same steps; placeholders replace what it would have to store. */
describe("the credentials in relay mode", () => {
  const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
  let provider: RunningProvider;
  let companion: RunningCompanion;
  let session: Session;
  let sent: { path: string; said: string; authorization: string | undefined; received: string }[];

  beforeAll(async () => {
    provider = await startSandbox({ companies: 20 });
    companion = await startCompanion({ provider, mode: "relay" });
  });
  beforeEach(() => {
    sent = [];
    const ports = createPorts();
    const recording: typeof fetch = async (url, init = {}) => {
      const response = await ports.fetch(url, init);
      const { authorization } = init.headers as Record<string, string>;
      const received = await response.clone().text();
      sent.push({ path: new URL(String(url)).pathname, said: String(init.body ?? ""), authorization, received });
      return response;
    };
    session = createSession({
      ports: { ...ports, fetch: recording, storage: createStorage() },
      companionUrl: companion.origin,
    });
  });
  afterEach(() => {
    session.feed.queryCache.close();
    provider.controls.reset();
  });
  afterAll(() => Promise.all([companion.close(), provider.close()]));

  const rank = (rows = 5) => awaitAnswer(session.feed, session.feed.rankings.queryCompanies(RANGE, rows));

  it("take the same steps and read the same data, without assertion or token in the page", async () => {
    await session.pair(await companion.pairings.issueSent());
    expect(session.state()).toMatchObject({ status: "connected", configuration: { mode: "relay", sample: false } });
    expect(await rank()).toBeDefined();
    expect(sent.map(({ path }) => path)).toEqual([
      "/companion/pairing",
      "/companion/config",
      "/companion/assertion",
      "/companion/relay/token",
      "/companion/relay/japan/ranking/v1/companies",
    ]);
    const [, , assertion, token, read] = sent;
    expect(JSON.parse(assertion?.received ?? "")).toMatchObject({ assertion: HELD });
    expect(JSON.parse(token?.received ?? "")).toMatchObject({ access_token: HELD, token_type: "bearer" });
    expect(read?.authorization).toBe(`Bearer ${HELD}`);
    const all = sent.map(({ said, received }) => said + received).join(" ");
    expect(all).not.toMatch(/[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/);
  });

  it("are renewed by the companion when the provider refuses its token, and the read succeeds", async () => {
    await session.pair(await companion.pairings.issueSent());
    const before = provider.controls.count("createToken");
    provider.controls.answers.rankCompanies = { status: 401, times: 1 };
    expect(await rank(2000)).toBeDefined(); // pages that were not read before
    expect(provider.controls.count("createToken") - before).toBe(1);
  });

  it("fail with the provider's own words when it refuses the client", async () => {
    const other = await startCompanion({ provider: { ...provider, kid: "unknown-key" }, mode: "relay" });
    const ports = { ...createPorts(), storage: createStorage() };
    const refused = createSession({ ports, companionUrl: other.origin });
    await refused.pair(await other.pairings.issueSent());
    expect(refused.state()).toMatchObject({
      status: "failed",
      error: { code: "FEED_TOKEN_REFUSED", message: expect.stringContaining('key "unknown-key"') },
    });
    refused.feed.queryCache.close();
    await other.close();
  });
});
