import { homedir } from "node:os";
import { join } from "node:path";

/** The files of one person's companion. */
export interface Folder {
  /** Settings from the pane: names and texts as in the environment. */
  settings: string;
  pairings: string;
  /** The folder of private keys made here. */
  keys: string;
}

/**
 * Gives the person's configuration folder, by the system's convention.
 * @param environment As `process.env`.
 */
export function toFolderPath(environment: NodeJS.ProcessEnv, platform = process.platform): string {
  return join(findBase(environment, platform), "feed-for-excel");
}

/** Gives the paths within the folder. */
export function toFolder(path: string): Folder {
  return { settings: join(path, "companion.json"), pairings: join(path, "pairings.json"), keys: join(path, "keys") };
}

function findBase({ APPDATA, XDG_CONFIG_HOME }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32" && APPDATA) return APPDATA;
  if (platform === "darwin") return join(homedir(), "Library", "Application Support");
  return XDG_CONFIG_HOME || join(homedir(), ".config");
}
