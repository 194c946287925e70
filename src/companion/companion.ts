import { randomBytes } from "node:crypto";
import { Server } from "node:https";
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { createAddress, toOrigin } from "./address";
import { addApi } from "./api";
import { createInvitation, createPairings } from "./api/pairing";
import { createMemoryPairings } from "./api/pairing-state";
import { createSetUp } from "./api/set-up";
import { type Certificate, describeCertificate } from "./certificate";
import { type Configuration, isOfOne, readAllSettings } from "./configuration";
import type { Settings } from "./configuration/settings";
import type { SettingsFiles } from "./configuration/sources";
import { endConnections } from "./connections";
import type { FollowedSettings, Mounted, MountedOn } from "./feature";
import { addHealth } from "./health";
import { type LogSink, toLoggerOptions } from "./log";
import type { Folder } from "./machine";
import { addPages } from "./pages";
import { isSameProvider, type Provider } from "./provider";
import { answerMalformed, answerRefusals } from "./refusal";
import { addSample, createSampleClient, type SampleOptions } from "./sample";
import { createOwnStores, type Stores } from "./stores";

/**
 * Limits of a connection before its request is complete; the framework's own would wait without end. Node checks them
 * at an interval, by default of 30 seconds.
 */
const SERVER_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
};
/**
 * About half of the 1,024 files that a process may often open: the others are for the provider and the companion's own.
 */
const MOST_CONNECTIONS = 500;
/**
 * Behind a proxy each connection is a request under way, of thousands of people; the deployment raises the limit of
 * files.
 */
const MOST_CONNECTIONS_OF_PROXIES = 8000;

/** The parts of a companion. */
export interface CompanionOptions {
  configuration: Configuration;
  /** The folder of the built pages; absent for a companion without pages. */
  webFolder?: string;
  /** The certificate of https (PEM); absent for http. */
  certificate?: Certificate;
  /** The size and manner of the embedded sandbox. */
  sample?: SampleOptions;
  /** Its stores, shared with other instances or not; default in this process alone, without a pairing. */
  stores?: Stores;
  /**
   * The folder of what the pane sets up; default none. Without it, or with further origins, the pane may set up
   * nothing.
   */
  folder?: Folder;
  /** As `process.env`, before what the pane sets up; default empty. */
  environment?: Settings;
  /**
   * The files of settings, followed while it runs; default none. Where the pane sets up a provider none is followed.
   */
  settingsFiles?: SettingsFiles;
  /** Prints a line where the companion was started; default nowhere. */
  notify?: (line: string) => void;
  /** Whether that is a terminal, where a pairing code may be shown; default false. */
  isTerminal?: boolean;
  /** Whether it was started at a terminal: SIGHUP ends it there, and elsewhere reloads its files; default false. */
  hasTerminal?: boolean;
  /** Where log lines go; default standard error, so that standard output stays for the person. */
  log?: LogSink;
  /** Milliseconds that the relay waits for the provider; default 30000. */
  relayTimeoutMs?: number;
  /** Milliseconds that a whole relayed answer may take; default 120000. */
  relayTotalMs?: number;
}

/** Builds the companion: it answers `inject` at once, and the network after `listen`. */
export async function createCompanion(options: CompanionOptions): Promise<FastifyInstance> {
  const { configuration, webFolder, certificate, settingsFiles: files, environment = {}, hasTerminal } = options;
  const { folder, notify = () => {}, isTerminal = false } = options;
  const { features, hasPlayground, network, origins, transport } = configuration;
  const app = createServer(options);
  const address = createAddress(app.server, configuration, certificate === undefined ? "http" : "https");
  const stores = options.stores ?? createOwnStores(createPairings(createMemoryPairings(), Date.now));
  const configured = toProvider(configuration);
  const isLasting = configured !== undefined && folder === undefined && files === undefined;
  const sample = isLasting ? configured : await createSample(() => toOrigin(address), options);
  let current = configured ?? sample;
  let served = certificate;
  const provider = () => current;
  const use = (changed: Configuration) => {
    current = replaceProvider(current, toProvider(changed) ?? sample);
    for (const [nth, feature] of features.entries()) feature.take(changed.features[nth]!);
    app.log.level = changed.logLevel;
    served = replaceCertificate(app, changed) ?? served;
  };
  const { pairings } = stores;
  // A set-up would apply to all people who use the companion.
  const setUp =
    folder && isOfOne(configuration)
      ? createSetUp({ folder, environment, notify, isTerminal, configuration, provider, use, pairings })
      : undefined;
  app.addHook("onClose", stores.close);
  const certificateEndMs = () => served && describeCertificate(served).endsMs;
  const followed = setUp === undefined && files ? toFollowed(environment, files, use) : undefined;
  const parts = { address, provider, stores, network, certificateEndMs, hasTerminal, followed, webFolder };
  const mounted = await mountFeatures(app, configuration, parts);
  addHealth(app, provider, stores);
  app.register(addApi, {
    prefix: "/companion",
    address,
    provider,
    mode: configuration.mode,
    transport,
    stores,
    setUp,
    invite: createInvitation({ pairings, provider, notify, isTerminal }),
    signIn: mounted.signIn,
    relay: {
      timeoutMs: options.relayTimeoutMs,
      totalMs: options.relayTotalMs,
      createReads: mounted.createReads,
      network: {
        ...network,
        own: certificate && { origin: () => toOrigin(address), pem: certificate.authority },
      },
    },
  });
  if (current.sample || setUp?.isOwn) await addSample(app, provider, sample, options.sample ?? {});
  if (webFolder !== undefined) {
    const direct = transport === "direct" ? provider : undefined;
    app.register(addPages, { addMore: mounted.addPages, hasPlayground, origins, provider: direct, webFolder });
  }
  return app;
}

/** Creates the sandbox as a provider. Its key pair takes a while, in vain where nothing sets the own provider aside. */
const createSample = async (origin: () => string, options: CompanionOptions): Promise<Provider> => ({
  sample: true,
  baseUrl: () => `${origin()}/sandbox`,
  client: options.sample?.client ?? (await createSampleClient()),
  weeks: options.configuration.sampleWeeks,
});

function createServer(options: CompanionOptions): FastifyInstance {
  const app = fastify(toServerOptions(options));
  const proxies = listProxies(options.configuration);
  app.server.maxConnections = proxies.length > 0 ? MOST_CONNECTIONS_OF_PROXIES : MOST_CONNECTIONS;
  answerRefusals(app);
  endConnections(app);
  return app;
}

/** Replaces the certificate for new connections, and gives it; undefined where none is configured. */
function replaceCertificate({ server }: FastifyInstance, { tls }: Configuration): Certificate | undefined {
  if (tls === undefined || !(server instanceof Server)) return undefined;
  server.setSecureContext(tls);
  return { ...tls, authority: tls.cert };
}

const listProxies = ({ features }: Configuration): string[] => features.flatMap(({ proxies }) => proxies);

/** Adds the features; of those that replace a part, the last counts. */
async function mountFeatures(app: FastifyInstance, { features }: Configuration, parts: MountedOn): Promise<Mounted> {
  let mounted: Mounted = {};
  for (const feature of features) mounted = { ...mounted, ...(await feature.mount(app, parts)) };
  return mounted;
}

function toFollowed(
  environment: Settings,
  files: SettingsFiles,
  use: (changed: Configuration) => void,
): FollowedSettings {
  const { administrators, own } = files;
  return {
    path: administrators ?? (typeof own === "string" ? own : undefined),
    read() {
      const { settings, configuration, mistakes } = readAllSettings(environment, files, Date.now());
      const apply = () => {
        use(configuration);
        return configuration.provider?.client.signers[0].keyId;
      };
      return { settings, mistakes, use: apply };
    },
  };
}

function toProvider({ provider }: Configuration): Provider | undefined {
  return provider && { sample: false, baseUrl: () => provider.baseUrl, client: provider.client };
}

/** Keeps the object, and so the token, of an unchanged provider and client; only the signing program may differ. */
function replaceProvider(current: Provider, next: Provider): Provider {
  if (!isSameProvider(current, next)) return next;
  current.client = next.client;
  return current;
}

function toServerOptions({ configuration, certificate, log = process.stderr }: CompanionOptions): FastifyServerOptions {
  const proxies = listProxies(configuration);
  return {
    logger: toLoggerOptions(configuration.logLevel, log),
    frameworkErrors: answerMalformed,
    // No two instances give the same.
    genReqId: () => randomBytes(8).toString("hex"),
    // The API logs what it signs and refuses; page views are not logged.
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: SERVER_LIMITS.requestTimeout,
    trustProxy: proxies.length > 0 && proxies,
    ...(certificate
      ? { https: { ...SERVER_LIMITS, cert: certificate.cert, key: certificate.key } }
      : { http: SERVER_LIMITS }),
  };
}
