import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The script of the package, to which an installed command is a link. */
const PACKAGED = "feed.mjs";
/** The file of the installed package's command; anything else is a checkout, which runs by npm. */
const INSTALLED = /^feed(\.\w+)?$/;

/** Gives the words that call this program, as a person types them. */
export function toProgramName(script = ""): string {
  return INSTALLED.test(basename(script)) ? "feed" : "npm run companion --";
}

const PROGRAM = toProgramName(process.argv[1]);
const isInstalled = PROGRAM === "feed";

/** The words that call this program, for its help. */
export const PROGRAM_NAME = PROGRAM;

/** Gives a whole command, for messages: they name the program as it was called. */
export const toCommand = (words: string): string => `${PROGRAM} ${words}`;

/** The command that starts the companion. */
export const START_COMMAND = isInstalled ? "feed start" : "npm start";

/** The command that starts it for Excel. */
export const START_FOR_EXCEL = isInstalled ? "feed start --https" : "npm start -- --https";

/** The command that starts it at another port, for the shell that people have there. */
export const toStartAt = (port: number, platform: NodeJS.Platform = process.platform): string =>
  platform === "win32" ? `$env:PORT=${port}; ${START_COMMAND}` : `PORT=${port} ${START_COMMAND}`;

/** What to do where a built file is missing. */
export const BUILD_ADVICE = isInstalled ? "Install the package again." : "Run: npm run build";

/** Finds the folder of the built pages: beside the package's script, and beside the folder of a built program. */
export function findPages(script = ""): string {
  const file = realpathSync(script);
  return basename(file) === PACKAGED ? join(dirname(file), "web") : join(dirname(file), "..", "web");
}
