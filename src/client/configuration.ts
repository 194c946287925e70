import { callCompanion } from "./companion";
import { SignerError } from "./errors";
import type { Connection, Http } from "./http";

/** What the companion says of itself; no secret is in it. */
export interface Configuration {
  /** Whether the provider is the embedded one with generated sample data. */
  sample: boolean;
  /** Who exchanges assertions for tokens: this page, or the companion, which then keeps both to itself. */
  mode: "sign" | "relay";
  /** How calls travel: through the companion, or straight to a provider that allows this origin. */
  transport: "proxy" | "direct";
  baseUrl: string;
  tokenUrl: string;
  clientId: string;
  keyId: string;
  /** The key that signs where the provider refuses the newest, while keys are changed; null where there is one key. */
  previousKeyId: string | null;
  /** RFC 7638 thumbprint of the public key. */
  thumbprint: string;
  version: string;
  /** What the pane may set up; nothing where an administrator gave it all. */
  settable: readonly Settable[];
}

/** Fields that a companion may let the pane set up; the thumbprint is of the key that signs. */
const SETTABLE = ["baseUrl", "clientId", "keyId", "thumbprint"] as const;

export type Settable = (typeof SETTABLE)[number];

/**
 * Reads the companion's configuration.
 *
 * @throws SignerError (FEED_SIGNER_UNREACHABLE, FEED_SIGNER_REFUSED)
 */
export async function loadConfiguration(http: Http, companionUrl: string): Promise<Configuration> {
  const body = await callCompanion(http, `${companionUrl}/companion/config`, "GET");
  const text = (name: string) => {
    const value = body[name];
    if (typeof value === "string") return value;
    throw new SignerError("FEED_SIGNER_REFUSED", `the companion's configuration has no ${name}; restart the companion`);
  };
  return {
    sample: body.sample === true,
    mode: body.mode === "relay" ? "relay" : "sign",
    transport: body.transport === "direct" ? "direct" : "proxy",
    baseUrl: text("baseUrl"),
    tokenUrl: text("tokenUrl"),
    clientId: text("clientId"),
    keyId: text("keyId"),
    previousKeyId: typeof body.previousKeyId === "string" ? body.previousKeyId : null,
    thumbprint: text("thumbprint"),
    version: text("version"),
    settable: SETTABLE.filter((field) => Array.isArray(body.settable) && body.settable.includes(field)),
  };
}

/** All of a workbook's companies then come in few requests that are under way at once, and a chunk's cells soon. */
const COMPANIES_OF_A_FIRM = 50;

/** Where the provider is for this page: a provider without CORS headers is reached through the companion. */
export function toConnection(configuration: Configuration, companionUrl: string): Connection {
  const { transport, mode, baseUrl, tokenUrl } = configuration;
  if (transport === "direct") return { baseUrl, tokenUrl, isRelayed: false };
  const relay = `${companionUrl}/companion/relay`;
  const relayed = { baseUrl: relay, tokenUrl: `${relay}/token`, isRelayed: true };
  // In relay mode it gathers what many people ask for, and asks for that by 25: the more comes in one, the fewer it sends.
  return mode === "relay" ? { ...relayed, companiesAtOnce: COMPANIES_OF_A_FIRM } : relayed;
}
