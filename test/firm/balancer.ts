import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "../../src/companion/certificate";
import { findNginx } from "../support/program-path.mjs";
import { readNginx } from "./nginx-settings";
import { type Program, startProgram } from "./program";

/** Which instances work: the first while it can, each for its own pairings, or any for each request. */
export type AtWork = "first" | "each" | "any";

export interface BalancerOptions {
  port: number;
  /** The ports of the instances. */
  instances: readonly number[];
  /** For https; without one nginx listens by http. */
  certificate?: Certificate;
  atWork: AtWork;
}

/** Starts nginx before instances with the deployed configuration. @param folder Takes its files. */
export function startBalancer(folder: string, options: BalancerOptions): Program {
  const command = findNginx();
  if (command === undefined) throw new Error("No nginx found: install it.");
  const path = join(folder, "nginx.conf");
  const text = toLocal(readNginx("nginx.conf"), folder, options);
  writeFileSync(path, toAtWork(text, options.atWork));
  if (options.certificate) {
    writeFileSync(join(folder, "tls-certificate"), options.certificate.cert);
    writeFileSync(join(folder, "tls-key"), options.certificate.key);
  }
  // One process in the foreground, which a signal ends.
  return startProgram(command, ["-c", path, "-p", folder, "-e", "stderr", "-g", "daemon off; master_process off;"]);
}

/** Changes ports and paths; limits, retries and headers stay. */
function toLocal(settings: string, folder: string, { port, instances, certificate }: BalancerOptions): string {
  const toServers = (limits: string, others = "") =>
    instances.map((each, nth) => `server 127.0.0.1:${each} ${limits}${nth > 0 ? others : ""};`).join("\n    ");
  const changes: [RegExp, string][] = [
    [/^\s*resolver .*;/m, ""],
    [/(server companion-\d:3000 max_fails=1 .*;\s+)+/, `${toServers("max_fails=1 fail_timeout=2s", " backup")}\n    `],
    [/(server companion-\d:3000 max_fails=0 .*;\s+)+/, `${toServers("max_fails=0")}\n  `],
    certificate
      ? [/listen 8443 /, `listen 127.0.0.1:${port} `]
      : [/listen 8443 ssl http2;/, `listen 127.0.0.1:${port};`],
    [/\/tmp\//g, `${folder}/`],
    [/\/dev\/stderr/, "stderr"],
    [/access_log \/dev\/stdout calls;/, `access_log ${folder}/access.log calls;`],
    certificate ? [/\/run\/secrets\//g, `${folder}/`] : [/^\s*ssl_\w+ .*;/gm, ""],
  ];
  return changes.reduce((text, [from, to]) => {
    if (text.search(from) < 0) throw new Error(`The deployed settings of nginx have no ${from} any more.`);
    return text.replace(from, to);
  }, settings);
}

/** Changes for each as the guide says for a firm beyond one core. */
function toAtWork(text: string, atWork: AtWork): string {
  if (atWork === "first") return text;
  const toAny = text.replaceAll(" backup;", ";");
  if (atWork === "any") return toAny;
  return toAny.replace(/^ *zone companions .*/m, "$&\n    hash $http_feed_pairing consistent;");
}
