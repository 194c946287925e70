import { Server } from "node:https";
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { type Address, createAddress, toOrigin } from "./address";
import { addApi } from "./api";
import { createInvitation } from "./api/invitation";
import { createPairings } from "./api/pairing";
import { createMemoryPairings } from "./api/pairing-state";
import { createSetUp, type SetUp, type SetUpOptions } from "./api/set-up";
import type { Certificate } from "./certificate";
import type { Client } from "./client";
import type { Configuration } from "./configuration";
import type { Settings } from "./configuration/settings";
import type { SettingsFiles } from "./configuration/sources";
import { endConnections } from "./connections";
import type { Folder } from "./folder";
import { addHealth } from "./health";
import { type LogSink, toLoggerOptions } from "./log";
import { addPages } from "./pages";
import { isSameProvider, type Provider } from "./provider";
import { answerMalformed, answerRefusals } from "./refusal";
import { addReporting } from "./reporting";
import { followSettings } from "./rotation";
import { addSample, createSampleClient, type SampleOptions } from "./sample";
import { createSigningIn, type SigningIn } from "./sign-in";
import { addSignInPage } from "./sign-in/page-routes";
import type { Stores } from "./stores";
import { createMemoryStores } from "./stores/memory";

/**
 * Bounds on what a connection may cost before its request is whole, for which the framework would wait without end; Node
 * looks for those that are over their time at an interval, by default of 30 seconds.
 */
const SERVER_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
};
/** About half of the 1,024 files that a process may often have open: the rest is for the provider and the companion's own. */
const MOST_CONNECTIONS = 500;
/** Behind a proxy each connection is a request under way, of thousands of people, and the system is told to allow the files. */
const MOST_CONNECTIONS_OF_PROXIES = 8000;

/** All that a companion is made of. */
export interface CompanionOptions {
  configuration: Configuration;
  /** The folder that the build writes the pages to. */
  webFolder: string;
  /** The certificate of https (PEM); absent for http. */
  certificate?: Certificate;
  /** The size and manner of the embedded sandbox. */
  sample?: SampleOptions;
  /** What it remembers, shared with other instances or not; default in this process alone, and nobody is paired as yet. */
  stores?: Stores;
  /** Where the pane sets up a provider; default nowhere, and then it may not, nor where further origins are configured. */
  folder?: Folder;
  /** As `process.env`, over what the pane sets up; default empty. */
  environment?: Settings;
  /** The files of settings, which are followed while it runs; default none. Where the pane sets up a provider, none is. */
  settingsFiles?: SettingsFiles;
  /** Shows the person a line where the companion was started; default nowhere. */
  notify?: (line: string) => void;
  /** Whether that is a terminal, so that a line may hold a pairing code; default false. */
  isTerminal?: boolean;
  /** Whether it was started at a terminal: a hang-up ends it there, and elsewhere has it look at its files; default false. */
  hasTerminal?: boolean;
  /** Where log lines go; default standard error, so that standard output stays for the person. */
  log?: LogSink;
  /** Milliseconds that the relay waits for the provider; default 30000. */
  relayTimeoutMs?: number;
}

/** Builds the companion, which answers by `inject` at once and by network after `listen`. */
export async function createCompanion(options: CompanionOptions): Promise<FastifyInstance> {
  const { configuration, webFolder, certificate, settingsFiles: files, environment = {}, hasTerminal } = options;
  const app = createServer(options);
  const address = createAddress(app.server, configuration, certificate === undefined ? "http" : "https");
  const stores = options.stores ?? createMemoryStores(createPairings(createMemoryPairings(), Date.now));
  const sample = await createSample(address, options.sample?.client);
  let current = toProvider(configuration) ?? sample;
  let { firm } = configuration;
  const provider = () => current;
  const use = (changed: Configuration) => {
    current = replaceProvider(current, toProvider(changed) ?? sample);
    firm = changed.firm;
    app.log.level = changed.logLevel;
    replaceCertificate(app, changed);
  };
  const setUp = toSetUp(options, { configuration, provider, use, pairings: stores.pairings });
  app.addHook("onClose", stores.close);
  await addReporting(app, { firm: configuration.firm, hasTerminal, provider, stores });
  if (setUp === undefined && files) followSettings(app, { environment, files, use, hasTerminal });
  addHealth(app, provider, stores.standing);
  const signingIn = addSigningIn(app, configuration, address, stores);
  app.register(addApi, {
    prefix: "/companion",
    address,
    provider,
    mode: configuration.mode,
    transport: configuration.transport,
    stores,
    setUp,
    invite: toInvitation(options, stores, provider),
    signingIn,
    relay: { timeoutMs: options.relayTimeoutMs, firm: () => firm, authority: toAuthority(certificate, address) },
  });
  if (current.sample || setUp?.isOwn) await addSample(app, provider, sample, options.sample ?? {});
  app.register(addPages, { ...toPages(configuration, provider), webFolder });
  return app;
}

function toInvitation(
  { notify = () => {}, isTerminal = false }: CompanionOptions,
  { pairings }: Stores,
  provider: () => Provider,
) {
  return createInvitation({ pairings, provider, notify, isTerminal });
}

function toAuthority(certificate: Certificate | undefined, address: Address) {
  return certificate && { origin: () => toOrigin(address), pem: certificate.authority };
}

function toPages({ hasPlayground, transport }: Configuration, provider: () => Provider) {
  return { hasPlayground, provider: transport === "direct" ? provider : undefined };
}

function createServer(options: CompanionOptions): FastifyInstance {
  const app = fastify(toServerOptions(options));
  const { proxies } = options.configuration.firm;
  app.server.maxConnections = proxies.length > 0 ? MOST_CONNECTIONS_OF_PROXIES : MOST_CONNECTIONS;
  answerRefusals(app);
  endConnections(app);
  return app;
}

/** Connections that are open keep the certificate that they began with. */
function replaceCertificate({ server }: FastifyInstance, { tls }: Configuration): void {
  if (tls !== undefined && server instanceof Server) server.setSecureContext(tls);
}

function addSigningIn(
  app: FastifyInstance,
  { firm }: Configuration,
  address: Address,
  stores: Stores,
): SigningIn | undefined {
  if (firm.signIn === undefined) return undefined;
  const signingIn = createSigningIn(firm.signIn, stores.oneTimeValues, Date.now);
  app.addHook("onClose", signingIn.close);
  app.register(addSignInPage, { prefix: "/sign-in", address, signingIn, stores });
  return signingIn;
}

function toProvider({ provider }: Configuration): Provider | undefined {
  return provider && { sample: false, baseUrl: () => provider.baseUrl, client: provider.client };
}

/** Of the same provider and client the token stays, and who waits for one is not sent away; a program that signs may be another. */
function replaceProvider(current: Provider, next: Provider): Provider {
  if (!isSameProvider(current, next)) return next;
  current.client = next.client;
  return current;
}

/** Fiction answers where no provider is configured at all, and with nothing less. */
async function createSample(address: Address, client?: Client): Promise<Provider> {
  const known = client ?? (await createSampleClient());
  return { sample: true, baseUrl: () => `${toOrigin(address)}/sandbox`, client: known };
}

function toSetUp(
  { folder, environment = {}, notify = () => {}, isTerminal = false }: CompanionOptions,
  rest: Omit<SetUpOptions, "folder" | "environment" | "notify" | "isTerminal">,
): SetUp | undefined {
  const { origins, firm } = rest.configuration;
  // By further origins others come as well, or by signing in, and what one of them set up would hold for all.
  if (origins.length > 0 || firm.signIn !== undefined) return undefined;
  return folder && createSetUp({ folder, environment, notify, isTerminal, ...rest });
}

function toServerOptions({ configuration, certificate, log = process.stderr }: CompanionOptions): FastifyServerOptions {
  return {
    logger: toLoggerOptions(configuration.logLevel, log),
    frameworkErrors: answerMalformed,
    // The door tells of what it signs and refuses; who opened which page is nobody's business.
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: SERVER_LIMITS.requestTimeout,
    trustProxy: configuration.firm.proxies.length > 0 && [...configuration.firm.proxies],
    ...(certificate
      ? { https: { ...SERVER_LIMITS, cert: certificate.cert, key: certificate.key } }
      : { http: SERVER_LIMITS }),
  };
}
