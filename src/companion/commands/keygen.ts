import { resolve } from "node:path";
import { ConfigurationError } from "../configuration";
import { readPassphrase } from "../configuration/client";
import { collectSettings } from "../configuration/sources";
import { createKeyFile, createKeyIn, KEY_BITS, type PublicKeyDescription, toKeyPath } from "../key-folder";
import {
  type Command,
  EXIT_CODES_HELP,
  findFolder,
  findSettings,
  type OptionValues,
  type Surroundings,
  UsageError,
} from "./command";

const SHORTEST_PASSPHRASE = 12;

const HELP = `Usage: npm run companion -- keygen [options]

Makes an RSA key pair: the private key in a file of yours alone, which is never overwritten and never leaves this
computer; the public key on the screen, to be sent to the provider.

Options
  --bits <n>         ${KEY_BITS.join(", ")} (default ${KEY_BITS[0]})
  --out <file>       where the private key goes (default: named by its thumbprint, in your configuration folder)
  --no-passphrase    leaves the file unencrypted, so that its mode alone protects it
  --help             this text

Environment, or your own settings file
  FEED_PRIVATE_KEY_PASSPHRASE or FEED_PRIVATE_KEY_PASSPHRASE_FILE
                     encrypts the file, ${SHORTEST_PASSPHRASE} characters or more; asked for at the terminal when neither is set

${EXIT_CODES_HELP}`;

/** Makes a key pair for the provider to register. */
export const KEYGEN: Command = {
  summary: "makes a key pair for the provider to register",
  help: HELP,
  options: { bits: { type: "string" }, out: { type: "string" }, "no-passphrase": { type: "boolean" } },
  async run(values, _words, surroundings) {
    const bits = readBits(values.bits);
    const passphrase = values["no-passphrase"] ? undefined : await promptPassphrase(surroundings);
    const { path, key } = await createKey(values.out, { bits, passphrase }, surroundings);
    for (const line of describe(path, key, passphrase !== undefined)) surroundings.print(line);
    return undefined;
  },
};

function readBits(text: OptionValues[string]): number {
  const bits = text === undefined ? KEY_BITS[0] : KEY_BITS.find((size) => String(size) === text);
  if (bits === undefined) throw new UsageError(`--bits must be one of ${KEY_BITS.join(", ")}.`);
  return bits;
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
  out: OptionValues[string],
  making: Making,
  surroundings: Surroundings,
): Promise<{ path: string; key: PublicKeyDescription }> {
  if (typeof out === "string") {
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
    "The provider answers with a client id and a key id. Then set",
    "  FEED_BASE_URL, FEED_CLIENT_ID and FEED_KEY_ID to what the provider gave you",
    `  FEED_PRIVATE_KEY_FILE to ${path}`,
    ...(isEncrypted ? ["  FEED_PRIVATE_KEY_PASSPHRASE_FILE to a file of yours alone that holds the passphrase"] : []),
    "and run: npm run companion -- check",
  ];
}
