import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findNginx } from "../support/nginx.mjs";
import { type Program, startProgram } from "./program";

/** As an administrator gets it. */
const SETTINGS = join(__dirname, "../../src/companion/deploy/nginx.conf");

/** Starts nginx ahead of instances with the settings that are deployed, by http on a port of this machine. */
export function startBalancer(folder: string, port: number, instances: readonly number[]): Program {
  const command = findNginx();
  if (command === undefined) throw new Error("No nginx found: install it.");
  const path = join(folder, "nginx.conf");
  writeFileSync(path, toLocal(readFileSync(SETTINGS, "utf8"), folder, port, instances));
  // One process in the foreground, which a signal ends whole.
  return startProgram(command, ["-c", path, "-p", folder, "-e", "stderr", "-g", "daemon off; master_process off;"]);
}

/** Changes the places, and ends no TLS; what there is of limits, retries and headers stays. */
function toLocal(settings: string, folder: string, port: number, instances: readonly number[]): string {
  const servers = instances.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`).join("\n    ");
  const changes: [RegExp, string][] = [
    [/(server companion-\d:3000 .*;\s+)+/, `${servers}\n    `],
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
