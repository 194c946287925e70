import { randomUUID } from "node:crypto";
import { base64url } from "jose";
import type { Signer } from "./signer";

const LIFETIME_SECONDS = 60;

/** A signed client assertion, and what of it may be logged. */
interface Assertion {
  /** The JWT: a secret until it has expired. */
  assertion: string;
  keyId: string;
  jti: string;
}

/**
 * Signs a fresh client assertion (§5.2): valid for 60 seconds, under an id that was never used before.
 * @param tokenUrl The address of the token endpoint, which is the audience.
 * @param nowMs Milliseconds since 1970.
 * @throws Error of the signer.
 */
export async function signAssertion(
  clientId: string,
  signer: Signer,
  tokenUrl: string,
  nowMs: number,
): Promise<Assertion> {
  const { keyId } = signer;
  const jti = randomUUID();
  const iat = Math.floor(nowMs / 1000);
  const header = { alg: "RS256", typ: "JWT", kid: keyId };
  const claims = { iss: clientId, sub: clientId, aud: tokenUrl, iat, exp: iat + LIFETIME_SECONDS, jti };
  const input = `${toPart(header)}.${toPart(claims)}`;
  const signature = await signer.sign(new TextEncoder().encode(input));
  return { assertion: `${input}.${base64url.encode(signature)}`, keyId, jti };
}

/** jose wants the key itself, and a signer may have it where no program reads it. */
const toPart = (value: object): string => base64url.encode(JSON.stringify(value));
