import { callCompanion } from "../client/companion";
import { SignerError } from "../client/errors";
import type { Http } from "../client/http";
import { msg } from "../client/messages";

/** The public half of a key that was made in the companion. */
export interface CompanionKey {
  /** RFC 7638, of the public key. */
  thumbprint: string;
  /** PEM (SPKI), as providers ask for it. */
  publicKeyPem: string;
  /** Size of its modulus. */
  bits: number;
  /** ISO 8601. */
  createdAt: string;
  /** The provider's name for it; null while it is unused. */
  keyId: string | null;
  use: "signing" | "previous" | "unused";
}

/** The provider and client of a person's set-up. */
interface WantedClient {
  baseUrl: string;
  clientId: string;
  keyId: string;
  /** Of the signing key; default the newest unused one, else the present one. */
  thumbprint?: string;
}

/**
 * Sets the person's own companion up. Every call but moveSample requires a pairing, also while sample data needs none.
 *
 * @throws SignerError (FEED_SIGNER_UNREACHABLE, FEED_SIGNER_REFUSED), RequestError (FEED_REQUEST_INVALID with
 *   `facts.mistakes`, FEED_RATE_LIMITED) by each call
 */
export interface SetUp {
  /** Lists the companion's keys, the newest first. */
  listKeys(): Promise<readonly CompanionKey[]>;
  createKey(): Promise<CompanionKey>;
  /** Sets provider and client, and connects; an error of that is in the session's state. */
  change(wanted: WantedClient): Promise<void>;
  /** Returns to sample data, and connects; the keys stay. */
  returnToSample(): Promise<void>;
  /** Moves the sample data on by a week, or back to the present one, and connects. */
  moveSample(direction: "on" | "back"): Promise<void>;
}

const CONFIG = "/companion/config";
const KEYS = "/companion/keys";
const WEEK = "/companion/sample/week";

/** @param reconnect repeats all steps, since the provider may have changed */
export function createSetUp(http: Http, companionUrl: string, reconnect: () => Promise<void>): SetUp {
  return {
    async listKeys() {
      const { keys } = await callCompanion(http, companionUrl + KEYS, "GET");
      if (!Array.isArray(keys)) throw toMisfit();
      return keys.map(decodeKey);
    },
    createKey: async () => decodeKey(await callCompanion(http, companionUrl + KEYS, "POST")),
    async change(wanted) {
      await callCompanion(http, companionUrl + CONFIG, "PUT", { ...wanted }, false);
      await reconnect();
    },
    async returnToSample() {
      await callCompanion(http, companionUrl + CONFIG, "DELETE");
      await reconnect();
    },
    async moveSample(direction) {
      await callCompanion(http, companionUrl + WEEK, direction === "on" ? "POST" : "DELETE");
      await reconnect();
    },
  };
}

/** @throws SignerError (FEED_SIGNER_REFUSED) where the companion is of another version */
function decodeKey(answered: unknown): CompanionKey {
  const { thumbprint, publicKeyPem, bits, createdAt, keyId, use } = Object(answered) as Record<string, unknown>;
  if (!isText(thumbprint) || !isText(publicKeyPem) || !isText(createdAt) || typeof bits !== "number") throw toMisfit();
  const isInUse = use === "signing" || use === "previous";
  return {
    thumbprint,
    publicKeyPem,
    bits,
    createdAt,
    keyId: isText(keyId) ? keyId : null,
    use: isInUse ? use : "unused",
  };
}

const isText = (value: unknown): value is string => typeof value === "string";

const toMisfit = () =>
  new SignerError(
    "FEED_SIGNER_REFUSED",
    msg`the companion's answer holds no keys as this page knows them; restart the companion`,
  );
