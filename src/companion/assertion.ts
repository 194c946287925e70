import { type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";

const LIFETIME_SECONDS = 60;

/** Who signs: what the provider issued at registration, and the key it knows the public half of. */
export interface Signer {
  clientId: string;
  keyId: string;
  privateKey: KeyObject;
}

/**
 * Signs a fresh client assertion (§5.2): valid for 60 seconds, under an id that was never used before.
 * @param tokenUrl The address of the token endpoint, which is the audience.
 * @param nowMs Milliseconds since 1970.
 */
export function signAssertion(signer: Signer, tokenUrl: string, nowMs: number): Promise<string> {
  const issuedAtSeconds = Math.floor(nowMs / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: signer.keyId })
    .setIssuer(signer.clientId)
    .setSubject(signer.clientId)
    .setAudience(tokenUrl)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(issuedAtSeconds + LIFETIME_SECONDS)
    .setJti(randomUUID())
    .sign(signer.privateKey);
}
