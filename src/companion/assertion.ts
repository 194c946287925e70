import { createPublicKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { promisify } from "node:util";
import { base64url } from "jose";

const LIFETIME_SECONDS = 60;

/** A signed client assertion, with its facts for the log. */
interface Assertion {
  /** The JWT: a secret until it has expired. */
  assertion: string;
  keyId: string;
  jti: string;
}

/**
 * Signs a fresh client assertion (§5.2): valid for 60 seconds, with a new id.
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

/** Encoded here since jose needs the key itself, which a signer may not have. */
const toPart = (value: object): string => base64url.encode(JSON.stringify(value));

const signAsync = promisify(
  (key: KeyObject, bytes: Uint8Array, done: (error: Error | null, signature: Buffer) => void) =>
    sign("sha256", bytes, key, done),
);

/** A signer's failure, in a sentence without secrets, since any caller may read it. */
export class SignerFailure extends Error {
  override readonly name = "SignerFailure";
}

/** One private key that signs: in a file, or in a program, a card or a service. */
export interface Signer {
  /** The key identifier (kid) that the provider issued for its public half (§5.1). */
  keyId: string;
  publicKey: KeyObject;
  /**
   * Signs as RS256 does: RSASSA-PKCS1-v1_5 over the SHA-256 of the bytes.
   * @throws SignerFailure
   */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Creates the signer of a private key that this program holds. */
export function createKeySigner(keyId: string, privateKey: KeyObject): Signer {
  return {
    keyId,
    publicKey: createPublicKey(privateKey),
    sign: (bytes) => signAsync(privateKey, bytes),
  };
}
