import type { ProviderQuery } from "../../companion/feature";
import type { Provider } from "../../companion/provider";
import { Refusal, throwRefusal } from "../../companion/refusal";
import type { ProviderAnswer } from "../../companion/relay/answer";
import { FAMILIES, type Family, OPERATION_FAMILIES, type ReadOperation } from "../../contract/constants";
import type { ProviderClient } from "../relay/provider-client";
import { toIntervalMs } from "../relay/rate-limit";
import type { FirmStores } from "../stores";
import { toAgeLimit, type Wanted } from "./shared/age-limit";
import { createBatcher } from "./shared/batcher";
import { createChunks } from "./shared/chunks";
import { readFinancials } from "./shared/financials";
import { createSingleCompanies, readCompanyFinancials, readCompanyQuery } from "./shared/financials/company";
import { createQueryQueue } from "./shared/query-queue";
import { type Read, type ReadThroughOptions, readThrough, toAnswerPlace } from "./shared/read-through";
import { createReadings, readList, readListAddress } from "./shared/readings";
import type { AgedAnswer, Reader, SharedAnswer } from "./shared/result";
import {
  createSharedCache,
  FRESHNESS,
  type SharedCache,
  toAnswerKey,
  toElementKey,
  toScope,
} from "./shared/shared-cache";
import { countCompanies, readFinancialsQuery } from "./shared/split";

/** After this time, readers whom one slow company delays load their own, before their panes give up. */
const PATIENCE_MS = 10_000;

export type { Wanted } from "./shared/age-limit";
export type { Reader, SharedAnswer } from "./shared/result";

/** Reads the provider once for all readers who are entitled to the answer. */
export interface SharedReads {
  /**
   * Reads for one reader, whom the caller has authorised.
   * @throws Refusal as of ProviderClient, and of the reader's own quota.
   */
  read(operation: ReadOperation, query: ProviderQuery, reader: Reader, wanted?: Wanted): Promise<SharedAnswer>;
}

interface SharedReadsOptions {
  /** Creates the client of the current provider. */
  createClient(): ProviderClient;
  stores: Pick<FirmStores, "answers" | "ownAnswers">;
  /** The current provider; the pane may set up another one. */
  provider: () => Provider;
  /** Minimum age of an answer before a refresh requests it again, in milliseconds. */
  refreshMs: number;
  /** Requests a minute that the provider allows. */
  perMinute: number;
  /**
   * How long readers wait for companies of one chunk before they may load their own, in milliseconds; default 10000.
   */
  patienceMs?: number | undefined;
  /** Default Date.now. */
  nowMs?: () => number;
}

/** Creates the shared reads; each provider and client has its own. */
export function createSharedReads(given: SharedReadsOptions): SharedReads {
  const options = { patienceMs: PATIENCE_MS, nowMs: Date.now, ...given };
  let current: { scope: string; reads: SharedReads } | undefined;
  return {
    read(...request) {
      const scope = toScope(options.provider());
      if (current?.scope !== scope) current = { scope, reads: createScopeReads(scope, options) };
      return current.reads.read(...request);
    },
  };
}

/** Refuses across a change of provider: its answers must not be stored as the former one's. */
function guardLoad({ load }: ProviderClient, scope: string, provider: () => Provider): ProviderClient["load"] {
  const check = () => {
    if (toScope(provider()) === scope) return;
    throw new Refusal(502, "Another provider was set up meanwhile: ask again.", "FEED_NETWORK_FAILED");
  };
  return async (query) => {
    check();
    const answer = await load(query);
    check();
    return answer;
  };
}

type ScopeOptions = SharedReadsOptions & { patienceMs: number; nowMs(): number };

/** @param scope By {@link toScope}. */
function createScopeReads(scope: string, options: ScopeOptions): SharedReads {
  const { stores, refreshMs, nowMs } = options;
  const load = guardLoad(options.createClient(), scope, options.provider);
  const createOfFamily = (family: Family) => {
    const freshness = FRESHNESS[family];
    const own = createSharedCache(stores.ownAnswers, freshness);
    // One queue per family, so that a slow family delays no other.
    const parts = { queries: createQueryQueue({ load }), nowMs };
    const whole = { ...parts, cache: freshness.isPersonal ? own : createSharedCache(stores.answers, freshness) };
    return { whole, lists: { ...parts, cache: own, readings: createReadings(own, nowMs) } };
  };
  const families = new Map(FAMILIES.map((family) => [family, createOfFamily(family)]));
  const together = createTogether(scope, families.get("financials")!.whole.cache, load, options);
  const readAged = async (operation: ReadOperation, read: Read, wanted: Wanted): Promise<AgedAnswer> => {
    const { query, reader } = read;
    const { whole, lists } = families.get(OPERATION_FAMILIES[operation])!;
    const company = operation === "getCompanyFinancials" ? readCompanyQuery(query.path) : undefined;
    if (company !== undefined) return readCompanyFinancials({ ...whole, ...together }, company, read);
    if (query.method === "GET") {
      const address = readListAddress(scope, operation, query.path);
      if (address !== undefined) return readList(lists, address, read, wanted.reading);
      return readThrough(whole, toAnswerPlace(whole.cache, toAnswerKey(scope, query.path)), read);
    }
    const many = readFinancialsQuery(query.body);
    if (many !== undefined) return readFinancials({ ...whole, ...together }, many, read, wanted.takesPartial);
    return readUnshared(whole, query, reader);
  };
  return {
    async read(operation, query, reader, wanted = {}) {
      const { freshMs } = FRESHNESS[OPERATION_FAMILIES[operation]];
      const startMs = nowMs();
      const limit = toAgeLimit(wanted, freshMs, refreshMs, startMs);
      const answer = await readAged(operation, { query, reader, limit }, wanted);
      const isHeld = answer.asOfMs < startMs - (wanted.maxAgeMs ?? Number.POSITIVE_INFINITY);
      return { ...answer, newerAtMs: isHeld ? answer.asOfMs + Math.min(freshMs, refreshMs) : undefined };
    },
  };
}

/** Loads a query that cannot be split, for one reader. */
async function readUnshared({ queries, nowMs }: ReadThroughOptions, query: ProviderQuery, reader: Reader) {
  const count = countCompanies(query.body);
  throwRefusal(reader.admit(count));
  const answer: ProviderAnswer = await queries.send(reader, query);
  return { ...answer, asOfMs: nowMs(), requested: count, known: 0 };
}

/** Creates what loads financials of several companies, and joins several readers' companies in chunks. */
function createTogether(scope: string, cache: SharedCache, load: ProviderClient["load"], options: ScopeOptions) {
  const { perMinute, patienceMs, nowMs } = options;
  const chunks = createChunks({
    nowMs,
    store: (year, elements, atMs) =>
      cache.store(new Map([...elements].map(([id, body]) => [toElementKey(scope, year, id), body])), atMs),
  });
  const batcher = createBatcher({
    largest: chunks.largest,
    load: (year, ids) => chunks.load(year, ids, load),
    // Measures short waits, which a test's clock must not prolong.
    nowMs: () => performance.now(),
    clockMs: nowMs,
    fastestMs: toIntervalMs(perMinute),
    patienceMs,
  });
  return { scope, chunks, batcher, singles: createSingleCompanies(nowMs) };
}
