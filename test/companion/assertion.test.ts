import { describe, expect, it } from "@jest/globals";
import { jwtVerify } from "jose";
import { createKeySigner, signAssertion } from "../../src/companion/assertion";
import { pickSigner } from "../../src/companion/client";
import { privateKey, publicKey } from "./test-configuration";

const signer = createKeySigner("kid-1", privateKey);
const TOKEN_URL = "https://feed.example.com/token";
const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

const verify = (assertion: string) =>
  jwtVerify(assertion, publicKey, { algorithms: ["RS256"], currentDate: new Date(NOW_MS) });

const sign = () => signAssertion("client-1", signer, TOKEN_URL, NOW_MS);

describe("a client assertion", () => {
  it("holds the claims of §5.2 and no other, for one minute", async () => {
    const { payload, protectedHeader } = await verify((await sign()).assertion);
    const issuedAtSeconds = Math.floor(NOW_MS / 1000);
    expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT", kid: "kid-1" });
    expect(payload).toEqual({
      iss: "client-1",
      sub: "client-1",
      aud: TOKEN_URL,
      iat: issuedAtSeconds,
      exp: issuedAtSeconds + 60,
      jti: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
  });

  it("has a new id each time", async () => {
    const assertions = await Promise.all(Array.from({ length: 50 }, sign));
    const ids = await Promise.all(assertions.map(async ({ assertion }) => (await verify(assertion)).payload.jti));
    expect(new Set(ids).size).toBe(50);
  });
});

const newest = createKeySigner("kid-2", privateKey);
const previous = createKeySigner("kid-1", privateKey);

describe("the signing key", () => {
  it.each([
    ["nothing was refused", undefined, newest],
    ["the newest was refused", "kid-2", previous],
    ["the previous one was refused", "kid-1", newest],
    ["a key was refused that is none of them", "kid-0", newest],
  ])("of two is the right one when %s", (_, refusedKeyId, expected) => {
    expect(pickSigner({ clientId: "client-1", signers: [newest, previous] }, refusedKeyId)).toBe(expected);
  });

  it.each([[undefined], ["kid-2"]])("is the only one, when %p was refused", (refusedKeyId) => {
    expect(pickSigner({ clientId: "client-1", signers: [newest] }, refusedKeyId)).toBe(newest);
  });
});
