import { DEFAULT_PAGE_SIZE } from "../../../contract/constants";
import { Refusal } from "../../refusal";
import { LONGEST_QUEUE, LONGEST_WAIT_MS, MOST_AT_ONCE, NotYet, QueueFull } from "./fair-queue";
import { type CompanyResult, toFailed, toRefused } from "./result";
import { NO_SUBSCRIBERS, type Subscribers } from "./single-flight";
import type { Year } from "./split";

/** How long a chunk that is not full waits for more where one reader asks; twice as long for each chunk under way. */
const WINDOW_MS = 25;
/** How long it waits for each other reader who has asked lately, since the next of them may fill it; and at most. */
const WINDOW_FOR_EACH_MS = 100;
const LONGEST_WINDOW_MS = 500;
const LATELY_MS = 2000;
/** How much longer it waits for what is under way: the pane waits for 30 seconds. */
const LONGEST_ANSWER_MS = 18_000;
/** How many companies of one reader may wait: of as many queries as may wait one by one. */
export const MOST_WAITING = LONGEST_QUEUE * DEFAULT_PAGE_SIZE;

/**
 * Asks for companies together that several readers want. A company is
 *
 * | waiting   | until a chunk is full or its window is over, and a sixth place is free; then it is taken            |
 * | taken     | until its chunk's answer comes: resolved; after a while it is slow, and its readers may ask alone   |
 * | forgotten | once resolved; where it came too late for a reader, it goes on for whoever asks again               |
 */
export interface Batcher {
  /**
   * Asks for a company, unless many of that reader's wait already. One whose turn has not come in time fails for whoever
   * waits, and keeps its turn, so that it is there when they ask again.
   * @param who Whose turn it takes: one who asks for much holds up none who asks for little.
   * @param subscribers Whose turn it takes as well; default nobody's.
   * @param waitMs Default 10 seconds.
   * @param afterMs What is cached when its turn comes serves where it came after this; default all.
   */
  request(
    year: Year,
    companyId: string,
    who: string,
    subscribers?: Subscribers,
    waitMs?: number,
    afterMs?: number,
  ): Promise<CompanyResult>;
  /** Whether a reader has it waiting already. */
  isWaiting(year: Year, companyId: string, who: string): boolean;
}

export interface BatcherOptions {
  /** How many companies the provider gives at once. */
  largest(): number;
  /**
   * Asks for some companies, and gives what became of each.
   * @param toAfterMs What is cached of a company serves where it came after this.
   */
  load(
    year: Year,
    companyIds: readonly string[],
    toAfterMs: (companyId: string) => number,
  ): Promise<ReadonlyMap<string, CompanyResult>>;
  nowMs(): number;
  /** How long companies are waited for that are asked for together, before those who wait may ask for their own, in milliseconds. */
  patienceMs: number;
}

export function createBatcher({ largest, load, nowMs, patienceMs }: BatcherOptions): Batcher {
  const queue = createQueue(MOST_WAITING);
  const recentReaders = createRecentReaders(nowMs);
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  const send = async (year: Year, chunk: readonly Pending[]) => {
    underWay += 1;
    const ended = loadAll(load, year, chunk);
    const timer = setTimeout(() => chunk.length > 1 && notifySlow(chunk, ended), patienceMs).unref();
    await ended;
    clearTimeout(timer);
    queue.drop(year, chunk);
    underWay -= 1;
    dispatch();
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
  return {
    async request(
      year,
      companyId,
      who,
      subscribers = NO_SUBSCRIBERS,
      waitMs = LONGEST_WAIT_MS,
      afterMs = Number.NEGATIVE_INFINITY,
    ) {
      const pending = queue.find(year, companyId, nowMs(), afterMs);
      if (!pending.isTaken && !queue.add(who, year, pending)) return toRefused(new QueueFull(), who);
      subscribers.each((other) => pending.isTaken || queue.add(other, year, pending));
      recentReaders.add(who);
      dispatchSoon();
      return receive(pending, waitMs);
    },
    isWaiting: (year, companyId, who) => queue.has(who, year, companyId),
  };
}

/** Loads what several want, each as new as they want it; resolves when all of them have been told. */
function loadAll(load: BatcherOptions["load"], year: Year, chunk: readonly Pending[]): Promise<unknown> {
  const afterMs = new Map(chunk.map((pending) => [pending.companyId, pending.afterMs]));
  const loaded = load(year, [...afterMs.keys()], (companyId) => afterMs.get(companyId)!);
  for (const { companyId, resolve } of chunk) resolve(loaded.then((results) => results.get(companyId)!));
  return loaded.catch(() => {}); // whoever waits hears of it
}

/** Gives what becomes of a company, or that it has not come: where it was asked for by then, a little later. */
function receive(pending: Pending, waitMs: number): Promise<CompanyResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CompanyResult>((resolve) => {
    const refuse = () => resolve({ ...toFailed(new NotYet()), ended: pending.result.catch(() => {}) });
    timer = setTimeout(() => {
      if (pending.isTaken) timer = setTimeout(refuse, LONGEST_ANSWER_MS);
      else refuse();
    }, waitMs);
  });
  return Promise.race([pending.result, pending.slow, late]).finally(() => clearTimeout(timer));
}

/** One company may hold up the others: who wants those asks for them beside it, and it goes on. */
function notifySlow(chunk: readonly Pending[], ended: Promise<unknown>): void {
  const said = new Refusal(504, "The provider did not answer in time; try again later.", "FEED_TIMED_OUT");
  const companyIds = chunk.map(({ companyId }) => companyId);
  for (const pending of chunk) pending.notifySlow({ ...toFailed(said, companyIds), ended, later: pending.result });
}

/** Who has asked lately: the more do, the sooner somebody comes who fills a chunk. */
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

/** What comes in one moment is looked at once. */
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

/** A company that waits to be asked for, in the turns of all who want it. */
interface Pending {
  companyId: string;
  sinceMs: number;
  /** What is cached by then serves where it came after this. */
  afterMs: number;
  isTaken: boolean;
  result: Promise<CompanyResult>;
  resolve(result: Promise<CompanyResult>): void;
  /** That its result is slow to come. */
  slow: Promise<CompanyResult>;
  notifySlow(failed: CompanyResult): void;
}

/** The asks of each year. */
type PendingByYear = Map<Year, Set<Pending>>;

/** What waits of each reader, who take turns. */
interface Queue {
  /** Gives what waits of a company already, or is under way, or a new ask, which waits in nobody's turn yet. */
  find(year: Year, companyId: string, sinceMs: number, afterMs: number): Pending;
  /** Has an ask wait in a reader's turn as well, unless as many as may do already; gives whether it does. */
  add(who: string, year: Year, pending: Pending): boolean;
  isEmpty(): boolean;
  /** Picks the year of the next in turn for which a chunk is full, or has waited since a time. */
  pickYear(largest: number, sinceMs: number): Year | undefined;
  /** Whether a reader has it waiting. */
  has(who: string, year: Year, companyId: string): boolean;
  /** Takes one of each reader in turn, and again, until the chunk is full; who was served goes behind the others. */
  takeChunk(year: Year, largest: number): readonly Pending[];
  /** Forgets what has been answered. */
  drop(year: Year, chunk: readonly Pending[]): void;
}

/** @param mostWaiting How many companies of one reader may wait. */
function createQueue(mostWaiting: number): Queue {
  /** In the order of their turns. */
  const readers = new Map<string, PendingByYear>();
  const waiting = new Map<string, Pending>();
  return {
    find(year, companyId, sinceMs, afterMs) {
      const pending = waiting.get(toName(year, companyId)) ?? createPending(companyId, sinceMs);
      pending.afterMs = Math.max(pending.afterMs, afterMs);
      return pending;
    },
    add(who, year, pending) {
      const own: PendingByYear = readers.get(who) ?? new Map();
      if (own.get(year)?.has(pending)) return true;
      if (countPending(own) >= mostWaiting) return false;
      readers.set(who, own.set(year, (own.get(year) ?? new Set()).add(pending)));
      waiting.set(toName(year, pending.companyId), pending);
      return true;
    },
    isEmpty: () => readers.size === 0,
    pickYear: (largest, sinceMs) => pickYear(readers, largest, sinceMs),
    has(who, year, companyId) {
      const pending = waiting.get(toName(year, companyId));
      return pending !== undefined && readers.get(who)?.get(year)?.has(pending) === true;
    },
    takeChunk: (year, largest) => takeChunk(readers, year, largest),
    drop(year, chunk) {
      for (const { companyId } of chunk) waiting.delete(toName(year, companyId));
    },
  };
}

const toName = (year: Year, companyId: string): string => `${year} ${companyId}`;

function createPending(companyId: string, sinceMs: number): Pending {
  let resolve: Pending["resolve"] = () => {};
  let notifySlow: Pending["notifySlow"] = () => {};
  const result = new Promise<CompanyResult>((settle) => {
    resolve = settle;
  });
  const slow = new Promise<CompanyResult>((settle) => {
    notifySlow = settle;
  });
  return { companyId, sinceMs, afterMs: Number.NEGATIVE_INFINITY, isTaken: false, result, resolve, slow, notifySlow };
}

function countPending(own: PendingByYear): number {
  return [...own.values()].reduce((count, { size }) => count + size, 0);
}

function pickYear(readers: ReadonlyMap<string, PendingByYear>, largest: number, sinceMs: number): Year | undefined {
  const distinct = new Map<Year, Set<Pending>>();
  const late = new Set<Year>();
  for (const own of readers.values()) {
    for (const [year, ofYear] of own) {
      const all = distinct.get(year) ?? new Set();
      distinct.set(year, all);
      for (const pending of ofYear) {
        if (pending.sinceMs <= sinceMs) late.add(year);
        if (all.add(pending).size >= largest) break;
      }
    }
  }
  for (const own of readers.values()) {
    for (const year of own.keys()) if (late.has(year) || distinct.get(year)!.size >= largest) return year;
  }
  return undefined;
}

function takeChunk(readers: Map<string, PendingByYear>, year: Year, largest: number): readonly Pending[] {
  const chunk: Pending[] = [];
  for (let before = -1; before < chunk.length && chunk.length < largest; ) {
    before = chunk.length;
    for (const [who, own] of [...readers]) {
      const [pending] = own.get(year) ?? [];
      if (pending === undefined) continue;
      chunk.push(pending);
      readers.delete(who);
      readers.set(who, own);
      takePending(readers, year, pending);
      if (chunk.length === largest) break;
    }
  }
  return chunk;
}

/** Takes an ask out of the turns of all who wait for it. */
function takePending(readers: Map<string, PendingByYear>, year: Year, pending: Pending): void {
  pending.isTaken = true;
  for (const [who, own] of readers) {
    const ofYear = own.get(year);
    if (!ofYear?.delete(pending)) continue;
    if (ofYear.size === 0) own.delete(year);
    if (own.size === 0) readers.delete(who);
  }
}
