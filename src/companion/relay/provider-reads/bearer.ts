import type { FastifyBaseLogger } from "fastify";
import type { Provider } from "../../provider";
import type { Declined, Held, HeldToken } from "../held-token";
import { readRetryAfterMs } from "./retry-after";

/** A provider that gives no token, or takes none, is not asked for another with every read. */
const HOLD_MS = 5000;

/** The token as reads take it, which nobody has asked for before. */
export interface Bearer {
  /**
   * Gives the token of a provider.
   * @throws Error of the signer.
   */
  load(provider: Provider): Promise<Held | Declined>;
  /** Takes in that the provider refused a token, and tells whether a read is worth another try. */
  drop(refused: Held, provider: Provider): boolean;
}

export function createBearer(token: HeldToken, log: FastifyBaseLogger, nowMs: () => number): Bearer {
  let declined: { provider: Provider; result: Declined; untilMs: number } | undefined;
  let droppedAtMs = Number.NEGATIVE_INFINITY;
  return {
    async load(provider) {
      const isHeldBack = declined?.provider === provider && nowMs() < declined.untilMs;
      const result = isHeldBack ? declined!.result : await token.load({ log, pairing: "all" });
      if ("token" in result) return result;
      const waitMs = readRetryAfterMs({ "retry-after": result.retryAfter ?? "" }, result.dateMs ?? nowMs());
      if (!isHeldBack) declined = { provider, result, untilMs: nowMs() + Math.max(HOLD_MS, waitMs ?? 0) };
      // Somebody's own exchange may have given one since, and the last one may not have ended.
      return token.find(provider) ?? result;
    },
    drop(refused, provider) {
      if (token.find(provider) !== refused) return true;
      if (nowMs() - droppedAtMs < HOLD_MS) return false;
      droppedAtMs = nowMs();
      token.drop(refused);
      return true;
    },
  };
}
