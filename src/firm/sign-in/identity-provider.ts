import { createRemoteJWKSet, customFetch, type RemoteJWKSet } from "jose";
import type { ServerMetadata } from "openid-client";
import { fetch } from "undici";
import { isLoopback } from "../../companion/address";
import { createConnections, DIRECT, findNetworkFailure } from "../../companion/network";
import { SignInRefusal } from "./refusal";

const TIMEOUT_MS = 10_000;
const LARGEST_ANSWER_BYTES = 1024 * 1024;
const DISCOVERY = "/.well-known/openid-configuration";
/** Pause between lookups of unknown keys, whose names anybody can invent. */
const KEYS_PAUSE_MS = 10_000;

/** The identity provider's metadata and signing keys. */
export interface Discovered {
  metadata: ServerMetadata;
  /** Reloads the keys for an unknown key id, and at least every ten minutes. */
  keys: RemoteJWKSet;
}

type Fetch = (url: string, options: object) => Promise<Response>;

/** The connection to the identity provider. */
export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/** Creates the connection to an identity provider, which is first contacted on use. */
export function createIdentityProvider(issuer: string, network = DIRECT) {
  const agent = createConnections(network, {
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });
  const send: Fetch = (url, options) =>
    fetch(url, { ...options, redirect: "manual", dispatcher: agent }) as Promise<unknown> as Promise<Response>;
  let discovered: Promise<Discovered> | undefined;
  return {
    /**
     * Reads its discovery document, once.
     * @throws SignInRefusal where it fails.
     */
    discover(): Promise<Discovered> {
      discovered ??= discover(issuer, send).catch((error) => {
        discovered = undefined;
        throw error;
      });
      return discovered;
    },
    /** Fetch for libraries: follows no redirect, and checks certificates whatever the environment says. */
    fetch: send,
    close: () => agent.destroy(),
  };
}

async function discover(issuer: string, send: Fetch): Promise<Discovered> {
  const metadata = await readMetadata(issuer, send);
  const { jwks_uri: keys = "", authorization_endpoint: page = "", token_endpoint: token = "" } = metadata;
  if (metadata.issuer !== issuer || ![keys, page, token].every(isSafe)) {
    throw new SignInRefusal(
      "unreachable",
      "The identity provider describes itself as another, or by addresses without https: check FEED_SIGN_IN_ISSUER.",
    );
  }
  const options = { [customFetch]: send, cooldownDuration: KEYS_PAUSE_MS, timeoutDuration: TIMEOUT_MS };
  return { metadata, keys: createRemoteJWKSet(new URL(keys), options) };
}

async function readMetadata(issuer: string, send: Fetch): Promise<ServerMetadata> {
  try {
    const answer = await send(issuer.replace(/\/$/, "") + DISCOVERY, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return Object((await answer.json()) as unknown) as ServerMetadata;
  } catch (error) {
    throw toUnreachable(error);
  }
}

/** Gives the refusal for an unreachable identity provider, without anything that was sent. */
export function toUnreachable(error: unknown): SignInRefusal {
  const { name, code, cause } = Object(error) as { name?: string; code?: unknown; cause?: { code?: unknown } };
  const failure = findNetworkFailure(error);
  if (failure !== undefined) {
    const sentence = `The identity provider could not be reached: ${failure.message}; ${failure.cure}.`;
    return new SignInRefusal("unreachable", sentence);
  }
  const detail = [cause?.code, code, name].find((part) => typeof part === "string");
  return new SignInRefusal(
    "unreachable",
    `The identity provider does not answer well (${detail}): try again later, or check FEED_SIGN_IN_ISSUER and the network.`,
  );
}

function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
