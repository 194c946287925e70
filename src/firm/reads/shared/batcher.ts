import { DEFAULT_PAGE_SIZE } from "../../../contract/constants";
import { NO_TRACE, type Trace } from "../../reporting/trace";
import { addSpan, type ChunkLoads, loadChunk, notifySlow } from "./batcher/chunk";
import { createDrain, type Drain } from "./batcher/drain";
import { createMissed, type Missed } from "./batcher/missed";
import { createQueue, type Pending, type Queue, toDeferred } from "./batcher/queue";
import { createOnce, LONGEST_QUEUE, LONGEST_SLOT_MS, LONGEST_WAIT_MS, MOST_AT_ONCE, NotYet } from "./fair-queue";
import { type CompanyResult, type Failed, toFailed } from "./result";
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
/** Companies of all readers that may wait in this instance. */
const MOST_IN_ALL = 50_000;

/**
 * Joins companies that several readers request into chunks. A company is
 *
 * | waiting   | until a chunk is full or its window is over, and fewer than six chunks are under way                |
 * | taken     | until it is found cached or its chunk's answer comes; once that is slow, readers may load their own |
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
  /** Gives the refusal of companies that are foreseen to take longer than this. */
  foresee(year: Year, companyIds: readonly string[], who: string, waitMs: number, afterMs?: number): Failed | undefined;
  /**
   * Queues companies whose result nobody waits for, so that they are known when their reader retries. Nothing but their
   * places is held.
   * @returns Those that were not queued for this reader before; and the refusal where too many are waiting.
   */
  queueUp(year: Year, companyIds: readonly string[], who: string, afterMs?: number): QueuedUp;
  /** Takes companies out of a reader's queue again. */
  withdraw(year: Year, companyIds: readonly string[], who: string): void;
  /** Forgets what is kept of companies whose results have reached this reader. */
  forget(year: Year, companyIds: readonly string[], who: string): void;
  /** Whether a company is already queued for a reader, or under way. */
  isWaiting(year: Year, companyId: string, who: string): boolean;
}

interface QueuedUp {
  fresh: readonly string[];
  full: Failed | undefined;
}

export interface BatcherOptions extends ChunkLoads {
  /** The provider's page cap. */
  largest(): number;
  /** Measures waits. */
  nowMs(): number;
  /** The clock of age limits, in milliseconds since 1970. */
  clockMs(): number;
  /** The shortest time from one chunk to the next, in milliseconds: that of the provider's limit. */
  fastestMs: number;
  /** How long readers wait for a chunk before they may load their own companies, in milliseconds. */
  patienceMs: number;
  /** Default none. */
  trace?: Trace;
}

export function createBatcher(options: BatcherOptions): Batcher {
  const { largest, nowMs, fastestMs, trace = NO_TRACE } = options;
  const queue = createQueue(MOST_WAITING, MOST_IN_ALL);
  const recentReaders = createRecentReaders(nowMs);
  const drain = createDrain(nowMs);
  const missed = createMissed(options.clockMs);
  const dispatchSoon = createSoon(createDispatch(options, { queue, recentReaders, drain, missed }));
  const toExpectedMs = (year: Year, companyIds: readonly string[], who: string) => {
    const chunks = queue.countUntil(who, year, companyIds) / largest();
    const chunkMs = drain.chunkMs();
    return chunkMs === undefined ? Math.max(0, Math.ceil(chunks) - 1) * fastestMs : chunks * chunkMs;
  };
  // What the limit alone foretells is too early to come again.
  const toNotYet = (expectedMs: number) => new NotYet(drain.chunkMs() === undefined ? undefined : expectedMs);
  return {
    async request(year, companyId, who, subscribers = NO_SUBSCRIBERS, waitMs = LONGEST_WAIT_MS, afterMs = ANY_AGE) {
      const known = missed.find({ who, year, companyId }, afterMs);
      if (known !== undefined) return known;
      const pending = queue.find(year, companyId, nowMs(), afterMs);
      const full = queue.add(who, year, pending);
      if (full !== undefined) return full;
      addSpan(pending, trace.current());
      subscribers.each((other, span) => {
        addSpan(pending, span);
        queue.add(other, year, pending);
      });
      recentReaders.add(who);
      dispatchSoon();
      const expectedMs = pending.isTaken ? 0 : toExpectedMs(year, [companyId], who);
      if (expectedMs > waitMs) return toFailed(toNotYet(expectedMs));
      return receive(pending, waitMs, () => toNotYet(toExpectedMs(year, [companyId], who)));
    },
    foresee(year, companyIds, who, waitMs, afterMs = ANY_AGE) {
      const left = companyIds.filter((companyId) => missed.find({ who, year, companyId }, afterMs) === undefined);
      const expectedMs = toExpectedMs(year, left, who);
      return expectedMs > waitMs ? toFailed(toNotYet(expectedMs)) : undefined;
    },
    queueUp(year, companyIds, who, afterMs = ANY_AGE) {
      const fresh: string[] = [];
      let full: Failed | undefined;
      for (const companyId of companyIds) {
        const pending = queue.find(year, companyId, nowMs(), afterMs);
        if (queue.has(who, year, companyId) || missed.find({ who, year, companyId }, afterMs) !== undefined) continue;
        const refused = queue.add(who, year, pending);
        full ??= refused;
        if (refused !== undefined || pending.isTaken) continue;
        fresh.push(companyId);
        addSpan(pending, trace.current());
      }
      recentReaders.add(who);
      dispatchSoon();
      return { fresh, full };
    },
    withdraw: (year, companyIds, who) => queue.withdraw(who, year, companyIds),
    forget(year, companyIds, who) {
      for (const companyId of companyIds) missed.forget({ who, year, companyId });
    },
    isWaiting: (year, companyId, who) => queue.has(who, year, companyId),
  };
}

interface Parts {
  queue: Queue;
  recentReaders: RecentReaders;
  drain: Drain;
  missed: Missed;
}

/** Creates the dispatch: it sends what is due, a few chunks at a time. */
function createDispatch(options: BatcherOptions, { queue, recentReaders, drain, missed }: Parts) {
  const { largest, nowMs, patienceMs } = options;
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  const pickDue = () => {
    const windowMs = Math.max(recentReaders.windowMs(), WINDOW_MS * 2 ** underWay);
    return queue.pickYear(largest(), nowMs() - windowMs);
  };
  const send = async (year: Year) => {
    underWay += 1;
    const drop = (settled: readonly Pending[]) => queue.drop(year, settled);
    const take = (most: number) => queue.takeChunk(year, most);
    const chunk = [...take(largest())];
    // Before they get it, so that whoever gets it can forget it.
    const receive = ({ companyId, takenFrom }: Pending, result: Promise<CompanyResult>) =>
      missed.add(
        takenFrom.map((who) => ({ who, year, companyId })),
        result,
      );
    const ended = loadChunk(options, year, chunk, { take, drop, receive });
    const timer = setTimeout(() => chunk.length > 1 && notifySlow(chunk), patienceMs).unref();
    const leave = createOnce(() => {
      underWay -= 1;
      drain.end(pickDue() === undefined);
      dispatch();
    });
    const slot = setTimeout(leave, LONGEST_SLOT_MS).unref();
    await ended;
    for (const each of [timer, slot]) clearTimeout(each);
    drop(chunk);
    leave();
  };
  const dispatch = () => {
    clearTimeout(timer);
    while (underWay < MOST_AT_ONCE) {
      const year = pickDue();
      if (year === undefined) break;
      void send(year);
    }
    if (underWay < MOST_AT_ONCE && !queue.isEmpty()) timer = setTimeout(dispatch, WINDOW_MS);
  };
  return dispatch;
}

/** Gives a company's result, or a failure where it is late. One under way gets some more time. */
function receive(pending: Pending, waitMs: number, toNotYet: () => NotYet): Promise<CompanyResult> {
  const { result, slow } = toDeferred(pending);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CompanyResult>((resolve) => {
    const refuse = () => resolve(toFailed(toNotYet()));
    timer = setTimeout(() => {
      if (pending.isTaken) timer = setTimeout(refuse, LONGEST_ANSWER_MS);
      else refuse();
    }, waitMs);
  });
  return Promise.race([result, slow, late]).finally(() => clearTimeout(timer));
}

type RecentReaders = ReturnType<typeof createRecentReaders>;

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
