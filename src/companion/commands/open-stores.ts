import { readStore } from "../../firm/configuration";
import { createMemoryStores } from "../../firm/stores/memory";
import { createPairings, type Pairings } from "../api/pairing";
import { createFilePairings } from "../api/pairing-state";
import { ConfigurationError } from "../configuration";
import { collectSettings } from "../configuration/sources";
import type { Stores } from "../stores";
import { findFolder, findSettings, type Surroundings } from "./surroundings";

/** Opens the pairings of the person's companion, which sees changes at once. */
export function openPairings(surroundings: Surroundings): Pairings {
  const { nowMs = Date.now } = surroundings;
  return createPairings(createFilePairings(findFolder(surroundings).pairings), nowMs);
}

/**
 * Opens a companion's stores: in memory, with the pairings in the person's folder, or all on a server.
 * @param url The server of FEED_STORE; undefined for none.
 * @param log Gets a line when the server falls silent, and one when it answers again.
 */
export async function openStores(
  url: string | undefined,
  surroundings: Surroundings,
  log: (line: string) => void,
): Promise<Stores> {
  if (url === undefined) return createMemoryStores(openPairings(surroundings));
  // Loaded on demand: most companions have no server.
  const { createRedisStores } = await import("../../firm/stores/redis");
  return createRedisStores(url, { log, nowMs: surroundings.nowMs });
}

/**
 * Runs a command on the pairings of the companion that has the same settings.
 * @throws ConfigurationError where FEED_STORE cannot be read; Refusal where its server does not answer.
 */
export async function runOnPairings(
  options: { settings?: string },
  surroundings: Surroundings,
  run: (pairings: Pairings) => Promise<void>,
): Promise<void> {
  const stores = await openStores(readStoreUrl(options, surroundings), surroundings, () => {});
  try {
    await run(stores.pairings);
  } finally {
    await stores.close();
  }
}

/** Reads only FEED_STORE: other mistakes must not prevent anybody from ending a pairing. */
function readStoreUrl(options: { settings?: string }, surroundings: Surroundings): string | undefined {
  const { settings } = collectSettings(surroundings.environment, findSettings(options, surroundings), []);
  const mistakes: string[] = [];
  const url = readStore({ settings, mistakes });
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return url;
}
