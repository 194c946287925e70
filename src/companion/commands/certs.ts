import type { Command } from "commander";
import {
  CERTIFICATE_FOLDER,
  describeCertificate,
  readCertificate,
  renewCertificate,
  toCertificatePaths,
  toDay,
} from "../certificate";
import { describeTrust, isTrusted } from "../certificate-trust";
import { collectSettings } from "../configuration/sources";
import { openInstallation } from "../installation";
import { toCommand } from "../program";
import { findMachine, findSettings, type Surroundings } from "./surroundings";

const DAY_MS = 24 * 3600 * 1000;

const DESCRIPTION = `Tells where the certificate of https://localhost is, until when it serves, who signed it and whether it is trusted.
"start --https" makes it, and makes a new one from 30 days before its end.`;

const ENVIRONMENT = `
Environment, or companion.json
  TLS_CERT_FILE, TLS_KEY_FILE
      your own certificate: it is used in place of this one, and its issuer renews it`;

/** Adds the command that shows, renews and trusts the certificate of https. */
export function addCerts(program: Command, surroundings: Surroundings): void {
  program
    .command("certs")
    .summary("shows, renews and trusts the certificate of https")
    .description(DESCRIPTION)
    .option("--renew", "makes a new certificate now; it must be trusted anew")
    .option("--trust", "has this system trust it, for you alone; where that needs more rights, says how it is done")
    .addHelpText("after", ENVIRONMENT)
    .action((options) => run(options, surroundings));
}

async function run({ renew = false, trust = false }, surroundings: Surroundings): Promise<void> {
  const { certificateFolder: folder = CERTIFICATE_FOLDER, environment } = surroundings;
  const { settings } = collectSettings(environment, findSettings({}, surroundings), []);
  if (settings.TLS_CERT_FILE) {
    surroundings.print(`TLS_CERT_FILE is set: "start" uses that certificate, and not this one.`);
  }
  if (renew || (trust && readCertificate(folder) === undefined)) await renewCertificate(folder);
  await (trust ? trustCertificate(folder, surroundings) : show(folder, surroundings));
}

async function show(folder: string, { environment, print, platform, nowMs = Date.now }: Surroundings): Promise<void> {
  const certificate = readCertificate(folder);
  if (certificate === undefined) {
    print(`There is no certificate in ${folder} yet. "start --https" makes one, and so does: certs --trust`);
    return;
  }
  const paths = toCertificatePaths(folder);
  const { names, signedBy, endsMs } = describeCertificate(certificate);
  const days = Math.floor((endsMs - nowMs()) / DAY_MS);
  print(`Certificate  ${paths.cert}`);
  print(`For          ${names.join(", ")}`);
  print(`Until        ${toDay(endsMs)} (${days < 0 ? "it has ended: renew it with --renew" : `${days} days`})`);
  print(`Signed by    ${signedBy} (${paths.authority})`);
  print(`Trusted      ${toTrustWords(await isTrusted(folder, environment, platform))}`);
}

function toTrustWords(isTrustedHere: boolean | undefined): string {
  if (isTrustedHere === undefined) return "each browser has a list of its own; certs --trust says how to add to it";
  return isTrustedHere ? "yes" : `no; run: ${toCommand("certs --trust")}`;
}

/** Has the system trust the certificate, which "uninstall" takes back. */
async function trustCertificate(folder: string, surroundings: Surroundings): Promise<void> {
  const { print } = surroundings;
  const machine = findMachine(surroundings);
  const { environment, platform } = machine;
  const advice = describeTrust(folder, platform);
  if (platform === "linux") {
    for (const line of advice) print(line);
    return;
  }
  await openInstallation(machine)
    .trust()
    .catch(() => {}); // judged by what the system says next
  if (!(await isTrusted(folder, environment, platform))) {
    throw new Error(["This system does not trust the certificate yet.", ...advice].join("\n"));
  }
  print("This system trusts the certificate. Start Excel or the browser anew.");
}
