import { callCompanion } from "../client/companion";
import { FeedError, SignerError } from "../client/errors";
import { msg } from "../client/messages";
import type { Session } from "./session";

/** Parameters for a token of the person's own Office account (nested app authentication). */
export interface NestedSignIn {
  /** Of the application, as Microsoft Entra ID knows it. */
  clientId: string;
  /** Address of the firm's directory. */
  authority: string;
  scopes: readonly string[];
}

/** How people sign in at the companion. */
export interface SignInWays {
  /** Address of the page that shows a pairing code after a sign-in. */
  page: string;
  /** Null where the firm's accounts are not Microsoft's. */
  nested: NestedSignIn | null;
}

const SIGN_IN = "/companion/sign-in";

type CompanionClient = Pick<Session, "feed" | "companionUrl">;

/**
 * Gives the ways to sign in; null where the companion has no accounts, and its terminal gives the code.
 *
 * @throws SignerError (FEED_SIGNER_UNREACHABLE, FEED_SIGNER_REFUSED), RequestError (FEED_RATE_LIMITED, FEED_SERVER_FAILED)
 */
export async function findSignIn({ feed, companionUrl }: CompanionClient): Promise<SignInWays | null> {
  try {
    const { page, nested } = await callCompanion(feed.http, companionUrl + SIGN_IN, "GET");
    if (typeof page !== "string") throw toMisfit();
    return { page, nested: decodeNested(nested) };
  } catch (error) {
    if (error instanceof FeedError && error.facts.status === 404) return null;
    throw error;
  }
}

/**
 * Signs a person in by a token; gives the pairing code for this page.
 *
 * @throws SignerError (FEED_SIGNER_UNREACHABLE, FEED_SIGNER_REFUSED), RequestError (FEED_RATE_LIMITED, FEED_SERVER_FAILED)
 */
export async function signIn({ feed, companionUrl }: CompanionClient, token: string): Promise<string> {
  const { code } = await callCompanion(feed.http, companionUrl + SIGN_IN, "POST", { token });
  if (typeof code !== "string") throw toMisfit();
  return code;
}

function decodeNested(answered: unknown): NestedSignIn | null {
  const { clientId, authority, scopes } = Object(answered) as Record<string, unknown>;
  const isWhole = typeof clientId === "string" && typeof authority === "string" && Array.isArray(scopes);
  return isWhole ? { clientId, authority, scopes: scopes.map(String) } : null;
}

const toMisfit = () =>
  new SignerError(
    "FEED_SIGNER_REFUSED",
    msg`the companion's answer does not tell how to sign in or pair; restart the companion`,
  );

/** This page's request for a pairing code; the code serves no other page. */
export interface PairingRequest {
  /** Identifies the page to a person at the companion's terminal: "K7QD". */
  name: string;
  /** Identifies this page to the page of signing in. */
  page: string;
  /** Sent with the code, to the companion only. */
  secret: string;
  /** What to type at that terminal. */
  command: string;
}

const REQUEST = "/companion/pairing/request";

/** @throws SignerError (FEED_SIGNER_UNREACHABLE, FEED_SIGNER_REFUSED), RequestError (FEED_RATE_LIMITED, FEED_SERVER_FAILED) */
export async function requestPairing({ feed, companionUrl }: CompanionClient): Promise<PairingRequest> {
  const { name, page, secret, command } = await callCompanion(feed.http, companionUrl + REQUEST, "POST");
  const request = { name, page, secret, command };
  if (!isWhole(request)) throw toMisfit();
  return request;
}

const isWhole = (request: Record<keyof PairingRequest, unknown>): request is PairingRequest =>
  Object.values(request).every((text) => typeof text === "string");

/** Joins a code and its request in the companion's format. */
export const toSentCode = (code: string, { secret }: PairingRequest): string => `${code}.${secret}`;

/** Reads a code from a person's input; null for anything else. */
export function toCode(written: string): string | null {
  const code = written
    .normalize("NFKC") // a Japanese keyboard may write it in full width
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
  return code.length === 8 ? code : null;
}
