import { verify } from "node:crypto";
import type { Command } from "commander";
import { type Signer, signAssertion } from "../assertion";
import { type Configuration, type Readout, readAllSettings } from "../configuration";
import { ConfigurationError } from "../configuration/reading";
import { isOfProvider, type Settings } from "../configuration/settings";
import { describeKey } from "../key-folder";
import type { Machine } from "../machine";
import type { Client } from "../provider";
import { checkCertificate } from "./check-certificate";
import { checkProvider } from "./check-provider";
import { type Finding, fail, note, pass } from "./results";
import { findMachine, findSettings, type Surroundings } from "./surroundings";

const DESCRIPTION = `Checks what "start" would start with, a line each: pass, FAIL with the cure, or a note. Settings, the key's file, size
and key id, a signature, the provider's clock, a real exchange at its token endpoint, one small read of each family of
data (token and data are dropped), and the certificate of https. "doctor" checks this computer as well.`;

const NO_PROVIDER = "No provider is set, so sample data answers, and there is no key of yours to check.";

/** Adds the command that checks settings, key, provider, rights and certificate. */
export function addCheck(program: Command, surroundings: Surroundings): void {
  program
    .command("check")
    .summary("checks settings, key, clock, provider, what the client may read, and certificate")
    .description(DESCRIPTION)
    .option("--settings <file>", "an administrator's file of settings, as for start")
    .addHelpText("after", "\nEnvironment: as for start")
    .action((options: { settings?: string }) => run(options, surroundings));
}

async function run(options: { settings?: string }, surroundings: Surroundings): Promise<void> {
  const { environment, print, nowMs = Date.now } = surroundings;
  const readout = readAllSettings(environment, findSettings(options, surroundings), nowMs());
  const { configuration, mistakes } = readout;
  const machine = findMachine(surroundings);
  // With unreadable settings it is unknown whether a provider is set.
  const without = mistakes.length > 0 ? [] : [note(NO_PROVIDER)];
  const findings = [
    ...(mistakes.length > 0 ? mistakes.map(fail) : [pass("The settings are complete.")]),
    ...(await checkConnection(readout, machine, nowMs, without)),
    ...(mistakes.length > 0 ? [] : await checkFeatures(configuration)),
    // The playground alone needs none.
    ...(await checkCertificate(readout, machine, nowMs(), note)),
  ];
  for (const { verdict, text } of findings) print(`${verdict}  ${text}`);
  refuseFailures(findings, mistakes);
}

/**
 * Checks the keys and the provider.
 * @param without The findings where no provider is set.
 */
export async function checkConnection(
  { settings, configuration, mistakes }: Readout,
  machine: Machine,
  nowMs: () => number,
  without: Finding[],
): Promise<Finding[]> {
  if (!Object.keys(settings).some(isOfProvider)) return without;
  const { provider, network } = configuration;
  if (provider === undefined) return [];
  const keys = (await checkKeys(provider.client, settings, nowMs())).map((finding) => ({ ...finding, about: "key" }));
  if (mistakes.some(isOfProvider)) return keys;
  return [...keys, ...(await checkProvider(provider, network, machine, nowMs))];
}

async function checkFeatures({ features, network }: Configuration): Promise<Finding[]> {
  const findings = features.map((feature) => feature.check(network));
  return (await Promise.all(findings)).flat();
}

function refuseFailures(findings: readonly Finding[], mistakes: readonly string[]): void {
  const count = findings.filter(({ verdict }) => verdict === "FAIL").length;
  if (count === 0) return;
  const sentence = `${count} of ${findings.length} checks failed; each line above says what to do.`;
  throw mistakes.length > 0 ? new ConfigurationError(mistakes, sentence) : new Error(sentence);
}

/** An audience of no provider: the signed assertion is valid nowhere. */
const DRY_AUDIENCE = "urn:feed-for-excel:check";

/** Checks each key of a client: its file, its size, and a signature by its public half. */
async function checkKeys(client: Client, settings: Settings, nowMs: number): Promise<Finding[]> {
  const findings = client.signers.map(async (signer, index) => [
    index === 0 ? checkPlace(settings) : checkFile(settings.FEED_PREVIOUS_PRIVATE_KEY_FILE),
    await checkSize(signer, index),
    await checkSignature(client.clientId, signer, nowMs),
  ]);
  return (await Promise.all(findings)).flat();
}

function checkPlace({ FEED_PRIVATE_KEY_FILE, FEED_PRIVATE_KEY }: Settings): Finding {
  if (FEED_PRIVATE_KEY_FILE) return checkFile(FEED_PRIVATE_KEY_FILE);
  if (FEED_PRIVATE_KEY) {
    return note(
      "FEED_PRIVATE_KEY holds the key itself: a file of yours alone (FEED_PRIVATE_KEY_FILE) is seen by fewer.",
    );
  }
  return pass("The private key stays with the program of FEED_SIGNER_COMMAND.");
}

/** Describes a key's file: settings with a file that others may read were refused before. */
function checkFile(path = ""): Finding {
  if (process.platform === "win32") return note(`Who may read ${path} is not seen from here. See: icacls "${path}"`);
  return pass(`Nobody else may read ${path}.`);
}

async function checkSize({ keyId, publicKey }: Signer, index: number): Promise<Finding> {
  const { bits, thumbprint } = await describeKey(publicKey);
  const which = index === 0 ? "Key" : "Previous key";
  const text = `${which} "${keyId}": RSA, ${bits} bits, thumbprint ${thumbprint}.`;
  return keyId === "" ? fail(`${which} without a key id. Set what the provider issued for it.`) : pass(text);
}

async function checkSignature(clientId: string, signer: Signer, nowMs: number): Promise<Finding> {
  try {
    const { assertion } = await signAssertion(clientId, signer, DRY_AUDIENCE, nowMs);
    const [input, signature = ""] = assertion.split(/\.(?=[^.]*$)/);
    const isValid = verify("sha256", Buffer.from(input!), signer.publicKey, Buffer.from(signature, "base64url"));
    if (isValid) return pass(`Key "${signer.keyId}" signs, and its public half verifies the signature.`);
    return fail(`What key "${signer.keyId}" signs, its public half does not verify. Check that both are of one pair.`);
  } catch (error) {
    return fail(`Key "${signer.keyId}" does not sign. ${(error as Error).message}`);
  }
}
