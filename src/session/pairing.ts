import { isBearer, type PairingStore } from "../client/auth/pairing-store";
import { callCompanion } from "../client/companion";
import { needsPairing, SignerError } from "../client/errors";
import type { Http } from "../client/http";
import { msg } from "../client/messages";

/**
 * Whether the companion knows this page: "wanted" while it requires a code, "passing" where the browser stores nothing
 * and the pairing ends with the page.
 */
export type PairingStatus = "none" | "wanted" | "kept" | "passing";

/** The page's pairing with the companion, which all windows of the origin share. */
export interface Pairing {
  status(): PairingStatus;
  /** Records whether the companion requires a code. */
  want(isWanted: boolean): void;
  /**
   * Exchanges a code from the companion's terminal for a bearer.
   *
   * @throws SignerError (FEED_SIGNER_REFUSED, FEED_SIGNER_UNREACHABLE), RequestError (FEED_RATE_LIMITED)
   */
  pair(http: Http, companionUrl: string, code: string): Promise<void>;
  /**
   * Ends the pairing, at the companion first.
   *
   * @throws SignerError (FEED_SIGNER_UNREACHABLE)
   */
  unpair(http: Http, companionUrl: string): Promise<void>;
}

const PATH = "/companion/pairing";

export function createPairing(store: PairingStore): Pairing {
  let isWanted = false;
  return {
    status() {
      if (isWanted) return "wanted";
      if (store.isOfPage()) return "passing";
      return store.read() === null ? "none" : "kept";
    },
    want(wanted) {
      isWanted = wanted;
    },
    async pair(http, companionUrl, code) {
      const { bearer } = await callCompanion(http, companionUrl + PATH, "POST", { code });
      if (!isBearer(bearer)) {
        throw new SignerError(
          "FEED_SIGNER_REFUSED",
          msg`the companion's answer holds no pairing; restart the companion`,
        );
      }
      store.write(bearer);
    },
    async unpair(http, companionUrl) {
      try {
        await callCompanion(http, companionUrl + PATH, "DELETE");
      } catch (error) {
        if (!needsPairing(error)) throw error; // else the pairing has ended already
      }
      store.remove();
      isWanted = false;
    },
  };
}

/**
 * The prefix of keys in the origin's storage. Office gives one on the web, for each top-level site (Microsoft Learn,
 * "Persist add-in state and settings"); it is empty elsewhere. Office knows it once it is ready.
 */
export const readPartition = (): string =>
  typeof Office === "undefined" ? "" : ((Office.context?.partitionKey as string | undefined) ?? "");
