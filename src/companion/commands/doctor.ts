import type { Command } from "commander";
import { isOfOne, type Readout, readAllSettings } from "../configuration";
import { isOfProvider } from "../configuration/settings";
import type { Machine } from "../machine";
import { checkKeys } from "./check";
import { checkProvider } from "./check-provider";
import { checkNode, checkStorage } from "./doctor/computer";
import { checkCertificate, checkLogOn, checkManifest, checkPolicies, checkTrust } from "./doctor/excel";
import { checkRunning } from "./doctor/running";
import { type Finding, fail, note, pass } from "./findings";
import { findMachine, findSettings, type Surroundings } from "./surroundings";

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
  checks.push(["provider", () => checkConnection(readout, machine, nowMs)]);
  const diagnoses: Diagnosis[] = [];
  for (const [name, check] of checks) {
    // What a check cannot even look at is a finding.
    const findings = await check().catch((error: Error) => [fail(error.message)]);
    diagnoses.push(...findings.map(({ about = name, verdict, text }) => ({ check: about, verdict, text })));
  }
  return diagnoses;
}

async function checkConnection(
  { settings, configuration, mistakes }: Readout,
  machine: Machine,
  nowMs: () => number,
): Promise<Finding[]> {
  if (!Object.keys(settings).some(isOfProvider)) {
    return [note("No provider is set, so sample data answers. To set one, open the FEED pane's settings.")];
  }
  const { provider, network } = configuration;
  if (provider === undefined) return [];
  const keys = (await checkKeys(provider.client, settings, nowMs())).map((finding) => ({ ...finding, about: "key" }));
  if (mistakes.some(isOfProvider)) return keys;
  return [...keys, ...(await checkProvider(provider, network, machine, nowMs))];
}
