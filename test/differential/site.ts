import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAIRING_HEADER } from "../../src/contract/companion-api";
import { signInPlainly } from "../firm/analyst";
import { startFirmAt } from "../firm/firm";
import { createKey, startSingle, toSettings } from "../firm/instances";
import { type Provider, startProvider } from "./provider";

export const MODES = ["sign", "relay", "firm"] as const;

/** How pages reach the provider: a companion in sign mode, one in relay mode, or a firm's three with a store. */
export type Mode = (typeof MODES)[number];

/** The built companion, which has its provider's key. */
export interface Site {
  mode: Mode;
  provider: Provider;
  origin: string;
  /** Pairs a page, and gives its bearer. */
  pair(person: string): Promise<string>;
  close(): Promise<void>;
}

const CLIENT = { clientId: "differential-client", keyId: "differential-key" };

/** Limits beyond what a run needs: it tests the provider's faults, not these. It refreshes what changed a moment ago. */
const RELAYED = {
  FEED_MODE: "relay",
  FEED_PROVIDER_PER_MINUTE: "60000",
  FEED_PERSON_PER_MINUTE: "1000000",
  FEED_REFRESH_SECONDS: "0",
};

/** Starts a provider with the data of a seed, and the companion before it. */
export async function startSite(mode: Mode, seed: number): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "feed-differential-"));
  createKey(folder);
  const provider = await startProvider(seed);
  const end = async () => {
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { baseUrl } = provider;
    const started = await (mode === "firm" ? startFirm(folder, baseUrl) : startOne(folder, baseUrl, mode));
    return { mode, provider, ...started, close: () => started.close().finally(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

const startOne = (folder: string, baseUrl: string, mode: Mode) =>
  startSingle({ ...toSettings(folder, baseUrl, CLIENT), ...(mode === "relay" && RELAYED) });

async function startFirm(folder: string, baseUrl: string) {
  const firm = await startFirmAt(baseUrl, CLIENT, folder, { settings: RELAYED });
  const pair = async (person: string) => (await signInPlainly(firm, person))[PAIRING_HEADER]!;
  return { origin: firm.origin, pair, close: firm.close };
}
