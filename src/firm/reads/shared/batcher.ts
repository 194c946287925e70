import { LRUCache } from "lru-cache";
import { Refusal } from "../../../companion/refusal";
import { DEFAULT_PAGE_SIZE } from "../../../contract/constants";
import { traceShared } from "../../reporting/trace";
import { createCompanyQueue, type Pending } from "./batcher/company-queue";
import { createPace, WINDOW_MS } from "./batcher/pace";
import { createSlots, LONGEST_QUEUE, NotYet } from "./queue-limits";
import { type CompanyResult, type Failed, type LoadResult, type Reader, toFailed, toRefused } from "./result";
import type { Year } from "./split";

/** Extra wait for a company under way: the pane waits for 30 seconds. */
const LONGEST_ANSWER_MS = 18_000;
/** Companies of one reader that may wait: those of as many chunks as queries may wait. */
export const MOST_WAITING = LONGEST_QUEUE * DEFAULT_PAGE_SIZE;
/** Companies of all readers that may wait in this instance. */
const MOST_IN_ALL = 50_000;
const MOST_MISSED = 20_000;
/** Longer than a refused reader stays away, and than the rest of a query waits. */
const LONGEST_MISSED_MS = 120_000;

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
}

/** By {@link createBatcher}. */
export type Batcher = ReturnType<typeof createBatcher>;

/**
 * Creates what joins companies that several readers request into chunks. A company is
 *
 * | waiting   | until a chunk is full or its window is over, and fewer than six chunks are under way               |
 * | taken     | until its chunk's answer comes; once that is slow, readers may load their own                      |
 * | removed   | once settled, also where that was too late for its readers                                         |
 */
export function createBatcher(options: BatcherOptions) {
  const { largest, nowMs, clockMs, fastestMs } = options;
  const queue = createCompanyQueue(MOST_WAITING, MOST_IN_ALL);
  const pace = createPace(nowMs);
  const missed = createMissed(clockMs);
  const dispatchSoon = createDispatch(options, queue, pace, missed);
  /** Foretells in how many milliseconds the last one of these companies is served. */
  const toExpectedMs = (year: Year, companyIds: readonly string[], who: string) => {
    const chunks = queue.countUntil(year, companyIds, who, largest()) / largest();
    const chunkMs = pace.chunkMs();
    return chunkMs === undefined ? Math.max(0, Math.ceil(chunks) - 1) * fastestMs : chunks * chunkMs;
  };
  // What the limit alone foretells is too early to come again.
  const toNotYet = (expectedMs: number) => toFailed(new NotYet(pace.chunkMs() === undefined ? undefined : expectedMs));
  return {
    toExpectedMs,
    /** Gives the refusal of companies that are foreseen to take longer than this. */
    foresee(year: Year, companyIds: readonly string[], who: string, waitMs: number): Failed | undefined {
      const expectedMs = toExpectedMs(year, companyIds, who);
      return expectedMs > waitMs ? toNotYet(expectedMs) : undefined;
    },
    /**
     * Queues companies for a reader, unless too many are waiting. They are loaded though nobody waits for them, so that
     * they are cached when their reader comes again.
     * @returns Those that wait or are under way for this reader, and those of them that nobody had queued before, which
     *   count for this reader; the refusal of the reader's quota, or where too many are waiting.
     */
    queueUp(year: Year, companyIds: readonly string[], reader: Pick<Reader, "who" | "className" | "admit">) {
      const all = companyIds.map((companyId) => queue.add(year, companyId, reader, nowMs()));
      const added = all.filter((each) => "entry" in each);
      const fresh = added.filter(({ isNew }) => isNew).map(({ entry }) => entry);
      const refusal = reader.admit(fresh.length);
      if (refusal !== undefined) queue.remove(year, fresh);
      pace.notifyReader(reader.who);
      dispatchSoon();
      return {
        entries: added.map(({ entry }) => entry),
        fresh: refusal === undefined ? fresh.map(({ companyId }) => companyId) : [],
        refused: refusal ? toRefused(refusal, reader.who) : all.find((each) => "is" in each),
      };
    },
    /**
     * Waits for a company. One that does not come in time fails for this reader, but stays in the queue. One under way
     * gets some more time.
     */
    receive: (year: Year, pending: Pending, who: string, waitMs: number): Promise<LoadResult> =>
      receive(pending, waitMs, () => toNotYet(toExpectedMs(year, [pending.companyId], who))),
    /** Whether a company is already queued for a reader, or under way. */
    isWaiting: queue.has,
    findMissed: missed.find,
    forget: missed.forget,
  };
}

/**
 * Creates the dispatch: it sends what is due, a few chunks at a time.
 * @returns A function that looks for what is due, once for all calls of an event-loop turn.
 */
function createDispatch(
  { load, largest, nowMs, patienceMs }: BatcherOptions,
  queue: ReturnType<typeof createCompanyQueue>,
  pace: ReturnType<typeof createPace>,
  missed: ReturnType<typeof createMissed>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isWoken = false;
  const pickDue = () => queue.pickDue(largest(), nowMs() - pace.windowMs(slots.count()));
  const slots = createSlots(() => {
    pace.notifyEnd(pickDue() === undefined);
    dispatch();
  });
  const send = async (year: Year) => {
    const chunk = queue.takeChunk(year, largest());
    const companyIds = chunk.map(({ companyId }) => companyId);
    const slow = setTimeout(() => chunk.length > 1 && notifySlow(chunk), patienceMs).unref();
    const loaded = await traceShared("batch", chunk, (note) => {
      note({ "feed.companies": companyIds.length });
      return load(year, companyIds);
    }).catch((error: Error) => toFailed(error));
    clearTimeout(slow);
    queue.remove(year, chunk);
    for (const entry of chunk) {
      const result = "is" in loaded ? loaded : withRights(entry, loaded);
      // Before its readers get it, so that they can forget it.
      missed.add(year, entry, result);
      for (const receive of entry.waiting ?? []) receive(result);
    }
  };
  const dispatch = () => {
    clearTimeout(timer);
    isWoken = false;
    while (slots.isFree()) {
      const year = pickDue();
      if (year === undefined) break;
      void slots.run(() => send(year));
    }
    if (slots.isFree() && !queue.isEmpty()) timer = setTimeout(dispatch, WINDOW_MS);
  };
  return () => {
    if (!isWoken) setImmediate(dispatch);
    isWoken = true;
  };
}

/** Gives a company's result. An absence serves readers with the rights of who queued the company first. */
function withRights({ companyId, className }: Pending, results: ReadonlyMap<string, CompanyResult>): LoadResult {
  const result = results.get(companyId)!;
  return result.is === "absent" ? { ...result, className } : result;
}

/** Lets the readers of a slow chunk load their own companies beside it. */
function notifySlow(chunk: readonly Pending[]): void {
  const said = new Refusal(504, "The provider did not answer in time; try again later.", "FEED_TIMED_OUT");
  const companyIds = chunk.map(({ companyId }) => companyId);
  for (const entry of chunk) {
    const { waiting = [] } = entry;
    const later = new Promise<LoadResult>((resolve) => {
      entry.waiting = [resolve];
    });
    entry.slow = { ...toFailed(said, companyIds), later };
    for (const receive of waiting) receive(entry.slow);
  }
}

function receive(entry: Pending, waitMs: number, toLate: () => LoadResult): Promise<LoadResult> {
  const { slow, waiting = [] } = entry;
  if (slow !== undefined) return Promise.resolve(slow);
  return new Promise((resolve) => {
    const refuse = () => resolve(toLate());
    let timer = setTimeout(() => {
      if (entry.isTaken) timer = setTimeout(refuse, LONGEST_ANSWER_MS);
      else refuse();
    }, waitMs);
    entry.waiting = waiting;
    waiting.push((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}

/**
 * Keeps results other than data that came while their reader was perhaps not there. Data are cached; without these, the
 * reader would queue such a company again for ever.
 */
function createMissed(clockMs: () => number) {
  const missed = new LRUCache<string, { result: LoadResult; atMs: number }>({
    max: MOST_MISSED,
    ttl: LONGEST_MISSED_MS,
  });
  const toKey = (year: Year, companyId: string, who: string) => `${year} ${companyId} ${who}`;
  return {
    add(year: Year, { companyId, readers }: Pending, result: LoadResult): void {
      if (result.is === "found") return;
      const kept = { result: toOwn(result), atMs: clockMs() };
      for (const who of readers.keys()) missed.set(toKey(year, companyId, who), kept);
    },
    /** @param afterMs A result serves where it came after this. */
    find(year: Year, companyId: string, who: string, afterMs: number): LoadResult | undefined {
      const found = missed.get(toKey(year, companyId, who));
      return found !== undefined && found.atMs > afterMs ? found.result : undefined;
    },
    /** Forgets what is kept of companies whose results have reached this reader. */
    forget(year: Year, companyIds: readonly string[], who: string): void {
      for (const companyId of companyIds) missed.delete(toKey(year, companyId, who));
    },
  };
}

/**
 * Gives a result of its own, whose reader retries though two others have. An answer that cannot be split belongs to no
 * reader of it: each of them loads their own.
 */
function toOwn(result: LoadResult): LoadResult {
  if (result.is !== "failed") return result;
  if (result.of !== "form" || result.said instanceof Error) return { ...result, together: [...result.together] };
  return { ...result, together: [], said: { ...result.said, body: Buffer.alloc(0) } };
}
