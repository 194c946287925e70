import { loadAssertion, type SignedAssertion } from "../client/auth/assertion";
import { SignerError } from "../client/errors";
import type { Http } from "../client/http";
import { type Configuration, loadConfiguration } from "./configuration";
import type { JourneyLog } from "./journey";
import { toOwner } from "./owner";

/** Where the session's assertions come from. */
export interface Signing {
  /**
   * Has the companion sign an assertion.
   *
   * @throws SignerError (FEED_SIGNER_UNREACHABLE, FEED_SIGNER_REFUSED)
   */
  sign(http: Http, refusedKeyId?: string): Promise<SignedAssertion>;
  /** How far the companion's clock is ahead of the provider's, as its last answer told; 0 unless it is off. */
  clockSkewMs(): number;
}

interface SigningOptions {
  companionUrl: string;
  journey: Pick<JourneyLog, "enter">;
  /** How the session stands, as SessionState tells it. */
  state: () => { status: string; configuration: Configuration | null };
  /** Is called when the companion's clock is off by another time. */
  notify: () => void;
}

/** Makes what has assertions signed, tells the journey of it while a person watches, and keeps how far the clock is off. */
export function createSigning({ companionUrl, journey, state, notify }: SigningOptions): Signing {
  // A renewal in the background is no part of the connection that the user watches.
  const isWatched = () => state().status === "connecting";
  let skewMs = 0;
  return {
    clockSkewMs: () => skewMs,
    async sign(http, refusedKeyId) {
      const wasWatched = isWatched();
      if (wasWatched) journey.enter("assertion");
      else await assertSameClient(state().configuration, companionUrl, http);
      const signed = await loadAssertion(http, companionUrl, refusedKeyId);
      if (signed.clockSkewMs !== skewMs) {
        skewMs = signed.clockSkewMs;
        notify();
      }
      if (wasWatched && isWatched()) journey.enter("token");
      return signed;
    },
  };
}

/**
 * A companion that was started anew may serve another provider, whose figures would pass for those of before.
 *
 * @throws SignerError (FEED_SIGNER_REFUSED)
 */
async function assertSameClient(known: Configuration | null, companionUrl: string, http: Http): Promise<void> {
  if (known === null || toOwner(await loadConfiguration(http, companionUrl)) === toOwner(known)) return;
  throw new SignerError(
    "FEED_SIGNER_REFUSED",
    "the companion serves another provider or client than before; connect again in the FEED pane",
  );
}
