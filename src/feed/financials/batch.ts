import {
  type Elements,
  type Group,
  type Lessons,
  loadPlanned,
  NO_LESSONS,
  type Outcomes,
  toGroups,
} from "../../client/batch/planner";
import { FeedError } from "../../client/errors";
import type { Connection } from "../../client/http";
import { assertAnswerOf, toCompanyKey } from "../../client/ids";
import type { Ports } from "../../client/ports";
import type { Call, LoadOptions, Provider, Sources } from "../../client/provider";
import { decodeFinancials, decodeObjects, decodeRow, type Financials, type Row, readCount, readText } from "../decode";
import type { Loading } from "../query-cache/types";
import { hasBounds } from "./periods";

/** A request for one company's financials. */
interface BatchRequest extends Loading {
  companyId: string;
  /** A fiscal year, or null for all there are. */
  year: number | null;
}

/** The answer to a batch request. */
interface Batched {
  financials: Financials;
  /** The fiscal year that it is limited to, or null when it has all years. */
  year: number | null;
  /** Whether the company was read alone (§2.3), so that the answer has the bounds of its years. */
  isAlone: boolean;
}

/** Gives the chunk size of the configured provider. */
export type Connecting = () => Promise<Pick<Connection, "companiesAtOnce">>;

export interface Batch {
  /**
   * Reads one company's financials together with all other requests of this macrotask (§4.2).
   *
   * @throws RequestError (FEED_NOT_FOUND for an unknown company); the errors of {@link Provider.load}
   */
  load(request: BatchRequest): Promise<Batched>;
  /** The chunk size that the provider's answers have proved so far, in companies. */
  companiesAtOnce(): number;
  /** Whether its answers for several companies are known to carry the bounds of fiscal years (§2.3). */
  hasBounds(): boolean;
  /** Forgets the lessons of earlier answers: another client may get other answers. */
  forget(): void;
}

/**
 * Makes a batch, which reads all companies of a burst of cells together.
 *
 * @param connection gives the first chunk size; without a connection the reads themselves fail with the reason
 */
export function createBatch({ after }: Pick<Ports, "after">, provider: Provider, connection: Connecting): Batch {
  let memory: Memory = { lessons: NO_LESSONS };
  let openBurst: { requests: BatchRequest[]; answers: Promise<Promise<Batched>[]> } | null = null;
  const openBatch = () => {
    const requests: BatchRequest[] = [];
    const close = async () => {
      openBurst = null;
      if (memory.lessons === NO_LESSONS) memory.lessons = await toFirstLessons(connection);
      return dispatchBatch(provider, memory, requests);
    };
    const answers = new Promise<Promise<Batched>[]>((resolve) => {
      after(0, () => resolve(close()));
    });
    return { requests, answers };
  };
  return {
    async load(request) {
      openBurst ??= openBatch();
      const place = openBurst.requests.push(request) - 1;
      // Each request has a promise of its own: with one for all, a slow chunk would delay the others.
      return (await openBurst.answers)[place] as Promise<Batched>;
    },
    companiesAtOnce: () => memory.lessons.companiesAtOnce,
    hasBounds: () => memory.hasBounds === true,
    forget() {
      memory = { lessons: NO_LESSONS }; // a new object: chunks under way go on teaching the old one
    },
  };
}

async function toFirstLessons(connection: Connecting): Promise<Lessons> {
  const companiesAtOnce = await connection().then(
    (found) => found.companiesAtOnce,
    () => undefined,
  );
  return companiesAtOnce ? { ...NO_LESSONS, companiesAtOnce } : NO_LESSONS;
}

/** Sends `year` only when all requests want the same one: without it, one answer has all years of a company. */
function dispatchBatch(provider: Provider, memory: Memory, requests: readonly BatchRequest[]) {
  const wanted = requests.filter((request) => !request.signal.aborted);
  const first = wanted[0]?.year ?? null;
  const year = wanted.every((request) => request.year === first) ? first : null;
  const requestsByCompany = new Map<string, BatchRequest[]>();
  for (const request of wanted) {
    const key = toCompanyKey(request.companyId);
    const others = requestsByCompany.get(key);
    if (others === undefined) requestsByCompany.set(key, [request]);
    else others.push(request);
  }
  const chunkOf = new Map<string, Promise<Batched>>();
  for (const group of toGroups([...requestsByCompany], memory.lessons.companiesAtOnce)) {
    const ids = group.map(([key, [request]]) => request?.companyId ?? key);
    const readSingly = new Set<string>();
    const onSingleRead = (companyId: string) => readSingly.add(toCompanyKey(companyId));
    const options = mergeLoadings(group.flatMap(([, requests]) => requests));
    const early = createEarlyOutcomes();
    const outcomes = loadChunk({ provider, memory, year, onSingleRead, onOutcomes: early.notify, options }, ids);
    for (const [key] of group) {
      chunkOf.set(
        key,
        pickOutcome(early.of(key), outcomes, key).then((financials) => {
          const isAlone = readSingly.has(key);
          if (!isAlone) learnBounds(memory, financials);
          return { financials, year, isAlone };
        }),
      );
    }
  }
  return requests.map(({ companyId, signal }) => {
    const answer = chunkOf.get(toCompanyKey(companyId)) ?? Promise.reject(signal.reason);
    answer.catch(() => undefined); // an aborted caller leaves no unhandled rejection
    return answer;
  });
}

/** One answer without bounds is enough: the next may lack them as well. */
function learnBounds(memory: Memory, financials: Financials): void {
  if (financials.years.length > 0) memory.hasBounds = memory.hasBounds !== false && hasBounds(financials);
}

type Outcome = Financials | FeedError;

/** The outcomes of a chunk as they come: a company that is late delays no other. */
function createEarlyOutcomes() {
  const waiting = new Map<string, (outcome: Outcome) => void>();
  return {
    of: (key: string) => new Promise<Outcome>((resolve) => waiting.set(key, resolve)),
    notify(outcomes: Outcomes<Financials>): void {
      for (const [key, outcome] of outcomes) waiting.get(key)?.(outcome);
    },
  };
}

async function pickOutcome(
  early: Promise<Outcome>,
  chunk: Promise<Outcomes<Financials>>,
  companyId: string,
): Promise<Financials> {
  // No plan ends without an outcome for each.
  const outcome = await Promise.race([early, chunk.then((outcomes) => outcomes.get(companyId) as Outcome)]);
  if (outcome instanceof FeedError) throw outcome;
  return outcome;
}

const mergeLoadings = (all: readonly Loading[]): LoadOptions => ({
  signal: abortWithAll(all.map(({ signal }) => signal)),
  sources: mergeSources(all.map(({ sources }) => sources)),
});

/** A signal that aborts when the last of the given ones has. */
function abortWithAll(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  let left = signals.length;
  for (const signal of signals) {
    signal.addEventListener("abort", () => --left === 0 && controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
}

/** Reports a shared read to each of its callers; its answer must be as fresh as the strictest caller requires. */
const mergeSources = (all: readonly Sources[]): Sources => ({
  maxAgeMs: Math.min(...all.map(({ maxAgeMs }) => maxAgeMs)),
  addRequest(request) {
    for (const each of all) each.addRequest(request);
  },
  addAge(age) {
    for (const each of all) each.addAge(age);
  },
});

/** The lessons of earlier answers, as one mutable object that all chunks under way share. */
export interface Memory {
  lessons: Lessons;
  /** Whether all answers for several companies had the bounds of their years (§2.3); absent before the first. */
  hasBounds?: boolean;
}

/** How a group of companies is read. */
interface Chunk {
  provider: Provider;
  memory: Memory;
  /** A fiscal year, or null for all. */
  year: number | null;
  options: LoadOptions;
  /** Called for each company that is read by a request of its own. */
  onSingleRead?: (companyId: string) => void;
  /** Called with the outcomes so far after each answer. */
  onOutcomes?: (outcomes: Outcomes<Financials>) => void;
}

/**
 * Reads the financials of some companies, with an outcome for each.
 *
 * @param ids distinct company ids, 1 or more
 * @throws the errors of `provider.load`, except a {@link FeedError}, which is an outcome
 */
export function loadChunk(chunk: Chunk, ids: Group): Promise<Outcomes<Financials>> {
  const { provider, memory, year, options, onSingleRead, onOutcomes } = chunk;
  const send = async (group: Group) => {
    if (group.length === 1) onSingleRead?.(group[0] as string);
    const reply = provider.load(toCall(year, group), options);
    return reply.then(({ body, isPartial }) => ({ ...decodeAnswer(year, group, body), isPartial })).catch(toFailure);
  };
  return loadPlanned(memory, ids, year, send, onOutcomes);
}

/**
 * Reads the financials of one company (§4.2), which cannot be cut: the answer is no list.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED), also for the answer of another company; the errors of `provider.load`
 */
export async function loadCompany(provider: Provider, companyId: string, year: number | null, options: LoadOptions) {
  const { body } = await provider.load(toCall(year, [companyId]), options);
  return decodeCompany(companyId, body);
}

export function toCall(year: number | null, ids: Group): Call {
  const [companyId = "", ...others] = ids;
  const query = year === null ? {} : { year };
  if (others.length > 0) return { operation: "getFinancialsOfMany", body: { companyIds: ids, ...query } };
  return { operation: "getCompanyFinancials", path: { companyId }, query };
}

/**
 * Decodes the answer of a request for one company or for several.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED), also for the answer of another company
 */
export function decodeAnswer(year: number | null, ids: Group, body: unknown): Elements<Financials> {
  const [only = "", ...others] = ids;
  if (others.length > 0) return decodeElements(year, ids, body);
  return { found: new Map([[toCompanyKey(only), decodeCompany(only, body)]]) };
}

function decodeCompany(companyId: string, body: unknown): Financials {
  const financials = decodeFinancials(body);
  assertAnswerOf(companyId, financials.companyId);
  return financials;
}

/** A malformed element fails its own company only; one without a company id is ignored. */
function decodeElements(year: number | null, ids: Group, body: unknown): Elements<Financials> {
  const envelope = decodeRow(body, "financials");
  const rows = decodeObjects(envelope.data, "financials");
  const total = readCount(envelope.total);
  const requestedKeys = ids.map(toCompanyKey);
  const meant = toDistinct(rows).filter((row) => requestedKeys.includes(toRowKey(row)));
  const found = new Map(meant.map((row) => [toRowKey(row), decodeElement(row)]));
  const inPieces = meant.map(toRowKey).filter((key, place, keys) => keys.indexOf(key) < place);
  const isCounted = found.size === ids.length && total === rows.length;
  const mayBeYears = year === null && meant.length > 0 && meant.every(hasOneYear) && !isCounted;
  const hasMorePieces = total !== null && total > Math.max(ids.length, rows.length);
  // An element for each year or period: a cut can go through the middle of a company, and no total would tell.
  return { found, inPieces, mayBeCut: inPieces.length > 0 || mayBeYears || hasMorePieces };
}

/** Drops equal elements; serialises them only where a company has several. */
function toDistinct(rows: readonly Row[]): readonly Row[] {
  if (new Set(rows.map(toRowKey)).size === rows.length) return rows;
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

const toRowKey = (row: Row): string => toCompanyKey(readText(row.companyId) ?? "");

const hasOneYear = ({ years }: Row): boolean => Array.isArray(years) && years.length === 1;

function decodeElement(row: Row): Financials | FeedError {
  try {
    return decodeFinancials(row);
  } catch (error) {
    return toFailure(error);
  }
}

function toFailure(error: unknown): FeedError {
  if (error instanceof FeedError) return error;
  throw error;
}
