import { createSigner, type SigningEvent } from "../client/auth/assertion";
import { createPairingStore, type PairingStore } from "../client/auth/pairing-store";
import { createToken, type TokenHolder } from "../client/auth/token";
import { NoValueError, type SignerError } from "../client/errors";
import { type Connection, createHttp, type Http } from "../client/http";
import { createFamilies, type Families } from "../client/http/families";
import { createRequestLog, type LoggedRequest } from "../client/http/request-log";
import { msg } from "../client/messages";
import { SAMPLE, toProvider } from "../client/owner";
import type { Ports } from "../client/ports";
import { createProvider, type Provider } from "../client/provider";
import { createSubscribers } from "../client/subscribers";
import { type Budget, type BudgetOptions, createBudget } from "./budget";
import { type CompaniesQueries, createCompanies } from "./companies";
import { awaitsLength, type Cost, countRequests, toCost, toKnowledge } from "./cost";
import { type Financials, readText } from "./decode";
import { createFinancials, type FinancialsQueries } from "./financials";
import { createBatch } from "./financials/batch";
import { createNames, type NamesQueries } from "./names";
import { createNameIndexes, type NameIndexes } from "./names/indexes";
import { createLazyEngine } from "./names/lazy-engine";
import { createPageLimits } from "./pages";
import { createPersistedData, type PersistedData, persistedCaches } from "./persisted-cache";
import { createQueryCache, type Live, type Query, type QueryCache } from "./query-cache";
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
  expectProvider(provider: string | null): void;
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
  nameIndexes: NameIndexes;
  /** What names in formulas mean in this workbook. */
  resolutions: Resolutions;
  /** The data that outlives the page. */
  persistedData: PersistedData;
  /** Sends single reads past the caches, as those that show the client's entitlements. */
  provider: Provider;
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
  const answers = persistedCaches.create({ ports, owner: owner.get, notify });
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
    nameIndexes,
    resolutions,
    persistedData: createPersistedData(answers, engine),
    provider,
    reset() {
      for (const { forget } of [token, batch, registrations, budget, families, limits]) forget();
      nameIndexes.reset();
      answers.evictOthers();
      queryCache.reset();
    },
  };
}

/**
 * Prevents figures of two providers in one workbook.
 *
 * @param onRefused called with a provider that is not the expected one
 */
function createProviderCheck(owner: Slot<string>, onRefused: (provider: string) => void) {
  let expected: string | null = null;
  return {
    expect(provider: string | null) {
      expected = provider;
    },
    /** Gives null where a query may load at once. @throws NoValueError (FEED_CONFIRM_NEEDED) at another provider */
    check(): Promise<void> | null {
      const known = owner.peek();
      if (expected === null || (known !== null && toProvider(known) === expected)) return null;
      return owner.get().then((found) => {
        const provider = toProvider(found);
        if (expected === null || provider === expected) return;
        onRefused(provider);
        throw toForeign(expected, provider);
      });
    },
  };
}

function toForeign(expected: string, provider: string): NoValueError {
  const [from, to] = [expected, provider].map(toName);
  const text = msg`this workbook's figures are from ${from}; confirm in the FEED pane to fill it from ${to}`;
  return new NoValueError("FEED_CONFIRM_NEEDED", text);
}

const toName = (provider: string): unknown =>
  provider === SAMPLE ? msg`sample data` : provider.replace(/^https?:\/\//, "");

/** The state of the live queries and the request log. */
interface Activity {
  /** Number of live queries without an answer or a failure. */
  pending(): number;
  /** Number of live queries whose last refresh failed, so that the former answer is shown. */
  stale(): number;
  /** Time of the oldest answer of a live query, milliseconds since the Unix epoch; null when there is none. */
  oldestAsOfMs(): number | null;
  /** Currencies of all years in the live financials, each once, in alphabetical order. */
  currencies(): string[];
  /** Number of requests for data since the page opened, retries included, without those for credentials. */
  requests(): number;
  /** The last requests of any kind, oldest first. */
  log(): readonly LoggedRequest[];
  /** Calls `listener` after each change of any of these. */
  onChange(listener: () => void): () => void;
}

type ActivityLog = ReturnType<typeof createActivityLog>;

function createActivityLog(nowMs: () => number) {
  const { subscribe: onChange, notify } = createSubscribers();
  const requests = createRequestLog(nowMs, notify);
  return {
    /** Reports a change of the queries. */
    notify,
    requests,
    /** Joins the log with the live queries. */
    toActivity: (live: () => readonly Live[]): Activity => ({
      pending: () => live().filter(({ state }) => state.status === "pending").length,
      stale: () => live().filter(({ state }) => state.status === "answered" && state.error !== null).length,
      oldestAsOfMs: () =>
        live().reduce((oldest: number | null, { state }) => {
          return state.status === "answered" ? Math.min(oldest ?? state.answer.asOfMs, state.answer.asOfMs) : oldest;
        }, null),
      currencies() {
        const found = new Set<string>();
        for (const each of live()) for (const currency of toCurrencies(each)) found.add(currency);
        return [...found].sort();
      },
      requests: () => requests.count("data"),
      log: requests.list,
      onChange,
    }),
  };
}

/** Currencies by answer, since each change of any answer reads all of them. */
const currencies = new WeakMap<Financials, readonly string[]>();

function toCurrencies({ key, state }: Live): readonly string[] {
  if (key[0] !== "financials" || state.status !== "answered") return [];
  const financials = state.answer.value as Financials;
  const known = currencies.get(financials);
  if (known !== undefined) return known;
  const found = [...new Set(financials.years.flatMap(({ fields }) => readText(fields.currency) ?? []))];
  currencies.set(financials, found);
  return found;
}

/** A value that is set later and may be removed again; callers wait for it. */
interface Slot<T> {
  /** Gives the value, or waits for it. @throws the error of {@link Slot.clear} */
  get(): Promise<T>;
  /** Null where there is none. */
  peek(): T | null;
  set(value: T): void;
  /** Gives the current waiters a value without storing it. */
  serve(value: T): void;
  /** Removes the value; waiters fail with `error`, or go on waiting without one. */
  clear(error?: unknown): void;
}

/** @param onEmpty called for each `get` without a value */
function createSlot<T>(onEmpty: () => void): Slot<T> {
  let held: { value: T } | null = null;
  let waiting: { resolve: (value: T) => void; reject: (error: unknown) => void }[] = [];
  const takeWaiting = () => {
    const all = waiting;
    waiting = [];
    return all;
  };
  const serve = (value: T) => {
    for (const { resolve } of takeWaiting()) resolve(value);
  };
  return {
    get() {
      if (held !== null) return Promise.resolve(held.value);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        onEmpty();
      });
    },
    peek: () => held?.value ?? null,
    set(value) {
      held = { value };
      serve(value);
    },
    serve,
    clear(error) {
      held = null;
      if (error === undefined) return;
      for (const { reject } of takeWaiting()) reject(error);
    },
  };
}
