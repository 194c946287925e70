import { type Dispatcher, fetch as send } from "undici";
import { isLoopback } from "../companion/address";
import { createPairings } from "../companion/api/pairing";
import { createMemoryPairings } from "../companion/api/pairing-state";
import { CERTIFICATE_FOLDER, readCertificate } from "../companion/certificate";
import { UsageError } from "../companion/commands/results";
import { findSettings, type Surroundings } from "../companion/commands/surroundings";
import { createCompanion } from "../companion/companion";
import { type Configuration, readConfiguration, readNetwork } from "../companion/configuration";
import { readTls } from "../companion/configuration/listening";
import { ConfigurationError } from "../companion/configuration/reading";
import type { Settings } from "../companion/configuration/settings";
import { collectSettings } from "../companion/configuration/sources";
import { createConnections, DIRECT, type Network } from "../companion/network";
import { createOwnStores } from "../companion/stores";
import { type Paired, pair, readOrigin } from "./pairing";

/** The options of a command that say where it reads. */
export interface ProviderOptions {
  /** The path of an administrator's file of settings; default the person's own. */
  settings?: string;
  /** The address of a companion that runs, in place of one's own key. */
  companion?: string;
  /** The code that pairs with it, once. */
  code?: string;
}

/** The way to a provider: a companion's address, and what its API wants. */
export interface OpenedProvider {
  /** The companion's origin. */
  readonly url: string;
  /** The pairing's bearer, a secret for that companion alone; null where there are sample data. */
  readonly bearer: string | null;
  /** Reaches that companion. */
  readonly fetch: typeof fetch;
  readonly describe: {
    /** The client's id at the provider. */
    readonly client: string | null;
    /** The provider's base URL; "sample" for sample data. */
    readonly provider: string;
    /** With the key of the settings, by a pairing with another companion, or sample data, which are no figures. */
    readonly mode: "key" | "pairing" | "sample";
  };
  /** Ends the connections, and the companion where it is this command's own. */
  close(): Promise<void>;
}

/**
 * Opens the way to the provider: by a companion in this process, made of the person's own settings, or by one that runs.
 * @throws ConfigurationError for wrong settings, or a companion that does not know this command; UsageError for an
 *   address that is none; Error with the cure where a companion does not answer.
 */
export async function openProvider(options: ProviderOptions, surroundings: Surroundings): Promise<OpenedProvider> {
  const { companion, code } = options;
  if (code !== undefined && companion === undefined) throw new UsageError("--code belongs to --companion: give both.");
  return companion === undefined
    ? openOwn(options, surroundings)
    : openRunning(new URL(readOrigin(companion)), options, surroundings);
}

/** Starts a companion that serves this command alone. The key stays in it, and nothing is written. */
async function openOwn(options: ProviderOptions, surroundings: Surroundings): Promise<OpenedProvider> {
  const { environment, nowMs = Date.now } = surroundings;
  const configuration = toOwn(readConfiguration(environment, findSettings(options, surroundings), nowMs()));
  const { provider } = configuration;
  const pairings = createMemoryPairings();
  const app = await createCompanion({ configuration, stores: createOwnStores(createPairings(pairings, nowMs)) });
  const url = await app.listen({ host: configuration.host, port: 0 });
  const page = { id: "command", origin: url, pairedAtMs: nowMs() };
  const connections = createConnections(DIRECT);
  return {
    url,
    bearer: provider === undefined ? null : await pairings.add({ ...page, provider: provider.baseUrl }),
    fetch: createFetch(connections),
    describe: {
      client: provider?.client.clientId ?? null,
      provider: provider?.baseUrl ?? "sample",
      mode: provider === undefined ? "sample" : "key",
    },
    async close() {
      await connections.destroy();
      await app.close();
    },
  };
}

/** What a person's settings mean for one command: nobody else reaches it, and its failures are the command's sentences. */
const toOwn = (configuration: Configuration): Configuration => ({
  ...configuration,
  ...{ host: "127.0.0.1", port: 0, origins: [], features: [], tls: undefined },
  ...{ mode: "sign", transport: "proxy", hasPlayground: false, logLevel: "silent" },
});

async function openRunning(url: URL, options: ProviderOptions, surroundings: Surroundings): Promise<OpenedProvider> {
  const connections = createConnections(findNetwork(url, options, surroundings));
  const fetch = createFetch(connections);
  const paired: Paired = await pair({ origin: url.origin, code: options.code, fetch }, surroundings).catch(
    async (error) => {
      await connections.destroy();
      throw error;
    },
  );
  return {
    url: url.origin,
    bearer: paired.bearer,
    fetch,
    describe: {
      client: paired.isSample ? null : paired.clientId,
      provider: paired.isSample ? "sample" : paired.baseUrl,
      mode: paired.isSample ? "sample" : "pairing",
    },
    close: () => connections.destroy(),
  };
}

/** Finds how a companion is reached: by the person's proxy and authorities, one of this machine by its own. */
function findNetwork(url: URL, options: ProviderOptions, surroundings: Surroundings): Network {
  const { certificateFolder = CERTIFICATE_FOLDER, nowMs = Date.now } = surroundings;
  const settings = collect(options, surroundings);
  const mistakes: string[] = [];
  const network = readNetwork({ settings, mistakes }, [url.origin]);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  if (url.protocol !== "https:" || !isLoopback(url.hostname)) return network;
  const given = readTls({ settings, mistakes: [] }, nowMs())?.cert;
  const pem = given ?? readCertificate(certificateFolder)?.authority;
  return pem === undefined ? network : { ...network, own: { origin: () => url.origin, pem } };
}

/** Only what concerns the network counts here: a companion that runs has its own settings. */
function collect(options: ProviderOptions, surroundings: Surroundings): Settings {
  try {
    return collectSettings(surroundings.environment, findSettings(options, surroundings), []).settings;
  } catch (error) {
    throw new ConfigurationError([(error as Error).message]);
  }
}

/** Node's own fetch takes no connections but its own. */
const createFetch = (dispatcher: Dispatcher) =>
  ((input: string, init: object) => send(input, { ...init, dispatcher })) as unknown as typeof fetch;
