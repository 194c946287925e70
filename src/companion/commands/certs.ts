import {
  CERTIFICATE_FOLDER,
  describeCertificate,
  readCertificate,
  renewCertificate,
  toCertificatePaths,
  toDay,
} from "../certificate";
import { describeTrust, installTrust, isTrusted } from "../certificate-trust";
import { collectSettings } from "../configuration/sources";
import { type Command, EXIT_CODES_HELP, findSettings, type Surroundings } from "./command";

const DAY_MS = 24 * 3600 * 1000;

const HELP = `Usage: npm run companion -- certs [options]

Tells where the certificate of https://localhost is, until when it serves, who signed it and whether it is trusted.
"start --https" makes it, and makes a new one from 30 days before its end.

Options
  --renew   makes a new certificate now; it must be trusted anew
  --trust   has this system trust it, for you alone; where that needs more rights than yours, says how it is done
  --help    this text

Environment, or companion.json
  TLS_CERT_FILE, TLS_KEY_FILE
            your own certificate: it is used in place of this one, and its issuer renews it

${EXIT_CODES_HELP}`;

/** Shows, renews and installs the certificate of https. */
export const CERTS: Command = {
  summary: "shows, renews and trusts the certificate of https",
  help: HELP,
  options: { renew: { type: "boolean" }, trust: { type: "boolean" } },
  async run(values, _words, surroundings) {
    const { certificateFolder: folder = CERTIFICATE_FOLDER, environment } = surroundings;
    const { settings } = collectSettings(environment, findSettings(values, surroundings), []);
    if (settings.TLS_CERT_FILE) {
      surroundings.print(`TLS_CERT_FILE is set: "start" uses that certificate, and not this one.`);
    }
    if (values.renew || (values.trust && readCertificate(folder) === undefined)) await renewCertificate(folder);
    if (values.trust) await trust(folder, surroundings);
    else await show(folder, surroundings);
    return undefined;
  },
};

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
  return isTrustedHere ? "yes" : "no; run: npm run companion -- certs --trust";
}

async function trust(folder: string, { environment, print, platform }: Surroundings): Promise<void> {
  const isTried = await installTrust(folder, environment, platform).catch(() => true);
  if (!isTried) {
    for (const line of describeTrust(folder, platform)) print(line);
    return;
  }
  if ((await isTrusted(folder, environment, platform)) === false) {
    throw new Error(["This system does not trust the certificate yet.", ...describeTrust(folder, platform)].join("\n"));
  }
  print("This system trusts the certificate. Start Excel or the browser anew.");
}
