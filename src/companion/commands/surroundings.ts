import { homedir } from "node:os";
import type { FastifyInstance } from "fastify";
import { createPairings, type Pairings } from "../api/pairing";
import { createFilePairings } from "../api/pairing-state";
import { CERTIFICATE_FOLDER } from "../certificate";
import type { Configuration } from "../configuration";
import type { Settings } from "../configuration/settings";
import { collectSettings, type SettingsFiles } from "../configuration/sources";
import { FEATURES } from "../features";
import { type Folder, type Machine, toFolder, toFolderPath } from "../machine";
import { createOwnStores, type Stores } from "../stores";

/** The surroundings of a command line. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  /** The folder of the built pages. */
  webFolder: string;
  print: (line: string) => void;
  /** Whether output shows at a terminal, and not in a service's log; default false. */
  isTerminal?: boolean;
  /** Whether it was started at a terminal, whose hang-up ends it, wherever its output goes; default false. */
  hasTerminal?: boolean;
  /** Prompts for a line that does not show while it is typed; absent without a terminal. */
  promptSecret?: (query: string) => Promise<string>;
  /** Asks for yes or no; absent without a terminal. */
  confirm?: (query: string) => Promise<boolean>;
  /**
   * Called with the listening companion before its address is printed: a reader of that line may end the process at
   * once.
   */
  onListen?: (app: FastifyInstance, configuration: Configuration) => void;
  /** The person's own configuration folder; default the system's usual place. */
  folder?: string;
  /** The folder of the certificate; default that of Office's own tools. */
  certificateFolder?: string;
  /** The person's home folder; default the system's. */
  home?: string;
  /** The file of this program, which a service starts; default that of this process. */
  script?: string;
  /** Milliseconds since 1970; default the system's clock. */
  nowMs?: () => number;
  /** Default this machine's. */
  platform?: NodeJS.Platform;
  /** Default that of this process, such as "20.19.0". */
  nodeVersion?: string;
}

/** Finds the folder of the person who runs the command. */
export function findFolder({ folder, environment }: Surroundings): Folder {
  return toFolder(folder ?? toFolderPath(environment));
}

/** Finds the file of settings: an administrator's, as --settings names it, else the person's own. */
export function findSettings({ settings }: { settings?: string }, surroundings: Surroundings): SettingsFiles {
  return settings === undefined ? { own: findFolder(surroundings).settings } : { administrators: settings };
}

/** Describes this computer to what sets it up. */
export function findMachine(surroundings: Surroundings): Machine {
  const { environment, platform = process.platform, home = homedir(), script = process.argv[1] ?? "" } = surroundings;
  return {
    platform,
    environment,
    home,
    folder: surroundings.folder ?? toFolderPath(environment, platform),
    certificateFolder: surroundings.certificateFolder ?? CERTIFICATE_FOLDER,
    program: [process.execPath, script],
  };
}

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
