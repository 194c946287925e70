import type { KeyObject } from "node:crypto";
import { isLoopback } from "./address";
import type { Client } from "./client";
import { readPrivateKey, readPrivateKeyFile } from "./key";
import { createKeySigner } from "./signer";

const PROVIDER_SETTINGS = [
  "FEED_BASE_URL",
  "FEED_CLIENT_ID",
  "FEED_KEY_ID",
  "FEED_PRIVATE_KEY_FILE",
  "FEED_PRIVATE_KEY",
  "FEED_PRIVATE_KEY_PASSPHRASE",
  "FEED_TRANSPORT",
];
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];
const DEFAULT_PORT = 3000;
/** The last port there is. */
export const LARGEST_PORT = 65_535;

/** How the pane's calls travel: through the companion, or from the pane straight to the provider. */
export type Transport = "proxy" | "direct";

/** Who exchanges assertions for tokens: the pane, or the companion, which then keeps them to itself. */
export type Mode = "sign" | "relay";

/** The environment's settings, checked. */
export interface Configuration {
  /** The loopback name or address to listen on; default "localhost", which is every one of them. */
  host: string;
  /** 0 to 65535, where 0 takes any free port; default 3000. */
  port: number;
  /** A level of pino; default "warn". */
  logLevel: string;
  /** Default "sign". */
  mode: Mode;
  /** Default "proxy": a provider may send no CORS headers. */
  transport: Transport;
  /** Further origins under which people reach the companion's pages, such as "https://feed.example.com"; default none. */
  origins: readonly string[];
  /** Absent when no setting of a provider is present at all: then the embedded sandbox answers. */
  provider?: { baseUrl: string; client: Client };
}

/** Every mistake of the environment at once, one line each. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  constructor(readonly mistakes: readonly string[]) {
    super(["The companion does not start:", ...mistakes.map((mistake) => `  - ${mistake}`)].join("\n"));
  }
}

/**
 * Reads the companion's settings.
 * @param environment As `process.env`; a name that starts with FEED_ is always a setting of a provider, even an empty or an unknown one.
 * @throws ConfigurationError listing all that is wrong or missing.
 */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  const mistakes: string[] = [];
  const configuration: Configuration = {
    host: readHost(environment.HOST, mistakes),
    port: readPort(environment.PORT, mistakes),
    logLevel: readChoice("LOG_LEVEL", environment.LOG_LEVEL || undefined, LOG_LEVELS, "warn", mistakes),
    mode: "sign",
    transport: "proxy",
    origins: [],
  };
  const present = Object.keys(environment).filter((name) => name.startsWith("FEED_"));
  if (present.length > 0) {
    configuration.transport = readTransport(environment, mistakes);
    configuration.provider = readProvider(environment, present, mistakes);
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return configuration;
}

function readProvider(
  environment: NodeJS.ProcessEnv,
  present: string[],
  mistakes: string[],
): Configuration["provider"] {
  for (const name of present) {
    if (!PROVIDER_SETTINGS.includes(name))
      mistakes.push(`${name} is not a setting. Known: ${PROVIDER_SETTINGS.join(", ")}.`);
  }
  const baseUrl = readBaseUrl(environment, mistakes);
  const clientId = readRequired(environment, "FEED_CLIENT_ID", "the client id that the provider issued", mistakes);
  const keyId = readRequired(environment, "FEED_KEY_ID", "the key id (kid) that the provider issued", mistakes);
  const privateKey = readKey(environment, mistakes);
  if (privateKey === undefined) return undefined;
  return { baseUrl, client: { clientId, signers: [createKeySigner(keyId, privateKey)] } };
}

function readKey(environment: NodeJS.ProcessEnv, mistakes: string[]): KeyObject | undefined {
  const { FEED_PRIVATE_KEY_FILE: path, FEED_PRIVATE_KEY: pem, FEED_PRIVATE_KEY_PASSPHRASE: passphrase } = environment;
  if (path && pem) {
    mistakes.push("FEED_PRIVATE_KEY_FILE and FEED_PRIVATE_KEY are both set: keep one.");
    return undefined;
  }
  try {
    if (path) return readPrivateKeyFile(path, passphrase);
    if (pem) return readPrivateKey(pem, passphrase);
    mistakes.push(
      "FEED_PRIVATE_KEY_FILE is missing: the path of the private key (or FEED_PRIVATE_KEY, the key itself).",
    );
  } catch (error) {
    mistakes.push(`${path ? "FEED_PRIVATE_KEY_FILE" : "FEED_PRIVATE_KEY"}: ${(error as Error).message}`);
  }
  return undefined;
}

function readBaseUrl(environment: NodeJS.ProcessEnv, mistakes: string[]): string {
  const text = readRequired(
    environment,
    "FEED_BASE_URL",
    "the address that the provider's paths stand below",
    mistakes,
  );
  if (text === "") return text;
  if (!URL.canParse(text)) {
    mistakes.push(`FEED_BASE_URL is not an address like https://feed.example.com (it is "${text}").`);
    return text;
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    mistakes.push("FEED_BASE_URL must begin with https:// (http:// is for this machine only).");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    mistakes.push("FEED_BASE_URL must hold no user name, password, ? or #.");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function readTransport(environment: NodeJS.ProcessEnv, mistakes: string[]): Transport {
  return readChoice("FEED_TRANSPORT", environment.FEED_TRANSPORT, ["proxy", "direct"], "proxy", mistakes) as Transport;
}

/** Whoever reaches the companion has it sign, for it asks nobody who they are: so it is never offered to a network. */
function readHost(text: string | undefined, mistakes: string[]): string {
  const host = text || "localhost";
  if (!isLoopback(host) && host !== "::1") {
    mistakes.push(`HOST is "${host}": the companion listens on this machine only. Unset HOST.`);
  }
  return host;
}

function readPort(text: string | undefined, mistakes: string[]): number {
  if (text === undefined || text === "") return DEFAULT_PORT;
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= LARGEST_PORT) return port;
  mistakes.push(`PORT must be a whole number from 0 to ${LARGEST_PORT} (it is "${text}").`);
  return DEFAULT_PORT;
}

function readRequired(environment: NodeJS.ProcessEnv, name: string, meaning: string, mistakes: string[]): string {
  const text = environment[name]?.trim() ?? "";
  if (text === "") mistakes.push(`${name} is missing: ${meaning}.`);
  return text;
}

function readChoice(
  name: string,
  text: string | undefined,
  choices: readonly string[],
  preset: string,
  mistakes: string[],
): string {
  if (text === undefined) return preset;
  if (choices.includes(text)) return text;
  mistakes.push(`${name} must be one of ${choices.join(", ")} (it is "${text}").`);
  return preset;
}
