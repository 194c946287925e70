import { delimiter, join } from "node:path";
import { isExecutable } from "./program-path.mjs";

/** Names a browser of the Chromium family goes by on the PATH; the one without windows of its own takes least. */
const COMMANDS = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "microsoft-edge-stable",
  "msedge",
];

const MAC = ["Google Chrome", "Microsoft Edge", "Chromium"];
const WINDOWS = ["Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe"];
const LINUX = ["/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge", "/snap/bin/chromium"];

/**
 * Finds a browser of the Chromium family; CHROME_PATH wins, even when it names nothing that runs.
 * @param {NodeJS.ProcessEnv} environment
 * @param {NodeJS.Platform} platform
 * @returns {string | undefined} The path of its executable.
 */
export function findBrowser(environment = process.env, platform = process.platform) {
  const candidates = environment.CHROME_PATH ? [environment.CHROME_PATH] : listPlaces(environment, platform);
  return candidates.find(isExecutable);
}

function listPlaces(environment, platform) {
  const folders = (environment.PATH ?? "").split(delimiter).filter(Boolean);
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...listUsualPlaces(environment, platform)];
}

function listUsualPlaces(environment, platform) {
  if (platform === "darwin") {
    const roots = [join(environment.HOME ?? "/", "Applications"), "/Applications"];
    return roots.flatMap((root) => MAC.map((name) => `${root}/${name}.app/Contents/MacOS/${name}`));
  }
  if (platform === "win32") {
    const roots = [environment.PROGRAMFILES, environment["PROGRAMFILES(X86)"], environment.LOCALAPPDATA];
    return roots.filter(Boolean).flatMap((root) => WINDOWS.map((place) => join(root, place)));
  }
  return LINUX;
}
