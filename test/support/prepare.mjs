/** Prepares the tests: a browser, the servers beside a companion's instances, and the built bundles. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findBrowser } from "./browser-path.mjs";
import { findNginx } from "./nginx.mjs";
import { findRedis } from "./redis.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BROWSER_ADVICE = "No browser found: install Chrome, Edge or Chromium, or set CHROME_PATH to the path of one.";
const REDIS_ADVICE = "No redis-server or valkey-server found: install one of them.";
const NGINX_ADVICE = "No nginx found: install it.";

const say = (text) => process.stdout.write(`${text}\n`);

const run = (command, parameters, environment = {}) =>
  spawnSync(command, parameters, { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...environment } }).status === 0;

const isInstallable = existsSync("/etc/debian_version") && process.getuid?.() === 0;

function install(packages) {
  say(`Installing with apt-get: ${packages.join(", ")}.`);
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  return (
    run("apt-get", ["-qq", "update"], quiet) &&
    run("apt-get", ["-qq", "install", "--yes", "--no-install-recommends", ...packages], quiet)
  );
}

/** The font is for the Japanese names on screenshots; a browser that is there already came with its own. */
function prepareBrowser() {
  if (!findBrowser() && isInstallable && !process.env.CHROME_PATH) install(["chromium", "fonts-ipafont-gothic"]);
  const path = findBrowser();
  say(path ? `Browser: ${path}` : BROWSER_ADVICE);
  return path !== undefined;
}

/** The shared server of a companion's instances, and their reverse proxy. */
function prepareServer(name, find, debianPackage, advice) {
  if (!find() && isInstallable) install([debianPackage]);
  const path = find();
  say(path ? `${name}: ${path}` : advice);
  return path !== undefined;
}

const prepareServers = () =>
  prepareServer("Redis", findRedis, "redis-server", REDIS_ADVICE) &&
  prepareServer("nginx", findNginx, "nginx-light", NGINX_ADVICE);

const build = () => run(process.execPath, [fileURLToPath(new URL("../../src/build/build.mjs", import.meta.url))]);

process.exitCode = prepareBrowser() && prepareServers() && build() ? 0 : 1;
