import { describeCertificate, readCertificate, toDay, warnOfEnd } from "../certificate";
import { isTrusted } from "../certificate-trust";
import type { Readout } from "../configuration";
import { type Machine, toSystemName } from "../machine";
import { toCommand } from "../program";
import { type Finding, fail, note, pass } from "./results";

const INSTALL = toCommand("install");

/**
 * Judges the certificate of https, in the same words for each command: the person's own, or that of the certificate
 * folder unless a proxy has it. Whether the system trusts it is a finding about "trust".
 * @param nowMs Milliseconds since 1970.
 * @param judgeMissing The verdict where none has been made; default a failure.
 */
export async function checkCertificate(
  { settings, configuration: { tls, origins } }: Readout,
  machine: Machine,
  nowMs: number,
  judgeMissing = fail,
): Promise<Finding[]> {
  if (tls !== undefined) {
    const certificate = { ...tls, authority: tls.cert };
    const { endsMs } = describeCertificate(certificate);
    const warning = warnOfEnd(certificate, nowMs);
    return [warning ? fail(warning) : pass(`The certificate of TLS_CERT_FILE serves until ${toDay(endsMs)}.`)];
  }
  if (origins.some((origin) => origin.startsWith("https:")))
    return [note(`The certificate of ${origins.join(", ")} is its proxy's, and is not checked here.`)];
  // A mistake in these is reported already, and whose certificate is used is not known.
  if (settings.TLS_CERT_FILE || settings.TLS_KEY_FILE || (settings.ALLOWED_ORIGINS && origins.length === 0)) return [];
  try {
    return await checkLocal(machine, nowMs, judgeMissing);
  } catch (error) {
    return [fail((error as Error).message)];
  }
}

const MISSING = `There is no certificate for https, which Excel needs and the playground does not. Run: ${INSTALL}`;

/** @throws Error where its files cannot be used */
async function checkLocal(machine: Machine, nowMs: number, judgeMissing: typeof fail): Promise<Finding[]> {
  const certificate = readCertificate(machine.certificateFolder);
  if (certificate === undefined) return [judgeMissing(MISSING)];
  const { endsMs } = describeCertificate(certificate);
  const day = toDay(endsMs);
  if (endsMs <= nowMs)
    return [fail(`The certificate of https ended on ${day}. Run: ${toCommand("certs --renew")}, then: ${INSTALL}`)];
  return [pass(`The certificate of https serves until ${day}.`), { ...(await checkTrust(machine)), about: "trust" }];
}

async function checkTrust({ certificateFolder, environment, platform }: Machine): Promise<Finding> {
  const isTrustedHere = await isTrusted(certificateFolder, environment, platform);
  if (isTrustedHere) return pass(`${toSystemName(platform)} trusts the certificate.`);
  if (isTrustedHere === false) return fail(`${toSystemName(platform)} does not trust the certificate. Run: ${INSTALL}`);
  return note(`Each browser has a list of its own of what it trusts. How to add to it: ${toCommand("certs --trust")}`);
}
