import type { Assertion } from "../client/auth/assertion";
import { createToken, type TokenHolder } from "../client/auth/token";
import type { Connection } from "../client/http";
import { createHttp, type Http, type Pairing } from "../client/http";
import { createFamilies, type Families } from "../client/http/families";
import type { Ports } from "../client/ports";
import { createProvider, type Provider, type ProviderOptions } from "../client/provider";
import { type Activity, type ActivityLog, createActivityLog } from "./activity";
import { type Budget, type BudgetOptions, createBudget } from "./budget";
import { type CompaniesQueries, createCompanies } from "./companies";
import { type Cost, countRequests, toCost } from "./cost";
import { createFinancials, type FinancialsQueries } from "./financials";
import { createBatch } from "./financials/batch";
import { toKnowledge } from "./knowledge";
import { createNames, type NamesQueries } from "./names";
import { createNameIndexes, type NameIndexes } from "./names/indexes";
import { createLazyEngine } from "./names/lazy-engine";
import { createPageLimits } from "./pages";
import { createPersistedCache } from "./persisted-cache";
import { createPersistedData, type PersistedData } from "./persisted-data";
import type { Probes } from "./probes";
import { createQueryCache, type Query, type QueryCache, type QueryCacheOptions } from "./query-cache";
import type { PersistenceOptions } from "./query-cache/persistence";
import { createRankings, type RankingQueries } from "./rankings";
import { createRegistrations } from "./registrations";
import { createTaxonomies, type TaxonomyQueries } from "./taxonomies";

export interface FeedOptions {
  ports: Ports;
  /** A fresh assertion of the companion for each exchange. */
  sign: (http: Http, refusedKeyId?: string) => Promise<Assertion>;
  /** Resolves when there is a connection to ask through; rejects with what stands in the way. */
  connection: () => Promise<Connection>;
  /** Who the client is, and of which provider: what is kept of names and answers serves nobody else. */
  owner: () => Promise<string>;
  /** Is told of queries that were answered by what was kept, and of when that is; default nobody. */
  foundPersisted?: PersistenceOptions["foundPersisted"] | undefined;
  /** How many requests are sent without being confirmed; default any number. */
  requestLimit?: (() => number) | undefined;
  /** Whether more queries are on their way, so that those that are there wait for them; default no. */
  isMoreToCome?: (() => boolean) | undefined;
  /** Rejects with why no query may be answered; null, as is the default, where nothing is to be waited for. */
  check?: QueryCacheOptions["check"];
  /** What the companion knows this page by; default nothing, as at a companion with sample data. */
  pairing?: Pairing | undefined;
  /** Is told of reads that failed; default nobody. */
  failed?: ProviderOptions["failed"];
  /** Makes a worker of `names/worker`; default none, names are then searched in the page. */
  createWorker?: (() => Worker) | undefined;
}

/** The client of the Data Feed API: a query in, a typed answer out. */
export interface Feed {
  /** Carries what comes before a token: configuration and assertion. */
  http: Http;
  token: TokenHolder;
  queryCache: QueryCache;
  /** Keeps what would take many requests until a person has confirmed it. */
  budget: Pick<Budget, "refusals" | "confirm" | "drop">;
  /** Tells what a formula costs that asks these queries. */
  toCost: (queries: readonly Query<unknown>[]) => Cost;
  /** Which data is left alone for a while, since its server asked for that or kept failing. */
  families: Pick<Families, "list" | "listFailing" | "settle" | "findCause" | "tryNow" | "onChange">;
  /** What goes on in all of it. */
  activity: Activity;
  companies: CompaniesQueries;
  financials: FinancialsQueries;
  taxonomies: TaxonomyQueries;
  rankings: RankingQueries;
  names: NamesQueries;
  /** The indexes that names are searched in. */
  nameIndexes: NameIndexes;
  /** What outlives the page. */
  persistedData: PersistedData;
  /** Smallest reads, which show what the client may read; tried once a day. */
  probes(): Promise<Probes>;
  /** Forgets the token, the answers and what they taught, as when the client changed, and asks what is watched anew. */
  reset(): void;
}

/**
 * Browsers open six connections to a host; more would wait where no timeout of ours sees them. One is kept for
 * what comes before data: a token must not have to wait behind the slow answers that need it. Its assertion is signed
 * while it has its turn already, and so goes by lanes of its own.
 */
const DATA_AT_ONCE = 5;
const CREDENTIALS_AT_ONCE = 1;

/** Makes what asks the provider, with a token that it renews itself. */
function createWays({ ports, sign, connection, pairing, failed }: FeedOptions, { requests }: ActivityLog) {
  const families = createFamilies(ports);
  const before = { pairing, recorder: requests.recorderOf("credentials"), families };
  const http = createHttp(ports, CREDENTIALS_AT_ONCE, before);
  const tokenHttp = createHttp(ports, CREDENTIALS_AT_ONCE, before);
  const token = createToken({ ports, http: tokenHttp, connection, sign: (refusedKeyId) => sign(http, refusedKeyId) });
  const dataHttp = createHttp(ports, DATA_AT_ONCE, { pairing, recorder: requests.recorderOf("data"), families });
  return { http, token, families, provider: createProvider({ ports, http: dataHttp, token, connection, failed }) };
}

/** Makes the cache of queries, with what is kept beyond it and what keeps it from sending too much. */
function createCache(options: FeedOptions, { notify, requests }: ActivityLog, count: BudgetOptions["count"]) {
  const { ports, owner, foundPersisted, check, requestLimit = () => Number.POSITIVE_INFINITY, isMoreToCome } = options;
  const answers = createPersistedCache({ ports, owner, notify });
  const budget = createBudget({ ports, limit: requestLimit, count, isMoreToCome, notify });
  const { listSources } = requests;
  const queryCache = createQueryCache(ports, { notify, answers, foundPersisted, listSources, budget, check });
  return { answers, budget, queryCache };
}

/** Makes the feed of one connection: all that is in it shares one token, one cache and two sets of lanes. */
export function createFeed(options: FeedOptions): Feed {
  const { ports, owner, createWorker } = options;
  const log = createActivityLog(ports.nowMs);
  const { http, token, families, provider } = createWays(options, log);
  const { answers, budget, queryCache } = createCache(
    options,
    log,
    (queries) => countRequests(queries, known).requests,
  );
  const batch = createBatch(ports, provider, options.connection);
  const limits = createPageLimits();
  const registrations = createRegistrations(answers, ports.nowMs, () => ({
    provider,
    queryCache,
    companies,
    financials,
  }));
  const financials = createFinancials(provider, batch, queryCache, registrations);
  const companies = createCompanies(provider, { queryCache, registrations, limits });
  const engine = createLazyEngine(ports.after, createWorker);
  const nameIndexes = createNameIndexes({ ports, provider, limits, queryCache, engine, owner });
  const known = toKnowledge({ queryCache, registrations, nameIndexes, batch });
  return {
    http,
    token,
    queryCache,
    budget,
    toCost: (queries) => toCost(queries, known),
    families,
    activity: log.toActivity(queryCache.live),
    companies,
    financials,
    taxonomies: createTaxonomies(provider, { queryCache, registrations, queryId: companies.queryId, limits }),
    rankings: createRankings(provider, limits),
    names: createNames(nameIndexes, engine),
    nameIndexes,
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

/** A script of its own, since they are tried once a day. */
async function loadProbes(ports: Ports, provider: Provider): Promise<Probes> {
  const { createProbes } = await import(/* webpackChunkName: "probes" */ "./probes");
  return createProbes(ports, provider);
}
