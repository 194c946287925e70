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
  load(ask: BatchRequest): Promise<Batched>;
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
  let open: { asks: BatchRequest[]; answers: Promise<Promise<Batched>[]> } | null = null;
  const openBatch = () => {
    const asks: BatchRequest[] = [];
    const close = async () => {
      open = null;
      if (memory.lessons === NO_LESSONS) memory.lessons = await toFirstLessons(connection);
      return dispatchBatch(provider, memory, asks);
    };
    const answers = new Promise<Promise<Batched>[]>((resolve) => {
      after(0, () => resolve(close()));
    });
    return { asks, answers };
  };
  return {
    async load(ask) {
      open ??= openBatch();
      const place = open.asks.push(ask) - 1;
      // Each ask has an answer of its own: one promise for all would let a slow chunk hold up the others.
      return (await open.answers)[place] as Promise<Batched>;
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
function dispatchBatch(provider: Provider, memory: Memory, asks: readonly BatchRequest[]) {
  const wanted = asks.filter((ask) => !ask.signal.aborted);
  const first = wanted[0]?.year ?? null;
  const year = wanted.every((ask) => ask.year === first) ? first : null;
  const askers = new Map<string, BatchRequest[]>();
  for (const ask of wanted) {
    const key = toCompanyKey(ask.companyId);
    const others = askers.get(key);
    if (others === undefined) askers.set(key, [ask]);
    else others.push(ask);
  }
  const chunkOf = new Map<string, Promise<Batched>>();
  for (const group of toGroups([...askers], memory.lessons.companiesAtOnce)) {
    const ids = group.map(([key, [ask]]) => ask?.companyId ?? key);
    const alone = new Set<string>();
    const askedAlone = (companyId: string) => alone.add(toCompanyKey(companyId));
    const options = mergeLoadings(group.flatMap(([, asks]) => asks));
    const outcomes = loadChunk({ provider, memory, year, askedAlone, options }, ids);
    for (const [key] of group) {
      chunkOf.set(
        key,
        pickOutcome(outcomes, key).then((financials) => {
          const isAlone = alone.has(key);
          if (!isAlone) learnBounds(memory, financials);
          return { financials, year, isAlone };
        }),
      );
    }
  }
  return asks.map(({ companyId, signal }) => {
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
