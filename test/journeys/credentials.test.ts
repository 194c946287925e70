import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { createPorts } from "../../src/feed/ports";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";

/** From the pane to a token, by the files that src/README.md names in the second journey. */
describe("the journey of the credentials", () => {
  let companion: RunningCompanion;
  let session: Session;
  let sent: { url: string; init: RequestInit }[];

  beforeAll(async () => {
    companion = await startCompanion();
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
  afterEach(() => session.feed.watch.close());
  afterAll(() => companion.close());

  it("goes from the companion's signature to a bearer token in the page's memory", async () => {
    const steps: string[] = [];
    session.subscribe(() => steps.push(session.state().status));
    await session.connect();
    expect([steps[0], steps.at(-1)]).toEqual(["connecting", "connected"]);
    expect(sent.map(({ url }) => url.slice(companion.origin.length))).toEqual([
      "/companion/config",
      "/companion/assertion",
      "/companion/relay/token",
    ]);
    expect(companion.controls.requests.map(({ operationId, status }) => [operationId, status])).toEqual([
      ["createToken", 200],
    ]);
  });

  it("says nothing to the signer and gets an assertion for the configured client alone", async () => {
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

  it("tells the pane that the data is sample data", async () => {
    await session.connect();
    expect(session.state().configuration).toMatchObject({ sample: true, transport: "proxy" });
  });

  it("takes a second, fresh assertion when the first is refused, and then says why", async () => {
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
