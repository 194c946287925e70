/** What the tests need before they start: a browser, and the built bundles. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findBrowser } from "./browser-path.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ADVICE = "No browser found: install Chrome, Edge or Chromium, or set CHROME_PATH to the path of one.";

const say = (text) => process.stdout.write(`${text}\n`);

const run = (command, parameters, environment = {}) =>
  spawnSync(command, parameters, { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...environment } }).status === 0;

/** The font is for the Japanese names on screenshots; a browser that is there already came with its own. */
function installBrowser() {
  say("Installing chromium and a Japanese font with apt-get.");
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  const packages = ["chromium", "fonts-ipafont-gothic"];
  return (
    run("apt-get", ["-qq", "update"], quiet) &&
    run("apt-get", ["-qq", "install", "--yes", "--no-install-recommends", ...packages], quiet)
  );
}

function prepareBrowser() {
  const isInstallable = existsSync("/etc/debian_version") && process.getuid?.() === 0 && !process.env.CHROME_PATH;
  if (!findBrowser() && isInstallable) installBrowser();
  const path = findBrowser();
  say(path ? `Browser: ${path}` : ADVICE);
  return path !== undefined;
}

function build() {
  say("Building the add-in, the playground and the companion.");
  const webpack = fileURLToPath(new URL("../../node_modules/webpack/bin/webpack.js", import.meta.url));
  return run(process.execPath, [webpack, "--mode", "production"]);
}

process.exitCode = prepareBrowser() && build() ? 0 : 1;
