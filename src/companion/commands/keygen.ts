import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { readPassphrase } from "../configuration/client";
import { ConfigurationError } from "../configuration/reading";
import { collectSettings } from "../configuration/sources";
import {
  createKeyFile,
  createKeyIn,
  createSignInKey,
  KEY_BITS,
  type PublicKeyDescription,
  toKeyPath,
} from "../key-folder";
import { PROGRAM_NAME, toCommand } from "../program";
import { UsageError } from "./results";
import { findFolder, findSettings, type Surroundings } from "./surroundings";

const SHORTEST_PASSPHRASE = 12;

const DESCRIPTION = `Makes an RSA key pair: the private key in a file of yours alone, which is never overwritten and never leaves this
computer; the public key on the screen, to be sent to the provider.`;

const ENVIRONMENT = `
Environment, or your own settings file
  FEED_PRIVATE_KEY_PASSPHRASE or FEED_PRIVATE_KEY_PASSPHRASE_FILE
      encrypts the file, ${SHORTEST_PASSPHRASE} characters or more; asked for at the terminal when neither is set`;

const SIZES = KEY_BITS.map(String);

/** The options as the parser gives them. */
interface Options {
  bits: string;
  out?: string;
  passphrase: boolean;
  signIn?: boolean;
}

/** Adds the command that makes a key pair for the provider to register. */
export function addKeygen(program: Command, surroundings: Surroundings): void {
  program
    .command("keygen")
    .summary("makes a key pair for the provider to register")
    .description(DESCRIPTION)
    .addOption(new Option("--bits <n>", "the key's size").choices(SIZES).default(SIZES[0]))
    .option("--out <file>", "the private key's file (default: named by its thumbprint, in your configuration folder)")
    .option("--no-passphrase", "leaves the file unencrypted, so that its mode alone protects it")
    .option("--sign-in", "makes instead what signs the sign-ins of a firm (FEED_SIGN_IN_KEY_FILE); it needs --out")
    .addHelpText("after", ENVIRONMENT)
    .action((options: Options) => (options.signIn ? makeSignInKey(options, surroundings) : run(options, surroundings)));
}

function makeSignInKey({ out }: Options, { print }: Surroundings): void {
  if (out === undefined) throw new UsageError("Give --out FILE: where the key of sign-ins is to be.");
  const path = resolve(out);
  createSignInKey(path);
  print(`The key of sign-ins is in ${path}. Send it to nobody: whoever has it signs in as anybody.`);
  print("All instances have the same one: set FEED_SIGN_IN_KEY_FILE to it.");
}

async function run({ bits, out, passphrase: isEncrypted }: Options, surroundings: Surroundings): Promise<void> {
  const passphrase = isEncrypted ? await promptPassphrase(surroundings) : undefined;
  const { path, key } = await createKey(out, { bits: Number(bits), passphrase }, surroundings);
  for (const line of describe(path, key, isEncrypted)) surroundings.print(line);
}

async function promptPassphrase(surroundings: Surroundings): Promise<string> {
  const { promptSecret } = surroundings;
  const set = readSetPassphrase(surroundings);
  if (set !== undefined) return set;
  if (promptSecret === undefined) {
    throw new Error(
      "A passphrase is needed, and there is no terminal to ask at: set FEED_PRIVATE_KEY_PASSPHRASE_FILE, or choose --no-passphrase.",
    );
  }
  const typed = refuseShort(
    await promptSecret(`Passphrase of the new key (${SHORTEST_PASSPHRASE} characters or more): `),
  );
  if ((await promptSecret("Once more: ")) === typed) return typed;
  throw new Error("The two passphrases differ, so no key was made. Run it again.");
}

/** Reads the passphrase as `start` does, so that it opens the new key. */
function readSetPassphrase(surroundings: Surroundings): string | undefined {
  try {
    const { settings } = collectSettings(surroundings.environment, findSettings({}, surroundings), []);
    const passphrase = readPassphrase(settings);
    return passphrase && refuseShort(passphrase);
  } catch (error) {
    throw new ConfigurationError([(error as Error).message]);
  }
}

function refuseShort(passphrase: string): string {
  if ([...passphrase].length >= SHORTEST_PASSPHRASE) return passphrase;
  throw new Error(
    `The passphrase is shorter than ${SHORTEST_PASSPHRASE} characters, so no key was made. Choose a longer one.`,
  );
}

type Making = Parameters<typeof createKeyFile>[1];

async function createKey(
  out: string | undefined,
  making: Making,
  surroundings: Surroundings,
): Promise<{ path: string; key: PublicKeyDescription }> {
  if (out !== undefined) {
    const path = resolve(out);
    return { path, key: await createKeyFile(path, making) };
  }
  const { keys } = findFolder(surroundings);
  const key = await createKeyIn(keys, making);
  return { path: toKeyPath(keys, key.thumbprint), key };
}

function describe(
  path: string,
  { publicKeyPem, jwk, thumbprint }: PublicKeyDescription,
  isEncrypted: boolean,
): string[] {
  return [
    `The private key is in ${path}, ${isEncrypted ? "encrypted" : "not encrypted"}. Send it to nobody.`,
    "",
    "Send only this to your provider:",
    "",
    publicKeyPem.trim(),
    "",
    "The same as a JWK:",
    JSON.stringify(jwk),
    "",
    `Thumbprint (SHA-256), to compare by telephone: ${thumbprint}`,
    "",
    "The provider answers with a base URL, a client id and a key id. Then set",
    "  FEED_BASE_URL, FEED_CLIENT_ID and FEED_KEY_ID to these",
    `  FEED_PRIVATE_KEY_FILE to ${path}`,
    "    (where your settings name it already, as under /run/credentials for systemd, leave it so)",
    ...(isEncrypted ? ["  FEED_PRIVATE_KEY_PASSPHRASE_FILE to a file of yours alone that holds the passphrase"] : []),
    `and run: ${toCommand("check")}${PROGRAM_NAME === "feed" ? " (from the unpacked package: node feed.mjs check)" : ""}`,
  ];
}
