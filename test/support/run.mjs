/**
 * Prepares and runs the tests: `node test/support/run.mjs [--tier=long|firm] [words for jest]`.
 *
 * Without a tier it runs what protects a change: it needs Node and a browser. The tiers `long` and `firm` run the files
 * `*.long.test.ts` and `*.firm.test.ts`, which also need Redis or Valkey, nginx and Prometheus, and the long ones
 * LibreOffice and openpyxl.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findBrowser } from "./browser-path.mjs";
import { findNginx } from "./program-path.mjs";
import { findPrometheus } from "./prometheus.mjs";
import { findRedis } from "./redis.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUILD = fileURLToPath(new URL("../../src/build/build.mjs", import.meta.url));
const JEST = fileURLToPath(new URL("../../node_modules/jest/bin/jest.js", import.meta.url));
const BROWSER_ADVICE = "No browser found: install Chrome, Edge or Chromium, or set CHROME_PATH to the path of one.";
const REDIS_ADVICE = "No redis-server or valkey-server found: install one of them.";
const NGINX_ADVICE = "No nginx found: install it.";
const PROMETHEUS_ADVICE = "No prometheus found: install it.";

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
  if (!findBrowser() && isInstallable && !process.env.CHROME_PATH)
    install(["chromium-headless-shell", "fonts-ipafont-gothic"]);
  const path = findBrowser();
  say(path ? `Browser: ${path}` : BROWSER_ADVICE);
  return path !== undefined;
}

/** A server that stands beside the companions of a firm. */
function prepareServer(name, find, debianPackage, advice) {
  if (!find() && isInstallable) install([debianPackage]);
  const path = find();
  say(path ? `${name}: ${path}` : advice);
  return path !== undefined;
}

const prepareServers = () =>
  prepareServer("Redis", findRedis, "redis-server", REDIS_ADVICE) &&
  prepareServer("nginx", findNginx, "nginx-light", NGINX_ADVICE) &&
  prepareServer("Prometheus", findPrometheus, "prometheus", PROMETHEUS_ADVICE);

/** Without a tier, jest takes the files that its settings in package.json name. */
function runTests(tier, words) {
  const own = tier === undefined ? [] : ["--testMatch", `**/*.${tier}.test.ts?(x)`];
  // A run of some files leaves the record of the whole run as it is.
  const record = words.length > 0 ? "" : tier === undefined ? "results.json" : `results-${tier}.json`;
  return run(process.execPath, [JEST, ...words, ...own], { TEST_TIER: tier ?? "", TEST_RECORD: record });
}

const [first = "", ...others] = process.argv.slice(2);
const tier = /^--tier=(long|firm)$/.exec(first)?.[1];
const words = tier === undefined ? process.argv.slice(2) : others;

const isPrepared = prepareBrowser() && (tier === undefined || prepareServers()) && run(process.execPath, [BUILD]);
process.exitCode = isPrepared && runTests(tier, words) ? 0 : 1;
if (tier === undefined)
  say("Not run here: npm run test:firm (needs Redis or Valkey, nginx and Prometheus), npm run test:long.");
