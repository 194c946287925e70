import { askCompanion } from "../client/companion";
import { needsPairing, SignerError } from "../client/errors";
import type { Http } from "../client/http";
import type { Ports } from "../client/ports";
import { PAIRING_STORAGE_KEY } from "../contract/companion-api";

/**
 * Whether the companion knows this page: "wanted" while it asks for a code, "passing" where the browser keeps nothing and
 * the pairing ends with the page.
 */
export type PairingStatus = "none" | "wanted" | "kept" | "passing";

/** The page's pairing with the companion, which all windows of the origin share. */
export interface Pairing {
  status(): PairingStatus;
  /** The bearer, which is shown to nobody but the companion; null where there is none. */
  bearer(): string | null;
  /** Tells whether the companion last asked for a code. */
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
/** Base64url, as the companion makes it: whatever else stands in the storage is no header's value. */
const BEARER = /^[\w-]+$/;

export function createPairing({ storage }: Ports): Pairing {
  const persisted = createPersistedBearer(storage);
  let isWanted = false;
  return {
    bearer: persisted.read,
    status() {
      if (isWanted) return "wanted";
      if (persisted.isPassing()) return "passing";
      return persisted.read() === null ? "none" : "kept";
    },
    want(wanted) {
      isWanted = wanted;
    },
    async pair(http, companionUrl, code) {
      const { bearer } = await askCompanion(http, companionUrl + PATH, "POST", { code });
      if (typeof bearer !== "string" || !BEARER.test(bearer)) {
        throw new SignerError("FEED_SIGNER_REFUSED", "the companion's answer holds no pairing; restart the companion");
      }
      persisted.keep(bearer);
    },
    async unpair(http, companionUrl) {
      try {
        await askCompanion(http, companionUrl + PATH, "DELETE");
      } catch (error) {
        if (!needsPairing(error)) throw error; // else it has ended before
      }
      persisted.drop();
      isWanted = false;
    },
  };
}

/** The bearer in the origin's storage, or in this page alone where that is blocked or full. */
function createPersistedBearer(storage: Ports["storage"]) {
  let passing: string | null = null;
  return {
    isPassing: () => passing !== null,
    read(): string | null {
      if (passing !== null) return passing;
      try {
        const found = storage().getItem(PAIRING_STORAGE_KEY) ?? "";
        return BEARER.test(found) ? found : null;
      } catch {
        return null;
      }
    },
    keep(bearer: string) {
      try {
        storage().setItem(PAIRING_STORAGE_KEY, bearer);
        passing = null;
      } catch {
        passing = bearer;
      }
    },
    drop() {
      passing = null;
      try {
        storage().removeItem(PAIRING_STORAGE_KEY);
      } catch {
        // nothing was kept
      }
    },
  };
}
