import { type Lessons, NO_LESSONS, type Outcomes, toGroups } from "../../client/batch/planner";
import { FeedError } from "../../client/errors";
import type { Connection } from "../../client/http";
import { toCompanyKey } from "../../client/ids";
import type { Ports } from "../../client/ports";
import type { LoadOptions, Provider, Sources } from "../../client/provider";
import type { Financials } from "../decode";
import type { Loading } from "../query-cache/types";
import { loadChunk, type Memory } from "./chunk";
import { hasBounds } from "./periods";

/** One company's financials, wanted by somebody. */
interface BatchRequest extends Loading {
  companyId: string;
  /** A fiscal year, or null for all there are. */
  year: number | null;
}

/** What came for an ask. */
interface Batched {
  financials: Financials;
  /** The fiscal year it was narrowed to, or null when all years came: then it serves every year. */
  year: number | null;
  /** Whether it came by the company's own read (§2.3), which has all there is to say. */
  isAlone: boolean;
}

/** Where the provider is, as far as a batch wants to know. */
export type Connecting = () => Promise<Pick<Connection, "companiesAtOnce">>;

export interface Batch {
  /**
   * Reads one company's financials together with whoever else asks in this turn of the page (§4.2).
   *
   * @throws RequestError (FEED_NOT_FOUND for an unknown company) and whatever {@link Provider.load} throws
   */
  load(request: BatchRequest): Promise<Batched>;
  /** How many companies the provider answers at once, as far as its answers have shown. */
  companiesAtOnce(): number;
  /** Whether its answers for several companies are known to say when fiscal years begin and end (§2.3). */
  hasBounds(): boolean;
  /** Forgets what the provider's answers taught: another client may be told otherwise. */
  forget(): void;
}

/**
 * Makes a batch that asks for companies together: those of a burst of cells come in one go, once it has been counted.
 *
 * @param connection says how many may be asked for at once, until answers teach less; where there is none, reads say why
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
      // Each ask has an answer of its own: one promise for all would let a slow chunk hold up the others.
      return (await openBurst.answers)[place] as Promise<Batched>;
    },
    companiesAtOnce: () => memory.lessons.companiesAtOnce,
    hasBounds: () => memory.hasBounds === true,
    forget() {
      memory = { lessons: NO_LESSONS }; // another one: what is still under way teaches only those of its own time
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

/** `year` is sent only when everybody wants that same one: several years of a company are one answer without it. */
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
    const outcomes = loadChunk({ provider, memory, year, onSingleRead, options }, ids);
    for (const [key] of group) {
      chunkOf.set(
        key,
        pickOutcome(outcomes, key).then((financials) => {
          const isAlone = readSingly.has(key);
          if (!isAlone) learnBounds(memory, financials);
          return { financials, year, isAlone };
        }),
      );
    }
  }
  return requests.map(({ companyId, signal }) => {
    const answer = chunkOf.get(toCompanyKey(companyId)) ?? Promise.reject(signal.reason);
    answer.catch(() => undefined); // whoever asked has it; one who left by then leaves no unhandled rejection
    return answer;
  });
}

/** One answer without bounds is enough: the next may lack them as well. */
function learnBounds(memory: Memory, financials: Financials): void {
  if (financials.years.length > 0) memory.hasBounds = memory.hasBounds !== false && hasBounds(financials);
}

async function pickOutcome(chunk: Promise<Outcomes<Financials>>, companyId: string): Promise<Financials> {
  const outcome = (await chunk).get(companyId) as Financials | FeedError; // no plan ends without one for each
  if (outcome instanceof FeedError) throw outcome;
  return outcome;
}

/** Each request of a chunk has its own deadline, and there are few: a chunk that waits for its turn is not late. */
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

/** Notes a joint read with each of its callers; its answer has to be as current as the strictest of them wants. */
const mergeSources = (all: readonly Sources[]): Sources => ({
  maxAgeMs: Math.min(...all.map(({ maxAgeMs }) => maxAgeMs)),
  addRequest(request) {
    for (const each of all) each.addRequest(request);
  },
  addAge(age) {
    for (const each of all) each.addAge(age);
  },
});
