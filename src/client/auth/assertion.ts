import { askCompanion } from "../companion";
import { SignerError } from "../errors";
import type { Http } from "../http";

/** A signed client assertion, ready for one exchange at the token endpoint (§5.2). */
export interface Assertion {
  clientId: string;
  /** The key it is signed with. */
  keyId: string;
  /** The signed JWT. */
  assertion: string;
}

/** An assertion as the companion hands it over. */
export interface SignedAssertion extends Assertion {
  /** How far the companion's clock is ahead of the provider's, in milliseconds, negative where it is behind; 0 unless it is off. */
  clockSkewMs: number;
}

/**
 * Asks the companion to sign a client assertion. What is signed, for whom and with which keys is the companion's
 * own configuration; the request says at most which key did not serve.
 *
 * @param companionUrl origin of the companion
 * @param refusedKeyId the key that the provider has just refused: another one signs, while keys are changed
 * @throws SignerError (FEED_SIGNER_UNREACHABLE, FEED_SIGNER_REFUSED)
 */
export async function loadAssertion(http: Http, companionUrl: string, refusedKeyId?: string): Promise<SignedAssertion> {
  const query = refusedKeyId === undefined ? "" : `?refused=${encodeURIComponent(refusedKeyId)}`;
  const { clientId, keyId, assertion, clockSkewMs } = await askCompanion(
    http,
    `${companionUrl}/companion/assertion${query}`,
    "POST",
  );
  if (typeof clientId !== "string" || typeof keyId !== "string" || typeof assertion !== "string") {
    throw new SignerError("FEED_SIGNER_REFUSED", "the companion's answer holds no assertion; restart the companion");
  }
  return { clientId, keyId, assertion, clockSkewMs: Number.isFinite(clockSkewMs) ? Number(clockSkewMs) : 0 };
}
