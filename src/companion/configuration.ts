import type { Client } from "./client";
import { readBaseUrl, readClient } from "./configuration/client";
import { type Firm, readFirm } from "./configuration/firm";
import { readHost, readOrigins, readPort, readTls, type Tls } from "./configuration/listening";
import { type Reading, readChoice } from "./configuration/reading";
import { isOfProvider, type Settings } from "./configuration/settings";
import { collectSettings, type SettingsFiles, type Sources } from "./configuration/sources";

const MODES = ["sign", "relay"] as const;
const TRANSPORTS = ["proxy", "direct"] as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** How the pane's calls travel: through the companion, or from the pane straight to the provider. */
export type Transport = (typeof TRANSPORTS)[number];

/** Who exchanges assertions for tokens: the pane, or the companion, which then keeps them to itself. */
export type Mode = (typeof MODES)[number];

/** All settings, checked. */
export interface Configuration {
  /** The name or address to listen on; default "localhost", which is every loopback address. */
  host: string;
  /** 0 to 65535, where 0 takes any free port; default 3000. */
  port: number;
  /** A level of pino; default "info" with a provider, else "warn". */
  logLevel: string;
  /** Default "sign". */
  mode: Mode;
  /** Default "proxy": a provider may send no CORS headers. */
  transport: Transport;
  /** Further origins under which people reach the companion's pages, such as "https://feed.example.com"; default none. */
  origins: readonly string[];
  /** Whether the playground is served; default where nobody else reaches the pages, nor signs in. */
  hasPlayground: boolean;
  /** A certificate of one's own for https; default none. */
  tls?: Tls;
  /** What only a companion of many people needs. */
  firm: Firm;
  /** The names of the provider's settings that the pane may not change, since others gave them. */
  given: ReadonlySet<string>;
  /** Absent when no setting of a provider is present at all: then the embedded sandbox answers. */
  provider?: { baseUrl: string; client: Client };
}

/** Every mistake of the settings at once, one line each. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  /** @param message Default: the mistakes, for a person to whom nothing told them yet. */
  constructor(
    readonly mistakes: readonly string[],
    message = ["The settings do not serve:", ...mistakes].join(mistakes.length === 1 ? " " : "\n  - "),
  ) {
    super(message);
  }
}

/** Settings as they were read, and all that is wrong with them. */
export interface Readout {
  settings: Settings;
  /** Not to be started with where there are mistakes. */
  configuration: Configuration;
  mistakes: readonly string[];
}

/**
 * Reads the companion's settings from the environment and one file, over which the environment wins.
 * @param environment As `process.env`; a name that starts with FEED_ is always a setting of a provider, even an empty or an unknown one.
 * @param files The file to read, or the person's own settings as they are to be written, to see whether they serve; default none.
 * @param nowMs Milliseconds since 1970, for the certificate.
 * @throws ConfigurationError listing all that is wrong or missing.
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

/** Reads the settings as `readConfiguration` does, and keeps what is right beside the mistakes. */
export function readAllSettings(environment: Settings, files: SettingsFiles, nowMs: number): Readout {
  const mistakes: string[] = [];
  const { settings, given } = collect(environment, files, mistakes);
  const reportedNames = mistakes.map(readName);
  const configuration = toConfiguration({ settings, mistakes }, given, nowMs);
  // What a name or value is in its file has been told: what follows from it would say it twice.
  const isNew = (mistake: string, index: number) =>
    index < reportedNames.length || !reportedNames.includes(readName(mistake));
  return { settings, configuration, mistakes: mistakes.filter(isNew) };
}

function toConfiguration(reading: Reading, given: Configuration["given"], nowMs: number): Configuration {
  const { settings } = reading;
  const hasProvider = Object.keys(settings).some(isOfProvider);
  const origins = readOrigins(reading);
  const firm = readFirm(reading);
  const isOfOne = origins.length === 0 && firm.signIn === undefined;
  return {
    host: readHost(reading, hasProvider, origins),
    port: readPort(reading),
    logLevel: readChoice(reading, "LOG_LEVEL", LOG_LEVELS, hasProvider ? "info" : "warn"),
    mode: readChoice(reading, "FEED_MODE", MODES, "sign"),
    transport: readTransport(reading),
    origins,
    hasPlayground: readChoice(reading, "PLAYGROUND", ["on", "off"], isOfOne ? "on" : "off") === "on",
    tls: readTls(reading, nowMs),
    firm,
    given,
    provider: hasProvider ? readProvider(reading) : undefined,
  };
}

/** What is missing cannot be told where a file cannot be read. */
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
  const transport = readChoice(reading, "FEED_TRANSPORT", TRANSPORTS, "proxy");
  if (transport === "direct" && reading.settings.FEED_MODE === "relay") {
    reading.mistakes.push(
      "FEED_TRANSPORT is direct, and FEED_MODE relay keeps tokens where the pane has none to send: unset one of them.",
    );
  }
  return transport;
}
