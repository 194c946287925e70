import type { Command } from "commander";
import { toCertificatePaths } from "../certificate";
import { describeTrust, isTrusted } from "../certificate-trust";
import { readAllSettings } from "../configuration";
import { type Installation, openInstallation } from "../installation";
import { findPolicies, toManifestPath } from "../installation/registration";
import { type Machine, toSystemName } from "../machine";
import { readId, toOwnManifest } from "../manifest";
import { START_FOR_EXCEL, toCommand } from "../program";
import { warnOfSettings } from "./service";
import { findMachine, findSettings, type Surroundings } from "./surroundings";

const DESCRIPTION = `Sets this computer up for you alone, without an administrator's rights: makes the certificate of https://localhost
where there is none, has the system trust it once you agree, and has Excel know the add-in. What is set up already
stays as it is. "uninstall" takes everything back.`;

/** The options as the parser gives them. */
interface Options {
  yes?: boolean;
  service?: boolean;
}

/** Adds the command that sets this computer up. */
export function addInstall(program: Command, surroundings: Surroundings): void {
  program
    .command("install")
    .summary("sets this computer up: certificate, trust, and the add-in in Excel")
    .description(DESCRIPTION)
    .option("--yes", "agrees that this system trusts the certificate, without being asked")
    .option("--service", "also starts the companion now and whenever you log on, as: service on")
    .action((options: Options) => run(options, surroundings));
}

async function run({ yes = false, service = false }: Options, surroundings: Surroundings): Promise<void> {
  const { environment, webFolder, print, nowMs = Date.now } = surroundings;
  const machine = findMachine(surroundings);
  const installation = openInstallation(machine);
  const { configuration, settings } = readAllSettings(environment, findSettings({}, surroundings), nowMs());
  const manifest = toOwnManifest(webFolder, configuration.port);
  for (const policy of await findPolicies(machine)) throw new Error(policy);
  // A certificate of the person's own is their own affair.
  if (!settings.TLS_CERT_FILE) {
    await refuseUnlessAgreed(yes, machine, surroundings);
    await setUpCertificate(installation, machine, surroundings);
  }
  await installation.register(manifest);
  for (const line of describeManifest(machine, readId(manifest))) print(line);
  if (service) {
    await installation.startAtLogOn();
    print("The companion runs, and starts whenever you log on.");
    warnOfSettings(surroundings);
  } else {
    print(`Start the companion: ${START_FOR_EXCEL}. To have it start whenever you log on: ${toCommand("service on")}`);
  }
  print(`If anything fails: ${toCommand("doctor")}. To take it all back: ${toCommand("uninstall")}`);
}

/** Explains what trust means, and asks, before anything is changed. */
async function refuseUnlessAgreed(
  isAgreed: boolean,
  machine: Machine,
  { print, confirm }: Pick<Surroundings, "print" | "confirm">,
): Promise<void> {
  const { platform, certificateFolder, environment } = machine;
  if (platform === "linux" || (await isTrustedAlready(certificateFolder, environment, platform))) return;
  for (const line of explainTrust(machine)) print(line);
  if (isAgreed) return;
  if (confirm === undefined) {
    throw new Error("Nothing was changed: your consent is needed, and there is no terminal to ask at. Add --yes.");
  }
  if (!(await confirm("Trust the certificate?"))) {
    throw new Error("Nothing was changed. Excel shows the add-in only under a certificate that this computer trusts.");
  }
}

/** A certificate that is not there yet cannot be trusted. */
const isTrustedAlready = (...[folder, environment, platform]: Parameters<typeof isTrusted>) =>
  isTrusted(folder, environment, platform).catch(() => false);

function explainTrust({ platform, certificateFolder }: Machine): string[] {
  const { authority } = toCertificatePaths(certificateFolder);
  const system = toSystemName(platform);
  return [
    `Excel shows the add-in only under a certificate that ${system} trusts. This is what you agree to:`,
    `  ${system} accepts, for your user alone, each certificate that one authority has signed:`,
    `  ${authority}`,
    "  It has signed one, for https://localhost on this computer. Its own key was not kept, so that it signs no other.",
    `  "${toCommand("uninstall")}" takes the trust back.`,
  ];
}

async function setUpCertificate(
  installation: Installation,
  { platform, certificateFolder }: Machine,
  { print, nowMs = Date.now }: Surroundings,
): Promise<void> {
  const isNew = await installation.ensureCertificate(nowMs());
  const { cert } = toCertificatePaths(certificateFolder);
  print(isNew ? `The certificate was made: ${cert}` : `The certificate is there: ${cert}`);
  if (platform === "linux") {
    for (const line of describeTrust(certificateFolder, platform)) print(line);
    return;
  }
  await installation.trust();
  print(`${toSystemName(platform)} trusts the certificate.`);
}

function describeManifest(machine: Machine, id: string): string[] {
  const path = toManifestPath(machine, id);
  if (machine.platform === "linux") {
    return [
      "There is no Excel for this system. Excel on the web takes the add-in's manifest:",
      `  Home > Add-ins > More Settings > Upload My Add-in, and choose ${path}`,
    ];
  }
  return [`Excel knows the add-in (${path}). Start Excel anew, then: Home > Add-ins > FEED for Excel.`];
}
