/** Programs that tests start beside Node. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders of servers that a person's PATH may lack. */
const USUAL_FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

/**
 * Finds the first of some programs that is installed.
 * @param {readonly string[]} commands
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} Its path.
 */
export function findProgram(commands, environment = process.env) {
  const folders = [...(environment.PATH ?? "").split(delimiter).filter(Boolean), ...USUAL_FOLDERS];
  return commands.flatMap((command) => folders.map((folder) => join(folder, command))).find(isExecutable);
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** nginx, the reverse proxy of a firm's instances. */
export const findNginx = (environment = process.env) => findProgram(["nginx"], environment);
