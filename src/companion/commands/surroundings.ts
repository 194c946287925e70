import { homedir } from "node:os";
import type { FastifyInstance } from "fastify";
import { CERTIFICATE_FOLDER } from "../certificate";
import type { Configuration } from "../configuration";
import type { SettingsFiles } from "../configuration/sources";
import { type Folder, toFolder, toFolderPath } from "../folder";
import type { Machine } from "../machine";

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
