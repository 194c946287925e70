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
  ask(
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
  const lately = createLately(nowMs);
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  const send = async (year: Year, asks: readonly Ask[]) => {
    underWay += 1;
    const ended = loadAll(load, year, asks);
    const timer = setTimeout(() => asks.length > 1 && notifySlow(asks, ended), patienceMs).unref();
    await ended;
    clearTimeout(timer);
    queue.drop(year, asks);
    underWay -= 1;
    dispatch();
  };
  const dispatch = () => {
    clearTimeout(timer);
    while (underWay < MOST_AT_ONCE) {
      const windowMs = Math.max(lately.windowMs(), WINDOW_MS * 2 ** underWay);
      const year = queue.pickYear(largest(), nowMs() - windowMs);
      if (year === undefined) break;
      void send(year, queue.takeChunk(year, largest()));
    }
    if (underWay < MOST_AT_ONCE && !queue.isEmpty()) timer = setTimeout(dispatch, WINDOW_MS);
  };
  const dispatchSoon = createSoon(dispatch);
  return {
    async ask(
      year,
      companyId,
      who,
      subscribers = NO_SUBSCRIBERS,
      waitMs = LONGEST_WAIT_MS,
      afterMs = Number.NEGATIVE_INFINITY,
    ) {
      const ask = queue.find(year, companyId, nowMs(), afterMs);
      if (!ask.isTaken && !queue.add(who, year, ask)) return toRefused(new QueueFull(), who);
      subscribers.each((other) => ask.isTaken || queue.add(other, year, ask));
      lately.add(who);
      dispatchSoon();
      return receive(ask, waitMs);
    },
    isWaiting: (year, companyId, who) => queue.has(who, year, companyId),
  };
}

/** Loads what several want, each as new as they want it; resolves when all of them have been told. */
function loadAll(load: BatcherOptions["load"], year: Year, asks: readonly Ask[]): Promise<unknown> {
  const afterMs = new Map(asks.map((ask) => [ask.companyId, ask.afterMs]));
  const loaded = load(year, [...afterMs.keys()], (companyId) => afterMs.get(companyId)!);
  for (const { companyId, resolve } of asks) resolve(loaded.then((results) => results.get(companyId)!));
  return loaded.catch(() => {}); // whoever waits hears of it
}

/** Gives what becomes of a company, or that it has not come: where it was asked for by then, a little later. */
function receive(ask: Ask, waitMs: number): Promise<CompanyResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CompanyResult>((resolve) => {
    const refuse = () => resolve({ ...toFailed(new NotYet()), ended: ask.result.catch(() => {}) });
    timer = setTimeout(() => {
      if (ask.isTaken) timer = setTimeout(refuse, LONGEST_ANSWER_MS);
      else refuse();
    }, waitMs);
  });
  return Promise.race([ask.result, ask.slow, late]).finally(() => clearTimeout(timer));
}

/** One company may hold up the others: who wants those asks for them beside it, and it goes on. */
function notifySlow(asks: readonly Ask[], ended: Promise<unknown>): void {
  const said = new Refusal(504, "The provider did not answer in time; try again later.", "FEED_TIMED_OUT");
  const companyIds = asks.map(({ companyId }) => companyId);
  for (const ask of asks) ask.notifySlow({ ...toFailed(said, companyIds), ended, later: ask.result });
}

/** Who has asked lately: the more do, the sooner somebody comes who fills a chunk. */
function createLately(nowMs: () => number) {
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
interface Ask {
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
type Asks = Map<Year, Set<Ask>>;

/** What waits of each reader, who take turns. */
interface Queue {
  /** Gives what waits of a company already, or is under way, or a new ask, which waits in nobody's turn yet. */
  find(year: Year, companyId: string, sinceMs: number, afterMs: number): Ask;
  /** Has an ask wait in a reader's turn as well, unless as many as may do already; gives whether it does. */
  add(who: string, year: Year, ask: Ask): boolean;
  isEmpty(): boolean;
  /** Picks the year of the next in turn for which a chunk is full, or has waited since a time. */
  pickYear(largest: number, sinceMs: number): Year | undefined;
  /** Whether a reader has it waiting. */
  has(who: string, year: Year, companyId: string): boolean;
  /** Takes one of each reader in turn, and again, until the chunk is full; who was served goes behind the others. */
  takeChunk(year: Year, largest: number): readonly Ask[];
  /** Forgets what has been answered. */
  drop(year: Year, chunk: readonly Ask[]): void;
}

/** @param mostWaiting How many companies of one reader may wait. */
function createQueue(mostWaiting: number): Queue {
  /** In the order of their turns. */
  const readers = new Map<string, Asks>();
  const waiting = new Map<string, Ask>();
  return {
    find(year, companyId, sinceMs, afterMs) {
      const ask = waiting.get(toName(year, companyId)) ?? createAsk(companyId, sinceMs);
      ask.afterMs = Math.max(ask.afterMs, afterMs);
      return ask;
    },
    add(who, year, ask) {
      const own: Asks = readers.get(who) ?? new Map();
      if (own.get(year)?.has(ask)) return true;
      if (countAsks(own) >= mostWaiting) return false;
      readers.set(who, own.set(year, (own.get(year) ?? new Set()).add(ask)));
      waiting.set(toName(year, ask.companyId), ask);
      return true;
    },
    isEmpty: () => readers.size === 0,
    pickYear: (largest, sinceMs) => pickYear(readers, largest, sinceMs),
    has(who, year, companyId) {
      const ask = waiting.get(toName(year, companyId));
      return ask !== undefined && readers.get(who)?.get(year)?.has(ask) === true;
    },
    takeChunk: (year, largest) => takeChunk(readers, year, largest),
    drop(year, chunk) {
      for (const { companyId } of chunk) waiting.delete(toName(year, companyId));
    },
  };
}

const toName = (year: Year, companyId: string): string => `${year} ${companyId}`;

function createAsk(companyId: string, sinceMs: number): Ask {
  let resolve: Ask["resolve"] = () => {};
  let notifySlow: Ask["notifySlow"] = () => {};
  const result = new Promise<CompanyResult>((settle) => {
    resolve = settle;
  });
  const slow = new Promise<CompanyResult>((settle) => {
    notifySlow = settle;
  });
  return { companyId, sinceMs, afterMs: Number.NEGATIVE_INFINITY, isTaken: false, result, resolve, slow, notifySlow };
}

function countAsks(own: Asks): number {
  return [...own.values()].reduce((count, { size }) => count + size, 0);
}

function pickYear(readers: ReadonlyMap<string, Asks>, largest: number, sinceMs: number): Year | undefined {
  const distinct = new Map<Year, Set<Ask>>();
  const late = new Set<Year>();
  for (const own of readers.values()) {
    for (const [year, asks] of own) {
      const all = distinct.get(year) ?? new Set();
      distinct.set(year, all);
      for (const ask of asks) {
        if (ask.sinceMs <= sinceMs) late.add(year);
        if (all.add(ask).size >= largest) break;
      }
    }
  }
  for (const own of readers.values()) {
    for (const year of own.keys()) if (late.has(year) || distinct.get(year)!.size >= largest) return year;
  }
  return undefined;
}

function takeChunk(readers: Map<string, Asks>, year: Year, largest: number): readonly Ask[] {
  const chunk: Ask[] = [];
  for (let before = -1; before < chunk.length && chunk.length < largest; ) {
    before = chunk.length;
    for (const [who, own] of [...readers]) {
      const [ask] = own.get(year) ?? [];
      if (ask === undefined) continue;
      chunk.push(ask);
      readers.delete(who);
      readers.set(who, own);
      takeAsk(readers, year, ask);
      if (chunk.length === largest) break;
    }
  }
  return chunk;
}

/** Takes an ask out of the turns of all who wait for it. */
function takeAsk(readers: Map<string, Asks>, year: Year, ask: Ask): void {
  ask.isTaken = true;
  for (const [who, own] of readers) {
    const asks = own.get(year);
    if (!asks?.delete(ask)) continue;
    if (asks.size === 0) own.delete(year);
    if (own.size === 0) readers.delete(who);
  }
}
