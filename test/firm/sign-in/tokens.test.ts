import { createHmac, createSecretKey, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { SignJWT } from "jose";
import { makeSecret, type Pairing } from "../../../src/companion/api/pairing";
import { createPairingTokens, readPairingKey } from "../../../src/firm/sign-in/tokens";
import { privateKey } from "../../companion/test-configuration";

const KEY = makeSecret();
const PAIRING: Pairing = {
  id: "0123456789ab",
  origin: "https://feed.example.com",
  provider: "https://provider.example.com",
  pairedAtMs: 1,
  person: { id: "https://login.example.com ada", name: "Ada 花子", roles: ["analyst"] },
  endsAtMs: 2,
};
const tokens = createPairingTokens(KEY);
const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("what a page holds after signing in", () => {
  it("is read by every instance with the same key, whole", async () => {
    const token = await tokens.sign(PAIRING);
    for (const each of [tokens, createPairingTokens(KEY)]) expect(await each.read(token)).toEqual(PAIRING);
  });

  it("has the form that pages take, base64url", async () => {
    expect(await tokens.sign(PAIRING)).toMatch(/^[\w-]+$/);
  });

  it("is nothing to another key", async () => {
    expect(await createPairingTokens().read(await tokens.sign(PAIRING))).toBeUndefined();
  });

  it("is nothing after any change: of person, roles, origin, provider, end or signature", async () => {
    const token = await tokens.sign(PAIRING);
    const signature = token.slice(-43);
    const { person } = PAIRING;
    const changed: Partial<Pairing>[] = [
      { person: { ...person!, id: "https://login.example.com bob" } },
      { person: { ...person!, roles: ["analyst", "admin"] } },
      { origin: "https://other.example.com" },
      { provider: "sample" },
      { endsAtMs: 3 },
    ];
    for (const change of changed)
      expect(await tokens.read(`${toPart({ ...PAIRING, ...change })}${signature}`)).toBeUndefined();
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === "A" ? "B" : "A";
      const read = await tokens.read(`${token.slice(0, at)}${other}${token.slice(at + 1)}`);
      // The last character of a signature has bits that mean nothing.
      if (at < token.length - 1) expect(read).toBeUndefined();
    }
  });

  it("is nothing if it is signed in another way, by another form of the key, or not at all", async () => {
    const key = createSecretKey(KEY, "base64url");
    const input = `${toPart({ alg: "HS256" })}.${toPart(PAIRING)}`;
    const signed = [
      createHmac("sha512", key).update(input).digest("base64url"),
      createHmac("sha256", KEY).update(input).digest("base64url"),
      sign("sha256", Buffer.from(input), privateKey).toString("base64url"),
      "",
    ];
    for (const signature of signed) expect(await tokens.read(`${toPart(PAIRING)}${signature}`)).toBeUndefined();
    const whole = await new SignJWT({ ...PAIRING }).setProtectedHeader({ alg: "HS384" }).sign(Buffer.alloc(48, KEY));
    for (const text of [whole, whole.replaceAll(".", ""), makeSecret(), "", "."]) {
      expect(await tokens.read(text)).toBeUndefined();
    }
  });

  it("is nothing if the key signed something else", async () => {
    const other = await tokens.sign({ id: "0123456789ab" } as Pairing);
    expect(await tokens.read(other)).toBeUndefined();
  });
});

describe("the key of sign-ins", () => {
  const folder = mkdtempSync(join(tmpdir(), "feed-sign-in-key-"));
  const path = join(folder, "sign-in.key");
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is what keygen wrote", () => {
    writeFileSync(path, `${KEY}\n`, { mode: 0o600 });
    expect(readPairingKey(path)).toBe(KEY);
  });

  it.each([
    ["nothing", ""],
    ["a short word", "secret"],
    ["the provider's key", privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
  ])("is not %s", (_what, text) => {
    writeFileSync(path, text, { mode: 0o600 });
    expect(() => readPairingKey(path)).toThrow(
      /holds no key of sign-ins. Make one, for all instances: .*keygen --sign-in$/,
    );
  });
});
