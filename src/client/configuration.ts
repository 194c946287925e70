import { callCompanion } from "./companion";
import { SignerError } from "./errors";
import type { Connection, Http } from "./http";
import { msg } from "./messages";

/** The companion's own configuration; it holds no secret. */
export interface Configuration {
  /** Whether the provider is the embedded one with generated sample data. */
  sample: boolean;
  /** How many weeks the sample data have moved on; 0 for another provider. */
  weeks: number;
  /**
   * Where assertions are exchanged for tokens: in this page, or in the companion, which then withholds both from it.
   */
  mode: "sign" | "relay";
  /** How calls travel: through the companion, or straight to a provider that allows this origin. */
  transport: "proxy" | "direct";
  baseUrl: string;
  tokenUrl: string;
  clientId: string;
  keyId: string;
  /** The key that signs where the provider refuses the newest, during a rotation; null where there is one key. */
  previousKeyId: string | null;
  /** RFC 7638 thumbprint of the public key. */
  thumbprint: string;
  version: string;
  /** The fields that the pane may set up; none where an administrator gave them all. */
  settable: readonly Settable[];
}

/** Fields that a companion may let the pane set up; the thumbprint names the key that signs. */
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
    throw new SignerError(
      "FEED_SIGNER_REFUSED",
      msg`the companion's configuration has no ${name}; restart the companion`,
    );
  };
  return {
    sample: body.sample === true,
    weeks: typeof body.weeks === "number" ? body.weeks : 0,
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

/** More companies per request mean fewer requests at once, and earlier cells. */
const COMPANIES_OF_A_FIRM = 50;

/** Gives the provider's address for this page: the companion's relay, unless the provider allows CORS. */
export function toConnection(configuration: Configuration, companionUrl: string): Connection {
  const { transport, mode, baseUrl, tokenUrl } = configuration;
  if (transport === "direct") return { baseUrl, tokenUrl, isRelayed: false };
  const relay = `${companionUrl}/companion/relay`;
  const relayed = { baseUrl: relay, tokenUrl: `${relay}/token`, isRelayed: true };
  // In relay mode the companion batches all readers' companies by 25 itself: larger requests mean fewer of them.
  return mode === "relay" ? { ...relayed, companiesAtOnce: COMPANIES_OF_A_FIRM } : relayed;
}
