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
import { type Cost, countRequests, toCost, toKnowledge } from "./cost";
import { createFinancials, type FinancialsQueries } from "./financials";
import { createBatch } from "./financials/batch";
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
import { createTaxonomies, type TaxonomyQueries } from "./taxonomies";

interface FeedOptions {
  ports: Ports;
  /** Origin of the companion, which signs. */
  companionUrl: string;
  onEvent: (event: FeedEvent) => void;
  /** Whether more queries are on their way, so that those that are there wait for them; default no. */
  isMoreToCome?: (() => boolean) | undefined;
  /** Makes a worker of `names/worker`; default none, names are then searched in the page. */
  createWorker?: (() => Worker) | undefined;
}

/** What happens in the feed that its owner may act on. */
export type FeedEvent =
  /** A request waits for {@link Feed.connect}. */
  | { type: "connection-wanted" }
  /** A query waits for {@link Feed.owner}. */
  | { type: "owner-wanted" }
  | SigningEvent
  /** The companion answered as to a page that it does not know, which sent this bearer. */
  | { type: "unpaired"; error: SignerError; bearer: string | null }
  /** A read failed that began then; the connection itself may be gone. */
  | { type: "read-failed"; error: unknown; sinceMs: number }
  /** A query was answered by a persisted answer of that time. */
  | { type: "persisted-found"; query: Query<unknown>; asOfMs: number }
  /** A query was refused since it would be answered by another provider than expected. */
  | { type: "provider-refused"; provider: string };

/** The client of the Data Feed API: a query in, a typed answer out. */
export interface Feed {
  /** Lets requests go out, those first that wait for it. */
  connect(connection: Connection): void;
  /** Ends the connection; those who wait for one fail with `error`, or wait on where none is given. */
  disconnect(error?: unknown): void;
  /** Who the client is, and of which provider: persisted names and answers serve nobody else. */
  owner: Slot<string>;
  /** Sets the provider that the workbook's figures are from; queries are refused where it is another one. */
  expectProvider: ProviderCheck["expect"];
  pairing: PairingStore;
  /** Carries what comes before a token: configuration and assertion. */
  http: Http;
  token: TokenHolder;
  queryCache: QueryCache;
  /** Keeps what would take many requests until a person has confirmed it. */
  budget: Pick<Budget, "setLimit" | "refusals" | "confirm" | "drop">;
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

/** Makes the cache of queries, with what is kept beyond it and what keeps it from sending too much. */
function createCache(
  { ports, onEvent, isMoreToCome }: FeedOptions,
  { notify, requests }: ActivityLog,
  count: BudgetOptions["count"],
) {
  const owner = createSlot<string>(() => onEvent({ type: "owner-wanted" }));
  const { expect: expectProvider, check } = createProviderCheck(owner, (provider) =>
    onEvent({ type: "provider-refused", provider }),
  );
  const answers = createPersistedCache({ ports, owner: owner.get, notify });
  const budget = createBudget({ ports, count, isMoreToCome, notify });
  const foundPersisted = (query: Query<unknown>, asOfMs: number) => onEvent({ type: "persisted-found", query, asOfMs });
  const { listSources } = requests;
  const queryCache = createQueryCache(ports, { notify, answers, foundPersisted, listSources, budget, check });
  return { owner, expectProvider, answers, budget, queryCache };
}

/** Makes the feed of one connection: all that is in it shares one token, one cache and two sets of lanes. */
export function createFeed(options: FeedOptions): Feed {
  const { ports, createWorker } = options;
  const log = createActivityLog(ports.nowMs);
  const { connection, pairing, http, token, families, provider } = createWays(options, log);
  const { owner, expectProvider, answers, budget, queryCache } = createCache(
    options,
    log,
    (queries) => countRequests(queries, known).requests,
  );
  const batch = createBatch(ports, provider, connection.get);
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
  const nameIndexes = createNameIndexes({ ports, provider, limits, queryCache, engine, owner: owner.get });
  const known = toKnowledge({ queryCache, registrations, nameIndexes, batch });
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
