import { readFileSync } from "node:fs";
import { readBaseUrl, readClient } from "./configuration/client";
import { readHost, readOrigins, readTls, type Tls, toCertificate } from "./configuration/listening";
import { attempt, ConfigurationError, type Reading, readChoice, readCount } from "./configuration/reading";
import { isOfProvider, PRESETS, SETTINGS, type Settings } from "./configuration/settings";
import { collectSettings, type SettingsFiles, type Sources } from "./configuration/sources";
import type { ConfiguredFeature } from "./feature";
import { FEATURES } from "./features";
import { type Network, readBypass, readProxy } from "./network";
import type { Client } from "./provider";
import { readTrustedFile } from "./trusted-file";

const { counts, words } = SETTINGS;

/** How the pane's calls travel: through the companion, or directly to the provider. */
export type Transport = (typeof words.FEED_TRANSPORT)[number];

/** Where assertions are exchanged for tokens: in the pane, or in the companion, which then withholds them. */
export type Mode = (typeof words.FEED_MODE)[number];

/** All settings, validated. */
export interface Configuration {
  /** The name or address to listen on; default "localhost", which is every loopback address. */
  host: string;
  /** 0 to 65535, where 0 takes any free port; default 3000. */
  port: number;
  /** How many weeks the sample data have moved on at the start; default 0. */
  sampleWeeks: number;
  /** A level of pino; default "info" with a provider, else "warn". */
  logLevel: string;
  /** Default "sign". */
  mode: Mode;
  /** Default "proxy": a provider may send no CORS headers. */
  transport: Transport;
  /** Further origins of the companion's pages, such as "https://feed.example.com"; default none. */
  origins: readonly string[];
  /** Whether the playground is served; default only where no further origin and no sign-in is set. */
  hasPlayground: boolean;
  /** An own certificate for https; default none. */
  tls?: Tls;
  /** The features, each with its own settings. */
  features: readonly ConfiguredFeature[];
  /** How provider and identity provider are reached. */
  network: Network;
  /** The provider's settings that the pane may not change, since they are given elsewhere. */
  given: ReadonlySet<string>;
  /** Absent without any setting of a provider: then the embedded sandbox answers. */
  provider?: { baseUrl: string; client: Client };
}

/** Whether one person uses the companion: nobody reaches it by a further origin, and nobody signs in. */
export function isOfOne({ origins, features }: Pick<Configuration, "origins" | "features">): boolean {
  return origins.length === 0 && !features.some(({ hasSignIn }) => hasSignIn);
}

/** The settings, with all their mistakes. */
export interface Readout {
  settings: Settings;
  /** Not valid where there are mistakes. */
  configuration: Configuration;
  mistakes: readonly string[];
}

/**
 * Reads the companion's settings from the environment and one file; the environment wins.
 * @param environment As `process.env`; any name that starts with FEED_ counts as a provider's setting, even an empty or
 *   unknown one.
 * @param files The file to read, or the person's own settings before they are written; default none.
 * @param nowMs Milliseconds since 1970, for the certificate.
 * @throws ConfigurationError listing all mistakes.
 */
export function readConfiguration(
  environment: Settings,
  files: SettingsFiles = {},
  nowMs: number = Date.now(),
): Configuration {
  const { configuration, mistakes } = readAllSettings(environment, files, nowMs);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return configuration;
}

/** Reads the settings as `readConfiguration` does, and gives the valid parts beside the mistakes. */
export function readAllSettings(environment: Settings, files: SettingsFiles, nowMs: number): Readout {
  const mistakes: string[] = [];
  const { settings, given } = collect(environment, files, mistakes);
  const reportedNames = mistakes.map(readName);
  const configuration = toConfiguration({ settings, mistakes }, given, nowMs);
  // A mistake already reported for a name is not repeated by what follows from it.
  const isNew = (mistake: string, index: number) =>
    index < reportedNames.length || !reportedNames.includes(readName(mistake));
  return { settings, configuration, mistakes: mistakes.filter(isNew) };
}

function toConfiguration(reading: Reading, given: Configuration["given"], nowMs: number): Configuration {
  const { settings } = reading;
  const hasProvider = Object.keys(settings).some(isOfProvider);
  const origins = readOrigins(reading);
  const features = FEATURES.map((feature) => feature.configure(reading));
  const logLevel = PRESETS.LOG_LEVEL[hasProvider ? "withProvider" : "withSample"];
  const playground = PRESETS.PLAYGROUND[isOfOne({ origins, features }) ? "ofOne" : "ofFirm"];
  return {
    host: readHost(reading, hasProvider, origins),
    port: readCount(reading, "PORT", counts.PORT),
    sampleWeeks: readCount(reading, "SAMPLE_WEEKS", counts.SAMPLE_WEEKS),
    logLevel: readChoice(reading, "LOG_LEVEL", words.LOG_LEVEL, logLevel),
    mode: readChoice(reading, "FEED_MODE", words.FEED_MODE),
    transport: readTransport(reading),
    origins,
    hasPlayground: readChoice(reading, "PLAYGROUND", words.PLAYGROUND, playground) === "on",
    tls: readTls(reading, nowMs),
    features,
    network: readNetwork(
      reading,
      features.flatMap(({ servers }) => servers),
    ),
    given,
    provider: hasProvider ? readProvider(reading) : undefined,
  };
}

/** Collects the settings. After an unreadable file, missing settings are unknown. */
function collect(environment: Settings, files: SettingsFiles, mistakes: string[]): Sources {
  try {
    return collectSettings(environment, files, mistakes);
  } catch (error) {
    mistakes.push((error as Error).message);
    return { settings: {}, given: new Set() };
  }
}

const readName = (mistake: string): string => mistake.match(/^[A-Z_]+\b/)?.[0] ?? mistake;

function readProvider(reading: Reading): Configuration["provider"] {
  const baseUrl = readBaseUrl(reading);
  const client = readClient(reading);
  return client && { baseUrl, client };
}

function readTransport(reading: Reading): Transport {
  const transport = readChoice(reading, "FEED_TRANSPORT", words.FEED_TRANSPORT);
  if (transport === "direct" && reading.settings.FEED_MODE === "relay") {
    reading.mistakes.push(
      "FEED_TRANSPORT is direct, and FEED_MODE relay keeps tokens where the pane has none to send: unset one of them.",
    );
  }
  return transport;
}

/**
 * Reads how other servers are reached. A mistake counts only where a server needs it: other programs share the names.
 * @param further Addresses of servers beside the provider.
 */
export function readNetwork({ settings, mistakes }: Reading, further: readonly string[]): Network {
  const name = settings.HTTPS_PROXY ? "HTTPS_PROXY" : "HTTP_PROXY";
  const { [name]: text, NO_PROXY = "", NODE_EXTRA_CA_CERTS: path } = settings;
  const reading: Reading = { settings, mistakes: [] };
  const proxy = text ? attempt(reading, name, () => readProxy(name, text)) : undefined;
  const isDirect = attempt(reading, "NO_PROXY", () => readBypass(NO_PROXY)) ?? readBypass("");
  // Node has read its own variable, and has warned where it could not.
  const isExtraKnown = path === process.env.NODE_EXTRA_CA_CERTS;
  const lenient = isExtraKnown ? { settings, mistakes: [] } : reading;
  const extra = path ? attempt(lenient, "NODE_EXTRA_CA_CERTS", () => readAuthorities(path, isExtraKnown)) : undefined;
  const servers = [settings.FEED_BASE_URL ?? "", ...further];
  if (servers.some((url) => URL.canParse(url) && !isDirect(new URL(url)))) mistakes.push(...reading.mistakes);
  return { pickProxy: (url) => (isDirect(url) ? undefined : proxy), extra, isExtraKnown };
}

/** @throws Error */
function readAuthorities(path: string, isKnown: boolean): string {
  const pem = isKnown ? readFileSync(path, "utf8") : readTrustedFile(path, "file of certificate authorities");
  toCertificate(pem);
  return pem;
}
