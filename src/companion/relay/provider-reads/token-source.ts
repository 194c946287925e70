import { isKeyRefusal } from "../../client";
import type { Provider } from "../../provider";
import type { Asker, Declined, Held, HeldToken } from "../held-token";

/** A provider that gives no token, or takes none, is not asked for another with every read. */
const ASK_AGAIN_MS = 5000;

/** The token as reads and panes take it, whatever the provider said of the last one. */
export interface TokenSource {
  /**
   * Gives the token of a provider.
   * @param isPane Whether a pane exchanges: once it has heard of the clock by a refusal, another exchange may do better.
   * @throws Error of the signer.
   */
  load(provider: Provider, asker: Asker, isPane?: boolean): Promise<Held | Declined>;
  /** Takes in that the provider refused a token, and tells whether a read is worth another try. */
  drop(refused: Held, provider: Provider): boolean;
}

export function createTokenSource(token: HeldToken, nowMs: () => number): TokenSource {
  let declined: { provider: Provider; result: Declined; untilMs: number } | undefined;
  let droppedAtMs = Number.NEGATIVE_INFINITY;
  let triedAgainAtMs = Number.NEGATIVE_INFINITY;
  const mayTryAgain = ({ status }: Declined) => {
    if (!isKeyRefusal(status) || nowMs() - triedAgainAtMs < ASK_AGAIN_MS) return false;
    triedAgainAtMs = nowMs();
    return true;
  };
  return {
    async load(provider, asker, isPane = false) {
      const last = declined?.provider === provider && nowMs() < declined.untilMs ? declined.result : undefined;
      // A pane's exchange may have given one since, and the last one may not have ended.
      if (last !== undefined && !(isPane && mayTryAgain(last))) return token.find(provider) ?? last;
      const result = await token.load(asker);
      if ("token" in result) {
        declined = undefined;
        triedAgainAtMs = Number.NEGATIVE_INFINITY;
        return result;
      }
      declined = { provider, result, untilMs: nowMs() + Math.max(ASK_AGAIN_MS, result.waitMs ?? 0) };
      return token.find(provider) ?? result;
    },
    drop(refused, provider) {
      if (token.find(provider) !== refused) return true;
      if (nowMs() - droppedAtMs < ASK_AGAIN_MS) return false;
      droppedAtMs = nowMs();
      token.drop(refused);
      return true;
    },
  };
}
