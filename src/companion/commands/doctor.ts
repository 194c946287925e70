import { X509Certificate } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import pkg from "../../../package.json";
import { readCertificate } from "../certificate";
import { type Configuration, isOfOne, readAllSettings } from "../configuration";
import { openInstallation } from "../installation";
import { createLogOnStarter } from "../installation/log-on";
import { findPolicies, findRegistration } from "../installation/registration";
import type { Machine } from "../machine";
import { readId, toOwnManifest } from "../manifest";
import { toIssuerName } from "../network";
import { findCompanion } from "../presence";
import { START_FOR_EXCEL, toCommand, toStartAt } from "../program";
import { isWritable } from "../store";
import { checkConnection } from "./check";
import { checkCertificate } from "./check-certificate";
import { type Finding, fail, note, pass } from "./results";
import { findFolder, findMachine, findSettings, runOnPairings, type Surroundings } from "./surroundings";

const DESCRIPTION = `Looks for what keeps the add-in from working on this computer, a line each: pass, FAIL with the cure, or a note. Node, the
settings, the storage, certificate and trust, the port and the companion on it, the manifest in Excel, policies that
forbid it, the start at log-on, the key, the provider, the clock, and what the client may read. It changes nothing.`;

/** The options as the parser gives them. */
interface Options {
  json?: boolean;
  settings?: string;
}

/** A finding with the name of its check. */
type Diagnosis = Finding & { check: string };

/** Adds the command that finds what is wrong on this computer. */
export function addDoctor(program: Command, surroundings: Surroundings): void {
  program
    .command("doctor")
    .summary("finds what keeps the add-in from working, and says how to mend it")
    .description(DESCRIPTION)
    .option("--json", "prints a list of check, verdict and text for programs")
    .option("--settings <file>", "an administrator's file of settings, as for start")
    .action((options: Options) => run(options, surroundings));
}

async function run(options: Options, surroundings: Surroundings): Promise<void> {
  const diagnoses = await diagnose(options, surroundings);
  const { print } = surroundings;
  if (options.json) print(JSON.stringify(diagnoses, null, 2));
  else for (const { check, verdict, text } of diagnoses) print(`${verdict}  ${check.padEnd(11)}  ${text}`);
  const count = diagnoses.filter(({ verdict }) => verdict === "FAIL").length;
  if (count > 0) throw new Error(`${count} of ${diagnoses.length} checks failed; each line says what to do.`);
}

async function diagnose(options: Options, surroundings: Surroundings): Promise<Diagnosis[]> {
  const { environment, nowMs = Date.now, nodeVersion = process.versions.node } = surroundings;
  const machine = findMachine(surroundings);
  const readout = readAllSettings(environment, findSettings(options, surroundings), nowMs());
  const { configuration, mistakes } = readout;
  const checks: [name: string, check: () => Promise<Finding[]>][] = [
    ["Node", async () => [checkNode(nodeVersion)]],
    ["settings", async () => (mistakes.length > 0 ? mistakes.map(fail) : [pass("The settings are complete.")])],
    ["storage", () => checkStorage(options, surroundings)],
    ["companion", async () => [await checkRunning(readout.configuration, machine)]],
    ["certificate", () => checkCertificate(readout, machine, nowMs())],
  ];
  // A companion that others reach has a manifest of its administrator's.
  if (isOfOne(configuration)) {
    checks.push(
      ["manifest", async () => [await checkManifest(configuration.port, machine, surroundings)]],
      ["policy", () => checkPolicies(machine)],
      ["log-on", async () => [await checkLogOn(machine)]],
    );
  }
  checks.push(["provider", () => checkConnection(readout, machine, nowMs, [note(NO_PROVIDER)])]);
  const diagnoses: Diagnosis[] = [];
  for (const [name, check] of checks) {
    // What a check cannot even look at is a finding.
    const findings = await check().catch((error: Error) => [fail(error.message)]);
    diagnoses.push(...findings.map(({ about = name, verdict, text }) => ({ check: about, verdict, text })));
  }
  return diagnoses;
}

const NO_PROVIDER = "No provider is set, so sample data answers. To set one, open the FEED pane's settings.";

/** Checks what has the companion's port: this companion with its present certificate, another program, or none. */
async function checkRunning({ host, port, origins, tls }: Configuration, machine: Machine): Promise<Finding> {
  const found = await findCompanion(host, port);
  if (found === "nobody") return fail(`Nothing runs at port ${port}. Start the companion: ${START_FOR_EXCEL}`);
  if (found === "another") {
    const free = toStartAt(port + 1, machine.platform);
    return fail(`Port ${port} is taken by another program. Stop that, or choose another port, such as: ${free}`);
  }
  const { version, certificate } = found;
  if (certificate !== undefined) {
    const present = tls?.cert ?? readCertificate(machine.certificateFolder)?.cert;
    return checkPresent(certificate, version, port, present);
  }
  // A proxy may end https ahead of a companion that others reach.
  if (origins.length > 0) return pass(`The companion runs at port ${port}.`);
  return fail(`The companion runs without https, which Excel needs. Stop it, and run: ${START_FOR_EXCEL}`);
}

function checkPresent(
  certificate: X509Certificate,
  version: string | undefined,
  port: number,
  cert: string | undefined,
): Finding {
  const restart = "Stop it, and start it again.";
  if (version !== undefined && version !== pkg.version) {
    return fail(`The companion that runs is version ${version}, and this is ${pkg.version}. ${restart}`);
  }
  const present = cert === undefined ? undefined : new X509Certificate(cert);
  if (present && certificate.issuer !== present.issuer) {
    const issuer = toIssuerName(certificate.toLegacyObject());
    return fail(
      `A program of this computer, such as a virus guard, puts a certificate of "${issuer}" before https://localhost:${port}. Take localhost out of its inspection of https, or set NODE_EXTRA_CA_CERTS to a file with that authority's certificate (PEM).`,
    );
  }
  if (present && present.fingerprint256 !== certificate.fingerprint256) {
    return fail(`The companion that runs has another certificate than the present one. ${restart}`);
  }
  return pass(`The companion runs at https://localhost:${port}.`);
}

const INSTALL = toCommand("install");

/** Checks that Excel on this computer knows the add-in, at the companion's address. */
async function checkManifest(port: number, machine: Machine, { webFolder }: Surroundings): Promise<Finding> {
  if (machine.platform === "linux") {
    return note(`There is no Excel for this system. How Excel on the web takes the add-in: ${INSTALL}`);
  }
  const { path, origin } = await findRegistration(readId(toOwnManifest(webFolder, port)), machine);
  if (path === undefined) return fail(`Excel does not know the add-in at port ${port}. Run: ${INSTALL}`);
  if (origin === undefined) return fail(`Excel looks for the add-in in ${path}, which is missing. Run: ${INSTALL}`);
  return pass(`Excel knows the add-in (${path}).`);
}

/** Checks for policies that keep Excel from showing the add-in. */
async function checkPolicies(machine: Machine): Promise<Finding[]> {
  if (machine.platform === "linux") return [];
  const policies = await findPolicies(machine);
  return policies.length > 0 ? policies.map(fail) : [pass("No policy was found that forbids the add-in.")];
}

/** Checks that the companion starts at log-on where that was wanted. */
async function checkLogOn(machine: Machine): Promise<Finding> {
  const on = toCommand("service on");
  const { name, isEnabled } = createLogOnStarter(machine);
  if (await isEnabled()) return pass(`The companion starts at log-on (${name}).`);
  if (await openInstallation(machine).hasLogOn()) {
    return fail(`The companion no longer starts at log-on: ${name} is gone or switched off. Run: ${on}`);
  }
  return note(`The companion does not start at log-on. If it should, run: ${on}`);
}

/** Checks the version of Node against what this program needs. */
function checkNode(version: string): Finding {
  const least = pkg.engines.node.replace(/^\D+/, "");
  if (version.localeCompare(least, "en", { numeric: true }) >= 0) return pass(`Node ${version}.`);
  return fail(`Node ${version} is too old. Install Node ${least} or newer, from https://nodejs.org.`);
}

/** Checks that the person's folder can be written, and that the pairings, or the shared store, can be read. */
async function checkStorage(options: { settings?: string }, surroundings: Surroundings): Promise<Finding[]> {
  const folder = dirname(findFolder(surroundings).settings);
  const place = findPlace(folder);
  if (!isWritable(place) || !statSync(place).isDirectory())
    return [fail(`${place} cannot be written. Give your user the right to write there.`)];
  await runOnPairings(options, surroundings, async (pairings) => {
    await pairings.list();
  });
  return [pass(`Settings and pairings are kept in ${folder}.`)];
}

/** Finds the folder, or the first thing above it that is there. */
const findPlace = (path: string): string => (existsSync(path) ? path : findPlace(dirname(path)));
