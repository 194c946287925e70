import { callCompanion } from "../companion";
import { loadConfiguration } from "../configuration";
import { SignerError } from "../errors";
import type { Connection, Http } from "../http";
import { msg } from "../messages";
import { toOwner } from "../owner";

/** A signed client assertion, ready for one exchange at the token endpoint (§5.2). */
export interface Assertion {
  clientId: string;
  /** The key that signed it. */
  keyId: string;
  /** The signed JWT. */
  assertion: string;
}

/** The companion's answer. */
interface SignedAssertion extends Assertion {
  /**
   * How far the companion's clock is ahead of the provider's, in milliseconds; negative where it is behind, 0 where
   * both agree.
   */
  clockSkewMs: number;
}

/**
 * Has the companion sign a client assertion. The companion's own configuration says for whom and with which keys.
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
    throw new SignerError("FEED_SIGNER_REFUSED", msg`the companion's answer holds no assertion; restart the companion`);
  }
  return { clientId, keyId, assertion, clockSkewMs: Number.isFinite(clockSkewMs) ? Number(clockSkewMs) : 0 };
}

/** The companion is about to sign, or has signed. */
export interface SigningEvent {
  type: "signing";
  /** Whether this page has signed before. */
  isRenewal: boolean;
  /** Present once it has signed. */
  clockSkewMs?: SignedAssertion["clockSkewMs"];
}

interface SignerOptions {
  http: Http;
  companionUrl: string;
  connection: () => Promise<Pick<Connection, "owner">>;
  onEvent: (event: SigningEvent) => void;
}

/** Creates the function that has the companion sign for each exchange; a renewal requires the same client as before. */
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
 * Refuses a companion that serves another provider now: its figures would mix with the former ones.
 * @throws SignerError (FEED_SIGNER_REFUSED)
 */
async function assertSameClient(http: Http, companionUrl: string, owner: string): Promise<void> {
  if (toOwner(await loadConfiguration(http, companionUrl)) === owner) return;
  throw new SignerError(
    "FEED_SIGNER_REFUSED",
    msg`the companion serves another provider or client than before; connect again in the FEED pane`,
  );
}
