import { createPairings, type Pairings } from "../api/pairing";
import { createFilePairings } from "../api/pairing-state";
import type { Settings } from "../configuration/settings";
import { collectSettings } from "../configuration/sources";
import { FEATURES } from "../features";
import { createOwnStores, type Stores } from "../stores";
import { findFolder, findSettings, type Surroundings } from "./surroundings";

/** Opens the pairings of the person's companion, which sees changes at once. */
export function openPairings(surroundings: Surroundings): Pairings {
  const { nowMs = Date.now } = surroundings;
  return createPairings(createFilePairings(findFolder(surroundings).pairings), nowMs);
}

/**
 * Opens a companion's stores: in memory with the pairings in the person's folder, or as a feature shares them.
 * @param log Gets a line when a server falls silent, and one when it answers again.
 * @throws ConfigurationError where the setting of the server cannot be read.
 */
export async function openStores(
  settings: Settings,
  surroundings: Surroundings,
  log: (line: string) => void,
): Promise<Stores> {
  const { nowMs } = surroundings;
  for (const { openStores: open } of FEATURES) {
    const shared = await open(settings, { log, nowMs });
    if (shared !== undefined) return shared;
  }
  return createOwnStores(openPairings(surroundings));
}

/**
 * Runs a command on the pairings of the companion that has the same settings. Only what stores need is read: other
 * mistakes must not prevent anybody from ending a pairing.
 * @throws ConfigurationError as `openStores`; Refusal where a server does not answer.
 */
export async function runOnPairings(
  options: { settings?: string },
  surroundings: Surroundings,
  run: (pairings: Pairings) => Promise<void>,
): Promise<void> {
  const { settings } = collectSettings(surroundings.environment, findSettings(options, surroundings), []);
  const stores = await openStores(settings, surroundings, () => {});
  try {
    await run(stores.pairings);
  } finally {
    await stores.close();
  }
}
