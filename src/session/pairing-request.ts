import { askCompanion } from "../client/companion";
import { SignerError } from "../client/errors";
import type { Session } from "./session";

/** What this page asks the companion for a pairing code with: a code that is made for it serves for no other page. */
export interface PairingRequest {
  /** By which a person tells this page from others at the companion's terminal: "K7QD". */
  name: string;
  /** By which the page of signing in knows this one. */
  page: string;
  /** Goes with the code, and is shown to nobody but the companion. */
  secret: string;
}

const REQUEST = "/companion/pairing/request";

/** @throws SignerError (FEED_SIGNER_UNREACHABLE, FEED_SIGNER_REFUSED), RequestError (FEED_RATE_LIMITED, FEED_SERVER_FAILED) */
export async function askForPairing({ feed, companionUrl }: Pick<Session, "feed" | "companionUrl">) {
  const { name, page, secret } = await askCompanion(feed.http, companionUrl + REQUEST, "POST");
  if (typeof name !== "string" || typeof page !== "string" || typeof secret !== "string") {
    throw new SignerError(
      "FEED_SIGNER_REFUSED",
      "the companion's answer does not tell how to pair; restart the companion",
    );
  }
  return { name, page, secret } satisfies PairingRequest;
}

/** Joins a code to the request that it is for, as the companion takes both. */
export const toSentCode = (code: string, { secret }: PairingRequest): string => `${code}.${secret}`;

/** Reads a code as a person wrote or pasted it; null when it cannot be one. */
export function toCode(written: string): string | null {
  const code = written
    .normalize("NFKC") // a Japanese keyboard may write it in full width
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
  return code.length === 8 ? code : null;
}
