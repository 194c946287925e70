import { X509Certificate } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { dirname } from "node:path";
import type { TLSSocket } from "node:tls";
import type { Command } from "commander";
import pkg from "../../../package.json";
import { CLIENT_HEADER, CLIENT_NAME, REFUSAL_HEADER } from "../../contract/companion-api";
import { describeCertificate, readCertificate, toDay } from "../certificate";
import { isTrusted } from "../certificate-trust";
import { type Configuration, isOfOne, readAllSettings } from "../configuration";
import type { Tls } from "../configuration/listening";
import { openInstallation } from "../installation";
import { createLogOnStarter } from "../installation/log-on";
import { findPolicies, findRegistration } from "../installation/registration";
import { parseJson } from "../json";
import { type Machine, toSystemName } from "../machine";
import { readId, toOwnManifest } from "../manifest";
import { toIssuerName } from "../network";
import { START_FOR_EXCEL, toCommand, toStartAt } from "../program";
import { isWritable } from "../store";
import { checkConnection, checkOwnCertificate } from "./check";
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
  ];
  // A companion that others reach has a certificate and a manifest of its administrator's.
  if (isOfOne(configuration)) {
    checks.push(
      ["certificate", async () => [checkCertificate(configuration.tls, machine, nowMs())]],
      ["trust", async () => (configuration.tls ? [] : [await checkTrust(machine)])],
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
const TIMEOUT_MS = 5_000;
const LARGEST_ANSWER = 64 * 1024;

/** What answers at an address. */
interface Answer {
  isCompanion: boolean;
  /** Absent where the companion tells it to paired pages alone. */
  version?: string;
  /** Its certificate; absent without https. */
  certificate?: X509Certificate;
}

/** Checks what has the companion's port: this companion with its present certificate, another program, or none. */
async function checkRunning({ port, origins, tls }: Configuration, machine: Machine): Promise<Finding> {
  const secure = await probe("https", port);
  if (secure === "refused") return fail(`Nothing runs at port ${port}. Start the companion: ${START_FOR_EXCEL}`);
  if (secure?.isCompanion)
    return checkPresent(secure, port, tls?.cert ?? readCertificate(machine.certificateFolder)?.cert);
  const plain = await probe("http", port);
  if (plain === "refused" || !plain?.isCompanion) {
    const free = toStartAt(port + 1, machine.platform);
    return fail(`Port ${port} is taken by another program. Stop that, or choose another port, such as: ${free}`);
  }
  // A proxy may end https ahead of a companion that others reach.
  if (origins.length > 0) return pass(`The companion runs at port ${port}.`);
  return fail(`The companion runs without https, which Excel needs. Stop it, and run: ${START_FOR_EXCEL}`);
}

function checkPresent(answer: Answer, port: number, cert: string | undefined): Finding {
  const restart = "Stop it, and start it again.";
  if (answer.version !== undefined && answer.version !== pkg.version) {
    return fail(`The companion that runs is version ${answer.version}, and this is ${pkg.version}. ${restart}`);
  }
  const { certificate } = answer;
  const present = cert === undefined ? undefined : new X509Certificate(cert);
  if (certificate && present && certificate.issuer !== present.issuer) {
    const issuer = toIssuerName(certificate.toLegacyObject());
    return fail(
      `A program of this computer, such as a virus guard, puts a certificate of "${issuer}" before https://localhost:${port}. Take localhost out of its inspection of https, or set NODE_EXTRA_CA_CERTS to a file with that authority's certificate (PEM).`,
    );
  }
  if (present && present.fingerprint256 !== certificate?.fingerprint256) {
    return fail(`The companion that runs has another certificate than the present one. ${restart}`);
  }
  return pass(`The companion runs at https://localhost:${port}.`);
}

/** Asks a port of this computer who is there; undefined where something is that does not answer such a request. */
function probe(scheme: "http" | "https", port: number): Promise<Answer | "refused" | undefined> {
  return new Promise((resolve) => {
    const request = scheme === "https" ? requestSecure : requestPlain;
    const headers = { [CLIENT_HEADER]: CLIENT_NAME };
    // Nothing secret is sent, and an untrusted certificate is what is looked for.
    const options = { host: "localhost", port, path: "/companion/config", headers, rejectUnauthorized: false };
    const sent = request({ ...options, agent: false, timeout: TIMEOUT_MS }, (response) => {
      readAnswer(response).then(resolve, () => resolve(undefined));
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ECONNREFUSED" ? "refused" : undefined);
    });
    sent.end();
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  // Without https its socket has no certificate.
  const certificate = (response.socket as Partial<TLSSocket>).getPeerX509Certificate?.();
  let text = "";
  for await (const part of response) {
    text += part;
    if (text.length > LARGEST_ANSWER) break;
  }
  if (response.headers[REFUSAL_HEADER] !== undefined) return { isCompanion: true, certificate };
  const answer: { version?: string } = Object(parseJson(text));
  return { isCompanion: typeof answer.version === "string" && "mode" in answer, version: answer.version, certificate };
}

const INSTALL = toCommand("install");

/** Checks the certificate of https: the person's own, or that of the certificate folder. */
function checkCertificate(tls: Tls | undefined, { certificateFolder }: Machine, nowMs: number): Finding {
  if (tls !== undefined) return checkOwnCertificate(tls, nowMs);
  const certificate = readCertificate(certificateFolder);
  if (certificate === undefined) return fail(`There is no certificate for https, which Excel needs. Run: ${INSTALL}`);
  const { endsMs } = describeCertificate(certificate);
  const day = toDay(endsMs);
  if (endsMs > nowMs) return pass(`The certificate of https serves until ${day}.`);
  return fail(`The certificate of https ended on ${day}. Run: ${toCommand("certs --renew")}, then: ${INSTALL}`);
}

/** Checks that the system trusts the certificate of the certificate folder. */
async function checkTrust({ certificateFolder, environment, platform }: Machine): Promise<Finding> {
  if (readCertificate(certificateFolder) === undefined)
    return note("There is no certificate yet that could be trusted.");
  const isTrustedHere = await isTrusted(certificateFolder, environment, platform);
  if (isTrustedHere) return pass(`${toSystemName(platform)} trusts the certificate.`);
  if (isTrustedHere === false) return fail(`${toSystemName(platform)} does not trust the certificate. Run: ${INSTALL}`);
  return note(`Each browser has a list of its own of what it trusts. How to add to it: ${toCommand("certs --trust")}`);
}

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
  if (compareVersions(version, least) >= 0) return pass(`Node ${version}.`);
  return fail(`Node ${version} is too old. Install Node ${least} or newer, from https://nodejs.org.`);
}

function compareVersions(one: string, other: string): number {
  const [ours = [], theirs = []] = [one, other].map((version) => version.split(".").map(Number));
  return (ours[0] ?? 0) - (theirs[0] ?? 0) || (ours[1] ?? 0) - (theirs[1] ?? 0);
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
