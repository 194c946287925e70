import { DEFAULT_PAGE_SIZE } from "../../../contract/constants";
import { Refusal } from "../../refusal";
import { NO_TRACE, type SpanReference, type Trace } from "../../reporting/trace";
import { createDrain } from "./batcher/drain";
import { createQueue, type Pending } from "./batcher/queue";
import {
  createOnce,
  LONGEST_QUEUE,
  LONGEST_SLOT_MS,
  LONGEST_WAIT_MS,
  MOST_AT_ONCE,
  NotYet,
  QueueFull,
} from "./fair-queue";
import { type CompanyResult, type Failed, toFailed, toRefused } from "./result";
import { NO_SUBSCRIBERS, type Subscribers } from "./single-flight";
import type { Year } from "./split";

/** How long an incomplete chunk waits for more while one reader is active; doubled for each chunk under way. */
const WINDOW_MS = 25;
/** Extra wait for each further recent reader, who may complete the chunk; and the limit of it. */
const WINDOW_FOR_EACH_MS = 100;
const LONGEST_WINDOW_MS = 1500;
const LATELY_MS = 2000;
/** Any cached answer serves. */
const ANY_AGE = Number.NEGATIVE_INFINITY;
/** Extra wait for a company under way: the pane waits for 30 seconds. */
const LONGEST_ANSWER_MS = 18_000;
/** Companies of one reader that may wait: those of as many chunks as may wait in the fair queue. */
export const MOST_WAITING = LONGEST_QUEUE * DEFAULT_PAGE_SIZE;
/** Companies of all readers that may wait in this instance: some 250 MB. */
const MOST_IN_ALL = 50_000;

/**
 * Joins companies that several readers request into chunks. A company is
 *
 * | waiting   | until a chunk is full or its window is over, and fewer than six chunks are under way                |
 * | taken     | until its chunk's answer comes; once that is slow, its readers may load their own                   |
 * | removed   | once settled, also where that was too late for its readers                                          |
 */
export interface Batcher {
  /**
   * Requests a company, unless too many are waiting. One that does not come in time fails for its readers, at once
   * where that is foreseen, but stays in the queue, so that it is cached when they retry.
   * @param who The reader in whose queue it waits: a heavy reader delays no light one.
   * @param subscribers Other readers in whose queues it waits too; default none.
   * @param waitMs Default 10 seconds.
   * @param afterMs A cached answer serves where it came after this; default any.
   */
  request(
    year: Year,
    companyId: string,
    who: string,
    subscribers?: Subscribers,
    waitMs?: number,
    afterMs?: number,
  ): Promise<CompanyResult>;
  /**
   * Refuses companies that are already queued for a reader or under way, where they are foreseen to take longer than
   * this. Costs less than to request them again.
   */
  foresee(year: Year, companyIds: readonly string[], who: string, waitMs: number): Failed | undefined;
  /** Whether a company is already queued for a reader. */
  isWaiting(year: Year, companyId: string, who: string): boolean;
}

export interface BatcherOptions {
  /** The provider's page cap. */
  largest(): number;
  /**
   * Loads companies, and gives the result of each.
   * @param toAfterMs A cached company serves where it came after this.
   */
  load(
    year: Year,
    companyIds: readonly string[],
    toAfterMs: (companyId: string) => number,
  ): Promise<ReadonlyMap<string, CompanyResult>>;
  nowMs(): number;
  /** How long readers wait for a chunk before they may load their own companies, in milliseconds. */
  patienceMs: number;
  /** Default none. */
  trace?: Trace;
}

export function createBatcher({ largest, load, nowMs, patienceMs, trace = NO_TRACE }: BatcherOptions): Batcher {
  const queue = createQueue(MOST_WAITING, MOST_IN_ALL);
  const recentReaders = createRecentReaders(nowMs);
  const drain = createDrain(nowMs);
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  const send = async (year: Year, chunk: readonly Pending[]) => {
    underWay += 1;
    const ended = loadAll(load, trace, year, chunk);
    const timer = setTimeout(() => chunk.length > 1 && notifySlow(chunk, ended), patienceMs).unref();
    const leave = createOnce(() => {
      underWay -= 1;
      drain.end(queue.isEmpty());
      dispatch();
    });
    const slot = setTimeout(leave, LONGEST_SLOT_MS).unref();
    await ended;
    for (const each of [timer, slot]) clearTimeout(each);
    queue.drop(year, chunk);
    leave();
  };
  const dispatch = () => {
    clearTimeout(timer);
    while (underWay < MOST_AT_ONCE) {
      const windowMs = Math.max(recentReaders.windowMs(), WINDOW_MS * 2 ** underWay);
      const year = queue.pickYear(largest(), nowMs() - windowMs);
      if (year === undefined) break;
      void send(year, queue.takeChunk(year, largest()));
    }
    if (underWay < MOST_AT_ONCE && !queue.isEmpty()) timer = setTimeout(dispatch, WINDOW_MS);
  };
  const dispatchSoon = createSoon(dispatch);
  const toExpectedMs = (year: Year, companyIds: readonly string[], who: string) =>
    toServedMs(drain.chunkMs(), () => queue.countUntil(who, year, companyIds), largest());
  return {
    async request(year, companyId, who, subscribers = NO_SUBSCRIBERS, waitMs = LONGEST_WAIT_MS, afterMs = ANY_AGE) {
      const pending = queue.find(year, companyId, nowMs(), afterMs);
      if (!pending.isTaken && !queue.add(who, year, pending)) return toRefused(new QueueFull(), who);
      addSpan(pending, trace.current());
      subscribers.each((other, span) => addSpan(pending, span) || queue.add(other, year, pending));
      recentReaders.add(who);
      dispatchSoon();
      const foreseeMs = () => toExpectedMs(year, [companyId], who);
      const expectedMs = pending.isTaken ? undefined : foreseeMs();
      return isLonger(expectedMs, waitMs) ? toLate(pending, expectedMs) : receive(pending, waitMs, foreseeMs);
    },
    foresee(year, companyIds, who, waitMs) {
      const expectedMs = toExpectedMs(year, companyIds, who);
      return isLonger(expectedMs, waitMs) ? toFailed(new NotYet(expectedMs)) : undefined;
    },
    isWaiting: (year, companyId, who) => queue.has(who, year, companyId),
  };
}

/** Loads a chunk, each company as new as its readers require; resolves once all of them are settled. */
function loadAll(load: BatcherOptions["load"], trace: Trace, year: Year, chunk: readonly Pending[]): Promise<unknown> {
  const afterMs = new Map(chunk.map((pending) => [pending.companyId, pending.afterMs]));
  const loaded = trace.share("batch", toSpans(chunk), (note) => {
    note({ "feed.companies": chunk.length });
    return load(year, [...afterMs.keys()], (companyId) => afterMs.get(companyId)!);
  });
  for (const { companyId, resolve } of chunk) resolve(loaded.then((results) => results.get(companyId)!));
  return loaded.catch(() => {}); // each subscriber gets the failure
}

/** Adds a reader's span, and gives whether the company is under way. */
function addSpan(pending: Pending, span: SpanReference | undefined): boolean {
  if (span !== undefined) {
    pending.spans ??= new Set();
    pending.spans.add(span);
  }
  return pending.isTaken;
}

/** Gives the readers' spans, each once, as they are when it is read. */
const toSpans = (chunk: readonly Pending[]): Iterable<SpanReference> => ({
  [Symbol.iterator]: () => new Set(chunk.flatMap(({ spans = [] }) => [...spans])).values(),
});

/** Gives the time of companies that are not under way; undefined where it is unknown. */
function toServedMs(chunkMs: number | undefined, count: () => number | undefined, largest: number): number | undefined {
  const companies = chunkMs && count();
  return chunkMs && companies ? (companies / largest) * chunkMs : undefined;
}

const isLonger = (expectedMs: number | undefined, waitMs: number): boolean =>
  expectedMs !== undefined && expectedMs > waitMs;

/** Gives a company's result, or a failure where it is late. One under way gets some more time. */
function receive(pending: Pending, waitMs: number, foreseeMs: () => number | undefined): Promise<CompanyResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CompanyResult>((resolve) => {
    const refuse = () => resolve(toLate(pending, foreseeMs()));
    timer = setTimeout(() => {
      if (pending.isTaken) timer = setTimeout(refuse, LONGEST_ANSWER_MS);
      else refuse();
    }, waitMs);
  });
  return Promise.race([pending.result, pending.slow, late]).finally(() => clearTimeout(timer));
}

/** Fails for now, while the company stays in the queue. */
const toLate = (pending: Pending, expectedMs?: number): CompanyResult => ({
  ...toFailed(new NotYet(expectedMs)),
  ended: pending.result.catch(() => {}),
});

/** Lets the readers of a slow chunk load their own companies beside it. */
function notifySlow(chunk: readonly Pending[], ended: Promise<unknown>): void {
  const said = new Refusal(504, "The provider did not answer in time; try again later.", "FEED_TIMED_OUT");
  const companyIds = chunk.map(({ companyId }) => companyId);
  for (const pending of chunk) pending.notifySlow({ ...toFailed(said, companyIds), ended, later: pending.result });
}

/** The readers of the last seconds: the more there are, the sooner a chunk fills. */
function createRecentReaders(nowMs: () => number) {
  const readers = new Map<string, number>();
  return {
    add(who: string): void {
      readers.delete(who);
      readers.set(who, nowMs());
    },
    windowMs(): number {
      for (const [who, atMs] of readers) {
        if (atMs > nowMs() - LATELY_MS) break;
        readers.delete(who);
      }
      return Math.min(LONGEST_WINDOW_MS, WINDOW_FOR_EACH_MS * (readers.size - 1));
    },
  };
}

/** Joins all calls of one event-loop turn in one dispatch. */
function createSoon(look: () => void): () => void {
  let isWoken = false;
  return () => {
    if (!isWoken) {
      setImmediate(() => {
        isWoken = false;
        look();
      });
    }
    isWoken = true;
  };
}
