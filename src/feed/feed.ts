import { createSigner, type SigningEvent } from "../client/auth/assertion";
import { createPairingStore, type PairingStore } from "../client/auth/pairing-store";
import { createToken, type TokenHolder } from "../client/auth/token";
import type { SignerError } from "../client/errors";
import { type Connection, createHttp, type Http } from "../client/http";
import { createFamilies, type Families } from "../client/http/families";
import type { Ports } from "../client/ports";
import { createProvider, type Provider } from "../client/provider";
import { createSlot, type Slot } from "../client/slot";
import { type Activity, type ActivityLog, createActivityLog } from "./activity";
import { type Budget, type BudgetOptions, createBudget } from "./budget";
import { type CompaniesQueries, createCompanies } from "./companies";
import { awaitsLength, type Cost, countRequests, toCost, toKnowledge } from "./cost";
import { createFinancials, type FinancialsQueries } from "./financials";
import { createBatch } from "./financials/batch";
import { createMatching, type MatchingQueries } from "./matching";
import { createNames, type NamesQueries } from "./names";
import { createNameIndexes, type NameIndexes } from "./names/indexes";
import { createLazyEngine } from "./names/lazy-engine";
import { createPageLimits } from "./pages";
import { createPersistedCache, createPersistedData, type PersistedData } from "./persisted-cache";
import type { Probes } from "./probes";
import { createProviderCheck, type ProviderCheck } from "./provider-check";
import { createQueryCache, type Query, type QueryCache } from "./query-cache";
import { createRankings, type RankingQueries } from "./rankings";
import { createRegistrations } from "./registrations";
import { createResolutions, type Resolutions } from "./resolutions";
import { createTaxonomies, type TaxonomyQueries } from "./taxonomies";
import { createWrittenCompanies } from "./written-companies";

interface FeedOptions {
  ports: Ports;
  /** Origin of the companion, which signs. */
  companionUrl: string;
  onEvent: (event: FeedEvent) => void;
  /** Whether formulas still wait to run, whose queries belong to the burst; default no. */
  isMoreToCome?: (() => boolean) | undefined;
  /** Makes a worker of `names/worker`; default none, names are then searched in the page. */
  createWorker?: (() => Worker) | undefined;
}

export type FeedEvent =
  /** A request waits for {@link Feed.connect}. */
  | { type: "connection-wanted" }
  /** A query waits for {@link Feed.owner}. */
  | { type: "owner-wanted" }
  | SigningEvent
  /** The companion does not know the page, which sent this bearer. */
  | { type: "unpaired"; error: SignerError; bearer: string | null }
  /** A read failed, which began at `sinceMs`; the connection may be lost. */
  | { type: "read-failed"; error: unknown; sinceMs: number }
  /** A persisted answer served a query. */
  | { type: "persisted-found"; query: Query<unknown>; asOfMs: number }
  /** A query was refused, since the connected provider is not the workbook's. */
  | { type: "provider-refused"; provider: string };

/** The client of the Data Feed API: a query in, a typed answer out. */
export interface Feed {
  /** Sets the connection; waiting requests go out. */
  connect(connection: Connection): void;
  /** Ends the connection; waiting requests fail with `error`, or wait on without one. */
  disconnect(error?: unknown): void;
  /** The client and its provider: persisted names and answers serve no other. */
  owner: Slot<string>;
  /** Sets the provider of the workbook's figures; queries to another one are refused. */
  expectProvider: ProviderCheck["expect"];
  pairing: PairingStore;
  /** Carries the calls before a token: configuration and assertion. */
  http: Http;
  token: TokenHolder;
  queryCache: QueryCache;
  /** Holds queries with many requests until a person confirms them. */
  budget: Pick<Budget, "setLimit" | "drift" | "unconfirmed" | "confirm" | "drop">;
  /** Estimates the cost of a formula with these queries. */
  toCost: (queries: readonly Query<unknown>[]) => Cost;
  /** Circuit breakers and rate limits of the families of data. */
  families: Pick<Families, "list" | "listFailing" | "settle" | "findCause" | "tryNow" | "onChange">;
  activity: Activity;
  companies: CompaniesQueries;
  financials: FinancialsQueries;
  taxonomies: TaxonomyQueries;
  rankings: RankingQueries;
  names: NamesQueries;
  matching: MatchingQueries;
  nameIndexes: NameIndexes;
  /** What names in formulas mean in this workbook. */
  resolutions: Resolutions;
  /** The data that outlives the page. */
  persistedData: PersistedData;
  /** Smallest reads, which show the client's entitlements; tried once a day. */
  probes(): Promise<Probes>;
  /** Forgets token, answers and lessons, and reloads the queries with subscribers: the client has changed. */
  reset(): void;
}

/**
 * Browsers open six connections to a host; our timeouts cannot see a request that waits for one. One is reserved for
 * credentials: a token must not wait behind slow answers that need it. Assertions have a concurrency limit of their own,
 * because the token's request holds its place while it is signed.
 */
const DATA_AT_ONCE = 5;
const CREDENTIALS_AT_ONCE = 1;

/** Makes the provider's client, which renews its token by itself. */
function createWays({ ports, companionUrl, onEvent }: FeedOptions, { requests }: ActivityLog) {
  const connection = createSlot<Connection>(() => onEvent({ type: "connection-wanted" }));
  const pairing = createPairingStore(ports);
  const families = createFamilies(ports);
  const paired = {
    families,
    pairing: {
      bearer: pairing.read,
      refused: (error: SignerError, bearer: string | null) => onEvent({ type: "unpaired", error, bearer }),
    },
  };
  const credentials = { ...paired, recorder: requests.recorderOf("credentials") };
  const http = createHttp(ports, CREDENTIALS_AT_ONCE, credentials);
  const sign = createSigner({ http, companionUrl, connection: connection.get, onEvent });
  const tokenHttp = createHttp(ports, CREDENTIALS_AT_ONCE, credentials);
  const token = createToken({ ports, http: tokenHttp, connection: connection.get, sign });
  const dataHttp = createHttp(ports, DATA_AT_ONCE, { ...paired, recorder: requests.recorderOf("data") });
  const failed = (error: unknown, sinceMs: number) => onEvent({ type: "read-failed", error, sinceMs });
  const provider = createProvider({ ports, http: dataHttp, token, connection: connection.get, failed });
  return { connection, pairing, http, token, families, provider };
}

/** Makes the query cache with its persisted cache and its request budget. */
function createCache(
  { ports, onEvent, isMoreToCome }: FeedOptions,
  { notify, requests }: ActivityLog,
  counting: Pick<BudgetOptions, "count" | "awaitsLength">,
) {
  const owner = createSlot<string>(() => onEvent({ type: "owner-wanted" }));
  const { expect: expectProvider, check } = createProviderCheck(owner, (provider) =>
    onEvent({ type: "provider-refused", provider }),
  );
  const answers = createPersistedCache({ ports, owner: owner.get, notify });
  const budget = createBudget({ ports, ...counting, isMoreToCome, notify });
  const foundPersisted = (query: Query<unknown>, asOfMs: number) => onEvent({ type: "persisted-found", query, asOfMs });
  const { listSources } = requests;
  const queryCache = createQueryCache(ports, { notify, answers, foundPersisted, listSources, budget, check });
  return { owner, expectProvider, answers, budget, queryCache };
}

/** Makes the feed of one connection: its parts share one token, one cache and the concurrency limits. */
export function createFeed(options: FeedOptions): Feed {
  const { ports, createWorker } = options;
  const log = createActivityLog(ports.nowMs);
  const { connection, pairing, http, token, families, provider } = createWays(options, log);
  const { owner, expectProvider, answers, budget, queryCache } = createCache(options, log, {
    count: (queries) => countRequests(queries, known).requests,
    awaitsLength: (query) => awaitsLength(query, known),
  });
  const batch = createBatch(ports, provider, connection.get);
  const limits = createPageLimits();
  const registrations = createRegistrations(answers, ports.nowMs, () => ({
    provider,
    queryCache,
    companies,
    financials,
  }));
  const engine = createLazyEngine(ports.after, createWorker);
  const nameIndexes = createNameIndexes({ ports, provider, limits, queryCache, engine, owner: owner.get });
  const resolutions = createResolutions();
  const written = { registrations, resolutions, indexes: nameIndexes, engine, queryCache };
  const writtenCompanies = createWrittenCompanies(written);
  const financials = createFinancials({ provider, batch, queryCache, writtenCompanies });
  const companies = createCompanies(provider, { queryCache, writtenCompanies, limits });
  const known = toKnowledge({ queryCache, writtenCompanies, nameIndexes, batch, limits });
  return {
    connect: connection.set,
    disconnect: connection.clear,
    owner,
    expectProvider,
    pairing,
    http,
    token,
    queryCache,
    budget,
    toCost: (queries) => toCost(queries, known),
    families,
    activity: log.toActivity(queryCache.live),
    companies,
    financials,
    taxonomies: createTaxonomies(provider, { queryCache, writtenCompanies, queryId: companies.queryId, limits }),
    rankings: createRankings(provider, limits),
    names: createNames(written),
    matching: createMatching(written),
    nameIndexes,
    resolutions,
    persistedData: createPersistedData(answers, engine),
    probes: () => loadProbes(ports, provider),
    reset() {
      for (const { forget } of [token, batch, registrations, budget, families, limits]) forget();
      nameIndexes.reset();
      answers.evictOthers();
      queryCache.reset();
    },
  };
}

/** Loaded on demand: probes run once a day. */
async function loadProbes(ports: Ports, provider: Provider): Promise<Probes> {
  const { createProbes } = await import(/* webpackChunkName: "probes" */ "./probes");
  return createProbes(ports, provider);
}
