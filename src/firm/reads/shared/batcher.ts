import { LRUCache } from "lru-cache";
import { Refusal } from "../../../companion/refusal";
import { DEFAULT_PAGE_SIZE } from "../../../contract/constants";
import { NO_TRACE, type SpanReference, type Trace } from "../../reporting/trace";
import { createQueue, type Pending, toDeferred } from "./batcher/queue";
import { createSlots, LONGEST_QUEUE, NotYet } from "./fair-queue";
import { type CompanyResult, type Failed, type LoadResult, type Reader, toFailed } from "./result";
import type { Year } from "./split";

/** How long an incomplete chunk waits for more while one reader is active; doubled for each chunk under way. */
const WINDOW_MS = 25;
/** Extra wait for each further recent reader, who may complete the chunk; and the limit of it. */
const WINDOW_FOR_EACH_MS = 100;
const LONGEST_WINDOW_MS = 1500;
const LATELY_MS = 2000;
/** Extra wait for a company under way: the pane waits for 30 seconds. */
const LONGEST_ANSWER_MS = 18_000;
/** Companies of one reader that may wait: those of as many chunks as may wait in the fair queue. */
export const MOST_WAITING = LONGEST_QUEUE * DEFAULT_PAGE_SIZE;
/** Companies of all readers that may wait in this instance. */
const MOST_IN_ALL = 50_000;

/**
 * Joins companies that several readers request into chunks. A company is
 *
 * | waiting   | until a chunk is full or its window is over, and fewer than six chunks are under way               |
 * | taken     | until its chunk's answer comes; once that is slow, readers may load their own                      |
 * | removed   | once settled, also where that was too late for its readers                                         |
 */
export interface Batcher {
  /** Foretells in how many milliseconds the last one of these companies is served. */
  toExpectedMs(year: Year, companyIds: readonly string[], who: string): number;
  /** Gives the refusal of companies that are foreseen to take longer than this. */
  foresee(year: Year, companyIds: readonly string[], who: string, waitMs: number): Failed | undefined;
  /**
   * Queues companies for a reader, unless too many are waiting. They are loaded though nobody waits for them, so that
   * they are cached when their reader comes again.
   */
  queueUp(year: Year, companyIds: readonly string[], reader: Pick<Reader, "who" | "className">): QueuedUp;
  /**
   * Waits for a company. One that does not come in time fails for this reader, but stays in the queue. One under way gets
   * some more time.
   */
  receive(year: Year, pending: Pending, who: string, waitMs: number): Promise<LoadResult>;
  /** Takes companies out of a reader's queue again; other queries of that reader get the refusal. */
  withdraw(year: Year, companyIds: readonly string[], who: string, refused: Failed): void;
  /** Whether a company is already queued for a reader, or under way. */
  isWaiting(year: Year, companyId: string, who: string): boolean;
  /**
   * Gives a result other than data that came while its reader was not there.
   * @param afterMs It serves where it came after this, in milliseconds since 1970.
   */
  findMissed(year: Year, companyId: string, who: string, afterMs: number): Promise<LoadResult> | undefined;
  /** Forgets what is kept of companies whose results have reached this reader. */
  forget(year: Year, companyIds: readonly string[], who: string): void;
}

interface QueuedUp {
  /** Those that wait or are under way for this reader. */
  entries: readonly Pending[];
  /** Those that nobody had queued before. */
  fresh: readonly string[];
  /** The refusal where too many are waiting. */
  full: Failed | undefined;
}

export interface BatcherOptions {
  /** Loads companies, and gives the result of each. */
  load(year: Year, companyIds: readonly string[]): Promise<ReadonlyMap<string, CompanyResult>>;
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
    const chunks = queue.countUntil(year, companyIds, who) / largest();
    const chunkMs = drain.chunkMs();
    return chunkMs === undefined ? Math.max(0, Math.ceil(chunks) - 1) * fastestMs : chunks * chunkMs;
  };
  // What the limit alone foretells is too early to come again.
  const toNotYet = (expectedMs: number) => toFailed(new NotYet(drain.chunkMs() === undefined ? undefined : expectedMs));
  return {
    toExpectedMs,
    foresee(year, companyIds, who, waitMs) {
      const expectedMs = toExpectedMs(year, companyIds, who);
      return expectedMs > waitMs ? toNotYet(expectedMs) : undefined;
    },
    queueUp(year, companyIds, reader) {
      const added = companyIds.map((companyId) => queue.add(year, companyId, reader, nowMs()));
      const entries = added.flatMap(({ entry = [] }) => entry);
      for (const entry of entries) addSpan(entry, trace.current());
      recentReaders.add(reader.who);
      dispatchSoon();
      return {
        entries,
        fresh: companyIds.filter((_companyId, nth) => added[nth]!.isNew),
        full: added.find(({ refused }) => refused !== undefined)?.refused,
      };
    },
    async receive(year, pending, who, waitMs) {
      const { result, slow } = toDeferred(pending);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<LoadResult>((resolve) => {
        const refuse = () => resolve(toNotYet(toExpectedMs(year, [pending.companyId], who)));
        timer = setTimeout(() => {
          if (pending.isTaken) timer = setTimeout(refuse, LONGEST_ANSWER_MS);
          else refuse();
        }, waitMs);
      });
      return Promise.race([result, slow, late]).finally(() => clearTimeout(timer));
    },
    withdraw(year, companyIds, who, refused) {
      for (const entry of queue.withdraw(year, companyIds, who)) settle(entry, Promise.resolve(refused));
    },
    isWaiting: queue.has,
    findMissed: missed.find,
    forget: missed.forget,
  };
}

interface Parts {
  queue: ReturnType<typeof createQueue>;
  recentReaders: ReturnType<typeof createRecentReaders>;
  drain: ReturnType<typeof createDrain>;
  missed: ReturnType<typeof createMissed>;
}

/** Creates the dispatch: it sends what is due, a few chunks at a time. */
function createDispatch(options: BatcherOptions, { queue, recentReaders, drain, missed }: Parts) {
  const { load, largest, nowMs, patienceMs, trace = NO_TRACE } = options;
  let timer: NodeJS.Timeout | undefined;
  const pickDue = () => {
    const windowMs = Math.max(recentReaders.windowMs(), WINDOW_MS * 2 ** slots.count());
    return queue.pickDue(largest(), nowMs() - windowMs);
  };
  const slots = createSlots(() => {
    drain.end(pickDue() === undefined);
    dispatch();
  });
  const send = async (year: Year) => {
    const chunk = queue.takeChunk(year, largest());
    const companyIds = chunk.map(({ companyId }) => companyId);
    const loaded = trace.share("batch", toSpans(chunk), (note) => {
      note({ "feed.companies": companyIds.length });
      return load(year, companyIds);
    });
    const slow = setTimeout(() => chunk.length > 1 && notifySlow(chunk), patienceMs).unref();
    await loaded.catch(() => {});
    clearTimeout(slow);
    for (const entry of chunk) {
      const result = loaded.then((results) => withRights(entry, results.get(entry.companyId)!));
      // Before its readers get it, so that they can forget it.
      missed.add(year, entry, result);
      settle(entry, result);
    }
    queue.drop(year, chunk);
  };
  const dispatch = () => {
    clearTimeout(timer);
    while (slots.isFree()) {
      const year = pickDue();
      if (year === undefined) break;
      void slots.run(() => send(year));
    }
    if (slots.isFree() && !queue.isEmpty()) timer = setTimeout(dispatch, WINDOW_MS);
  };
  return dispatch;
}

/** An absence serves readers with the rights of who queued the company first. */
const withRights = ({ className }: Pending, result: CompanyResult): LoadResult =>
  result.is === "absent" ? { ...result, className } : result;

/** Settles a company. Its readers get a failure; there may be none any more. */
function settle(pending: Pending, loaded: Promise<LoadResult>): void {
  const { result, resolve } = toDeferred(pending);
  resolve(loaded);
  for (const each of [loaded, result]) each.catch(() => {});
}

/** Lets the readers of a slow chunk load their own companies beside it. */
function notifySlow(chunk: readonly Pending[]): void {
  const said = new Refusal(504, "The provider did not answer in time; try again later.", "FEED_TIMED_OUT");
  const companyIds = chunk.map(({ companyId }) => companyId);
  for (const { notifySlow, result } of chunk.map(toDeferred)) {
    notifySlow({ ...toFailed(said, companyIds), later: result });
  }
}

/** Adds a reader's span. */
function addSpan(pending: Pending, span: SpanReference | undefined): void {
  if (span === undefined) return;
  pending.spans ??= new Set();
  pending.spans.add(span);
}

/** Gives the readers' spans, each once, as they are when it is read. */
const toSpans = (chunk: readonly Pending[]): Iterable<SpanReference> => ({
  [Symbol.iterator]: () => new Set(chunk.flatMap(({ spans = [] }) => [...spans])).values(),
});

/** The weight of the latest chunk in the average. */
const WEIGHT = 0.2;
/** Fewer chunks in a row foretell nothing. */
const FEWEST = 5;

/** Measures how fast a queue that is never empty is served. */
function createDrain(nowMs: () => number) {
  let latestMs: number | undefined;
  let averageMs = 0;
  let count = 0;
  return {
    /** Records that a chunk has ended: several are taken at once, but they end as fast as the provider serves. */
    end(isEmptyNow: boolean): void {
      const now = nowMs();
      if (latestMs !== undefined) {
        const passedMs = now - latestMs;
        averageMs = count === 0 ? passedMs : averageMs + WEIGHT * (passedMs - averageMs);
        count += 1;
      }
      latestMs = isEmptyNow ? undefined : now;
      if (isEmptyNow) count = 0;
    },
    /** The time from one chunk to the next, in milliseconds; undefined while it is unknown. */
    chunkMs: () => (count < FEWEST || averageMs === 0 ? undefined : averageMs),
  };
}

const MOST_MISSED = 20_000;
/** Longer than a refused reader stays away, and than the rest of a query waits. */
const LONGEST_MISSED_MS = 120_000;

/**
 * Keeps results other than data that came while their reader was not there. Data are cached; without these, the reader
 * would queue such a company again for ever.
 */
function createMissed(nowMs: () => number) {
  const missed = new LRUCache<string, { result: Promise<LoadResult>; atMs: number }>({
    max: MOST_MISSED,
    ttl: LONGEST_MISSED_MS,
  });
  const toKey = (year: Year, companyId: string, who: string) => `${year} ${companyId} ${who}`;
  return {
    add(year: Year, { companyId, readers }: Pending, result: Promise<LoadResult>): void {
      const put = (kept: Promise<LoadResult>) => {
        for (const who of readers) missed.set(toKey(year, companyId, who), { result: kept, atMs: nowMs() });
      };
      result.then(
        (settled) => settled.is !== "found" && put(Promise.resolve(withoutBody(settled))),
        () => put(result),
      );
    },
    find(year: Year, companyId: string, who: string, afterMs: number): Promise<LoadResult> | undefined {
      const found = missed.get(toKey(year, companyId, who));
      return found !== undefined && found.atMs > afterMs ? found.result : undefined;
    },
    forget(year: Year, companyIds: readonly string[], who: string): void {
      for (const companyId of companyIds) missed.delete(toKey(year, companyId, who));
    },
  };
}

/** An answer that cannot be split belongs to no reader of it: each of them loads their own. */
function withoutBody(result: LoadResult): LoadResult {
  if (result.is !== "failed" || result.of !== "form" || result.said instanceof Error) return result;
  return { ...result, together: [], said: { ...result.said, body: Buffer.alloc(0) } };
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
