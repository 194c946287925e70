import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";

const signAsync = promisify(
  (key: KeyObject, bytes: Uint8Array, done: (error: Error | null, signature: Buffer) => void) =>
    sign("sha256", bytes, key, done),
);

/** A signer that could not sign, in a sentence without secrets: whoever asked may read it. */
export class SignerFailure extends Error {
  override readonly name = "SignerFailure";
}

/** One private key that signs and is never shown: a file's, or one that a program, a card or a service keeps. */
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

/** Creates the signer of a private key that this program holds itself. */
export function createKeySigner(keyId: string, privateKey: KeyObject): Signer {
  return {
    keyId,
    publicKey: createPublicKey(privateKey),
    sign: (bytes) => signAsync(privateKey, bytes),
  };
}
