import { describeCertificate, readCertificate, toDay } from "../../certificate";
import { isTrusted } from "../../certificate-trust";
import type { Tls } from "../../configuration/listening";
import { openInstallation } from "../../installation";
import { createLogOnStarter } from "../../installation/log-on";
import { findPolicies } from "../../installation/policies";
import { findRegistration } from "../../installation/registration";
import { type Machine, toSystemName } from "../../machine";
import { readId, toOwnManifest } from "../../manifest";
import { toCommand } from "../../program";
import { checkOwnCertificate } from "../check";
import { type Finding, fail, note, pass } from "../findings";
import type { Surroundings } from "../surroundings";

const INSTALL = toCommand("install");

/** Checks the certificate of https: the person's own, or that of the certificate folder. */
export function checkCertificate(tls: Tls | undefined, { certificateFolder }: Machine, nowMs: number): Finding {
  if (tls !== undefined) return checkOwnCertificate(tls, nowMs);
  const certificate = readCertificate(certificateFolder);
  if (certificate === undefined) return fail(`There is no certificate for https, which Excel needs. Run: ${INSTALL}`);
  const { endsMs } = describeCertificate(certificate);
  const day = toDay(endsMs);
  if (endsMs > nowMs) return pass(`The certificate of https serves until ${day}.`);
  return fail(`The certificate of https ended on ${day}. Run: ${toCommand("certs --renew")}, then: ${INSTALL}`);
}

/** Checks that the system trusts the certificate of the certificate folder. */
export async function checkTrust({ certificateFolder, environment, platform }: Machine): Promise<Finding> {
  if (readCertificate(certificateFolder) === undefined)
    return note("There is no certificate yet that could be trusted.");
  const isTrustedHere = await isTrusted(certificateFolder, environment, platform);
  if (isTrustedHere) return pass(`${toSystemName(platform)} trusts the certificate.`);
  if (isTrustedHere === false) return fail(`${toSystemName(platform)} does not trust the certificate. Run: ${INSTALL}`);
  return note(`Each browser has a list of its own of what it trusts. How to add to it: ${toCommand("certs --trust")}`);
}

/** Checks that Excel on this computer knows the add-in, at the companion's address. */
export async function checkManifest(port: number, machine: Machine, { webFolder }: Surroundings): Promise<Finding> {
  if (machine.platform === "linux") {
    return note(`There is no Excel for this system. How Excel on the web takes the add-in: ${INSTALL}`);
  }
  const { path, origin } = await findRegistration(readId(toOwnManifest(webFolder, port)), machine);
  if (path === undefined) return fail(`Excel does not know the add-in at port ${port}. Run: ${INSTALL}`);
  if (origin === undefined) return fail(`Excel looks for the add-in in ${path}, which is missing. Run: ${INSTALL}`);
  return pass(`Excel knows the add-in (${path}).`);
}

/** Checks for policies that keep Excel from showing the add-in. */
export async function checkPolicies(machine: Machine): Promise<Finding[]> {
  if (machine.platform === "linux") return [];
  const policies = await findPolicies(machine);
  return policies.length > 0 ? policies.map(fail) : [pass("No policy was found that forbids the add-in.")];
}

/** Checks that the companion starts at log-on where that was wanted. */
export async function checkLogOn(machine: Machine): Promise<Finding> {
  const on = toCommand("service on");
  const { name, isEnabled } = createLogOnStarter(machine);
  if (await isEnabled()) return pass(`The companion starts at log-on (${name}).`);
  if (await openInstallation(machine).hasLogOn()) {
    return fail(`The companion no longer starts at log-on: ${name} is gone or switched off. Run: ${on}`);
  }
  return note(`The companion does not start at log-on. If it should, run: ${on}`);
}
