import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ReadOperation } from "../contract/constants";
import type { Address } from "./address";
import type { Pairing, SignedIn } from "./api/pairing";
import type { Finding } from "./commands/results";
import type { Reading } from "./configuration/reading";
import type { Settings, SettingsTable } from "./configuration/settings";
import type { Network } from "./network";
import type { Provider } from "./provider";
import type { RelayToken } from "./relay/token";
import type { Upstream } from "./relay/upstream";
import type { Stores } from "./stores";

/** What a folder adds to the companion, which does without it. `features.ts` lists them. */
export interface Feature {
  /** Its settings. Without it each of them refuses the start. */
  settings: SettingsTable;
  /** Reads its settings, with the mistakes. */
  configure(reading: Reading): ConfiguredFeature;
  /**
   * Opens stores that several instances share; undefined where no setting names a server. It reads that setting alone.
   * @throws ConfigurationError
   */
  openStores(settings: Settings, options: StoresOptions): Promise<Stores | undefined>;
}

interface StoresOptions {
  /** Gets a line when the server falls silent, and one when it answers again. */
  log: (line: string) => void;
  /** Milliseconds since 1970; default the system's clock. */
  nowMs?: (() => number) | undefined;
}

/** A feature with its settings. */
export interface ConfiguredFeature {
  /** Whether people sign in: then the companion is not one person's. */
  hasSignIn: boolean;
  /** Addresses of the servers that it contacts. */
  servers: readonly string[];
  /** Trusted proxies, whose forwarded caller addresses are believed. */
  proxies: readonly string[];
  /** Whether standard output is its own, and nothing else may be printed there. */
  ownsOutput: boolean;
  /** Takes over what may change without a restart. */
  take(changed: ConfiguredFeature): void;
  /** Checks that what it contacts answers. */
  check(network: Network): Promise<Finding[]>;
  /** Adds itself to a companion, before its routes. */
  mount(app: FastifyInstance, parts: MountedOn): Promise<Mounted>;
}

/** The companion that a feature is added to. */
export interface MountedOn {
  address: Address;
  /** The current provider; the pane may set up another one. */
  provider: () => Provider;
  stores: Stores;
  network: Network;
  /** The folder of the built pages; undefined for a companion without pages. */
  webFolder: string | undefined;
  /** The end of the companion's own certificate, in milliseconds since 1970; undefined without one. */
  certificateEndMs: () => number | undefined;
  /** Whether it was started at a terminal, where SIGHUP ends it; default false. */
  hasTerminal: boolean | undefined;
  /** Its settings while it runs; undefined where a page sets it up. */
  followed: FollowedSettings | undefined;
}

/** Settings that may change while the companion runs. */
export interface FollowedSettings {
  /** The path of their file; undefined without one. */
  path: string | undefined;
  /** Reads them again. `use` applies them, and gives the id of the key that signs then. */
  read(): { settings: Settings; mistakes: readonly string[]; use(): string | undefined };
}

/** What a feature does in place of the companion. */
export interface Mounted {
  /** Creates what answers reads in relay mode; default each is forwarded by itself. */
  createReads?: (parts: ReadsParts) => AnswerRead;
  /** How people sign in; default codes of the terminal alone pair. */
  signIn?: SignInRoutes | undefined;
  /** Adds pages beside the built ones. */
  addPages?: (scope: FastifyInstance) => void;
}

/** The parts that reads use. */
export interface ReadsParts {
  provider: () => Provider;
  upstream: Upstream;
  token: RelayToken;
  log: FastifyBaseLogger;
  /** As of UpstreamOptions. */
  aloneMs?: number | undefined;
}

/** Answers a read with the companion's own token. */
export type AnswerRead = (read: ReadRequest, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A requested read, checked to be one of the API. */
export interface ReadRequest {
  operation: ReadOperation;
  /** The path's parameters, decoded. */
  ids: Readonly<Record<string, string | undefined>>;
  /** As it is sent to the provider, each query parameter once. */
  query: ProviderQuery;
}

/** One query to the provider, without credentials. */
export interface ProviderQuery {
  method: "GET" | "POST";
  /** The operation's path and query, validated; appended to the provider's base URL. */
  path: string;
  /** JSON of a POST. */
  body?: Buffer;
}

/** Sign-in, as the companion API serves it. */
export interface SignInRoutes {
  /** Takes the code that a page sends, once: a signed-in person, and the end of the sign-in. */
  take(sent: string): Promise<SignedIn | undefined>;
  /** Adds the routes of sign-in below /companion. */
  addRoutes(scope: FastifyInstance): void;
}

/** Facts that a route learns while it answers a read. */
export interface ReadFacts {
  /** Companies or pages that were requested, and those that were cached; absent where nothing is shared. */
  requested?: number;
  known?: number;
  /** The provider's id of an error, for its support. */
  traceId?: string;
}

/** A pairing that was made, ended by its page, or ended by somebody else. */
export interface PairingChange {
  event: "paired" | "ended" | "revoked";
  pairing: Pick<Pairing, "id" | "person">;
  /** When, in milliseconds since 1970; default now. */
  atMs?: number;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation that the route reads; absent where that is no data. */
    read?: ReadOperation;
    /** Whether its answers end only with the companion, which does not wait for them; default false. */
    isEndless?: boolean;
  }
  interface FastifyRequest {
    readFacts?: ReadFacts;
    /** The pairing that this request made or ended. */
    pairingChange?: PairingChange;
  }
}
