import { Refusal } from "../../../companion/refusal";
import { DEFAULT_PAGE_SIZE } from "../../../contract/constants";
import { traceShared } from "../../reporting/trace";
import { createCompanyQueue, deferredOf, type Pending } from "./batcher/company-queue";
import { createMissed } from "./batcher/missed";
import { createPace, WINDOW_MS } from "./batcher/pace";
import { createSlots, LONGEST_QUEUE, NotYet } from "./queue-limits";
import { type CompanyResult, type Failed, type LoadResult, type Reader, toFailed } from "./result";
import type { Year } from "./split";

/** Extra wait for a company under way: the pane waits for 30 seconds. */
const LONGEST_ANSWER_MS = 18_000;
/** Companies of one reader that may wait: those of as many chunks as queries may wait. */
export const MOST_WAITING = LONGEST_QUEUE * DEFAULT_PAGE_SIZE;
/** Companies of all readers that may wait in this instance. */
const MOST_IN_ALL = 50_000;

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

interface Placed {
  /** Those that wait or are under way for this reader. */
  entries: readonly Pending[];
  /** Those that nobody had queued before. */
  fresh: readonly string[];
  /** The refusal where too many are waiting. */
  full: Failed | undefined;
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
  const { largest, nowMs, fastestMs } = options;
  const queue = createCompanyQueue(MOST_WAITING, MOST_IN_ALL);
  const pace = createPace(nowMs);
  const missed = createMissed(options.clockMs);
  const dispatchSoon = createDispatch(options, { queue, pace, missed });
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
     */
    queueUp(year: Year, companyIds: readonly string[], reader: Pick<Reader, "who" | "className">): Placed {
      const added = companyIds.map((companyId) => queue.add(year, companyId, reader, nowMs()));
      pace.notifyReader(reader.who);
      dispatchSoon();
      return {
        entries: added.flatMap(({ entry = [] }) => entry),
        fresh: companyIds.filter((_companyId, nth) => added[nth]!.isNew),
        full: added.find(({ refused }) => refused !== undefined)?.refused,
      };
    },
    /**
     * Waits for a company. One that does not come in time fails for this reader, but stays in the queue. One under way
     * gets some more time.
     */
    async receive(year: Year, pending: Pending, who: string, waitMs: number): Promise<LoadResult> {
      return receive(pending, waitMs, () => toNotYet(toExpectedMs(year, [pending.companyId], who)));
    },
    /** Takes companies out of a reader's queue again; other queries of that reader get the refusal. */
    withdraw(year: Year, companyIds: readonly string[], who: string, refused: Failed): void {
      for (const entry of queue.withdraw(year, companyIds, who)) settle(entry, Promise.resolve(refused));
    },
    /** Whether a company is already queued for a reader, or under way. */
    isWaiting: queue.has,
    findMissed: missed.find,
    forget: missed.forget,
  };
}

interface Parts {
  queue: ReturnType<typeof createCompanyQueue>;
  pace: ReturnType<typeof createPace>;
  missed: ReturnType<typeof createMissed>;
}

/**
 * Creates the dispatch: it sends what is due, a few chunks at a time.
 * @returns A function that looks for what is due, once for all calls of an event-loop turn.
 */
function createDispatch(options: BatcherOptions, { queue, pace, missed }: Parts): () => void {
  const { load, largest, nowMs, patienceMs } = options;
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
    const loaded = traceShared("batch", chunk, (note) => {
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

async function receive(pending: Pending, waitMs: number, toLate: () => LoadResult): Promise<LoadResult> {
  const { result, slow } = deferredOf(pending);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<LoadResult>((resolve) => {
    const refuse = () => resolve(toLate());
    timer = setTimeout(() => {
      if (pending.isTaken) timer = setTimeout(refuse, LONGEST_ANSWER_MS);
      else refuse();
    }, waitMs);
  });
  return Promise.race([result, slow, late]).finally(() => clearTimeout(timer));
}

/** An absence serves readers with the rights of who queued the company first. */
const withRights = ({ className }: Pending, result: CompanyResult): LoadResult =>
  result.is === "absent" ? { ...result, className } : result;

/** Settles a company. Its readers get a failure; there may be none any more. */
function settle(pending: Pending, loaded: Promise<LoadResult>): void {
  const { result, resolve } = deferredOf(pending);
  resolve(loaded);
  for (const each of [loaded, result]) each.catch(() => {});
}

/** Lets the readers of a slow chunk load their own companies beside it. */
function notifySlow(chunk: readonly Pending[]): void {
  const said = new Refusal(504, "The provider did not answer in time; try again later.", "FEED_TIMED_OUT");
  const companyIds = chunk.map(({ companyId }) => companyId);
  for (const { notifySlow, result } of chunk.map(deferredOf)) {
    notifySlow({ ...toFailed(said, companyIds), later: result });
  }
}
