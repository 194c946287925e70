import { callCompanion } from "../companion";
import { loadConfiguration } from "../configuration";
import { SignerError } from "../errors";
import type { Connection, Http } from "../http";
import { toOwner } from "../owner";

/** A signed client assertion, ready for one exchange at the token endpoint (§5.2). */
export interface Assertion {
  clientId: string;
  /** The key it is signed with. */
  keyId: string;
  /** The signed JWT. */
  assertion: string;
}

/** An assertion as the companion hands it over. */
interface SignedAssertion extends Assertion {
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
  const { clientId, keyId, assertion, clockSkewMs } = await callCompanion(
    http,
    `${companionUrl}/companion/assertion${query}`,
    "POST",
  );
  if (typeof clientId !== "string" || typeof keyId !== "string" || typeof assertion !== "string") {
    throw new SignerError("FEED_SIGNER_REFUSED", "the companion's answer holds no assertion; restart the companion");
  }
  return { clientId, keyId, assertion, clockSkewMs: Number.isFinite(clockSkewMs) ? Number(clockSkewMs) : 0 };
}

/** That the companion is to sign, or has signed. */
export interface SigningEvent {
  type: "signing";
  /** Whether it is not the first signature for a connection. */
  isRenewal: boolean;
  /** Once it has signed. */
  clockSkewMs?: SignedAssertion["clockSkewMs"];
}

interface SignerOptions {
  http: Http;
  companionUrl: string;
  connection: () => Promise<Pick<Connection, "owner">>;
  onEvent: (event: SigningEvent) => void;
}

/** Makes what has the companion sign for each exchange, a renewal only where it still serves the same client. */
export function createSigner({ http, companionUrl, connection, onEvent }: SignerOptions) {
  return async (refusedKeyId?: string): Promise<Assertion> => {
    const { owner } = await connection();
    const event: SigningEvent = { type: "signing", isRenewal: owner !== undefined };
    onEvent(event);
    if (owner !== undefined) await assertSameClient(http, companionUrl, owner);
    const { clockSkewMs, ...assertion } = await loadAssertion(http, companionUrl, refusedKeyId);
    onEvent({ ...event, clockSkewMs });
    return assertion;
  };
}

/**
 * A companion that was started anew may serve another provider, whose figures would pass for those of before.
 *
 * @throws SignerError (FEED_SIGNER_REFUSED)
 */
async function assertSameClient(http: Http, companionUrl: string, owner: string): Promise<void> {
  if (toOwner(await loadConfiguration(http, companionUrl)) === owner) return;
  throw new SignerError(
    "FEED_SIGNER_REFUSED",
    "the companion serves another provider or client than before; connect again in the FEED pane",
  );
}
