import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findNginx } from "../support/program-path.mjs";
import { type Program, startProgram } from "./program";

/** The configuration that administrators get. */
const SETTINGS = join(__dirname, "../../src/firm/deploy/nginx.conf");

/**
 * Starts nginx before instances with the deployed configuration, by http on this machine.
 * @param areAllAtWork Whether each instance works, by pairing; otherwise the first does, and the others wait.
 */
export function startBalancer(
  folder: string,
  port: number,
  instances: readonly number[],
  areAllAtWork: boolean,
): Program {
  const command = findNginx();
  if (command === undefined) throw new Error("No nginx found: install it.");
  const path = join(folder, "nginx.conf");
  const text = toLocal(readFileSync(SETTINGS, "utf8"), folder, port, instances);
  writeFileSync(path, areAllAtWork ? toAllAtWork(text) : text);
  // One process in the foreground, which a signal ends.
  return startProgram(command, ["-c", path, "-p", folder, "-e", "stderr", "-g", "daemon off; master_process off;"]);
}

/** Changes the paths and disables TLS; limits, retries and headers stay. */
function toLocal(settings: string, folder: string, port: number, instances: readonly number[]): string {
  const toServers = (limits: string, others = "") =>
    instances.map((each, nth) => `server 127.0.0.1:${each} ${limits}${nth > 0 ? others : ""};`).join("\n    ");
  const changes: [RegExp, string][] = [
    [/^\s*resolver .*;/m, ""],
    [/(server companion-\d:3000 max_fails=1 .*;\s+)+/, `${toServers("max_fails=1 fail_timeout=2s", " backup")}\n    `],
    [/(server companion-\d:3000 max_fails=0 .*;\s+)+/, `${toServers("max_fails=0")}\n  `],
    [/listen 8443 ssl http2;/, `listen 127.0.0.1:${port};`],
    [/^\s*ssl_\w+ .*;/gm, ""],
    [/\/tmp\//g, `${folder}/`],
    [/\/dev\/stderr/, "stderr"],
    [/access_log \/dev\/stdout calls;/, `access_log ${folder}/access.log calls;`],
  ];
  return changes.reduce((text, [from, to]) => {
    if (text.search(from) < 0) throw new Error(`The deployed settings of nginx have no ${from} any more.`);
    return text.replace(from, to);
  }, settings);
}

/** Changes as the guide says for a firm beyond one core. */
const toAllAtWork = (text: string): string =>
  text.replaceAll(" backup;", ";").replace(/^ *zone companions .*/m, "$&\n    hash $http_feed_pairing consistent;");
