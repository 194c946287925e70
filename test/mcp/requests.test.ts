import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type CodeIssuer, startCodeIssuer } from "../firm/sign-in/code-issuer";
import { createSignIn, type FirmCompanion, startFirm } from "../firm/sign-in/firm";

let issuer: CodeIssuer;
let firm: FirmCompanion;
let other: FirmCompanion;

beforeAll(async () => {
  issuer = await startCodeIssuer();
  firm = await startFirm(createSignIn(issuer.url));
  other = await startFirm(createSignIn(issuer.url, { audience: "https://other.example.com" }));
});
afterAll(async () => {
  await Promise.all([firm.app.close(), other.app.close()]);
  await issuer.close();
});

const ask = async (headers: Record<string, string> = {}, companion = firm) => {
  const authorization = `Bearer ${await issuer.issue("ada")}`;
  const sent = { accept: "text/event-stream", "mcp-session-id": "none", authorization, ...headers };
  return (await companion.send("GET", "/mcp", sent)).status;
};

describe("a request of an agent", () => {
  it("reaches the sessions by its person's token, which the companion has for no other service", async () => {
    expect([await ask(), await ask({}, other)]).toEqual([404, 401]);
  });

  it.each([
    [421, "to a rebound name", { host: "evil.example.com" }],
    [403, "of another site", { origin: "https://evil.example.com" }],
    [401, "with a forged token", { authorization: "Bearer e30.e30.e30" }],
    [401, "without one", { authorization: "" }],
  ])("is refused with %i %s", async (status, _what, headers) => {
    expect(await ask(headers as Record<string, string>)).toBe(status);
  });
});
