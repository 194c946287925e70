import { DEFAULT_PAGE_SIZE } from "../../../contract/constants";
import { type Joined, NOBODY } from "./joined";
import { LANES, LONGEST_QUEUE } from "./lanes";
import { type ChunkOutcome, toRefused } from "./outcome";
import { QueueFull } from "./queue-full";
import type { Year } from "./split";

/** How long a chunk that is not full waits for more where one reader asks: at the provider's limit twice as long for each under way. */
const WINDOW_MS = 25;
/** How long it waits for each other reader who has asked lately, since the next of them may fill it; and at most. */
const WINDOW_FOR_EACH_MS = 100;
const LONGEST_WINDOW_MS = 500;
const LATELY_MS = 2000;
/** How many companies of one reader may wait: of as many questions as may wait one by one. */
export const MOST_WAITING = LONGEST_QUEUE * DEFAULT_PAGE_SIZE;

/** Asks for companies together that several readers want. */
export interface Gather {
  /**
   * Asks for a company, unless many of that reader's wait already.
   * @param who Whose turn it takes: one who asks for much holds up none who asks for little.
   * @param joined Whose turn it takes as well; default nobody's.
   */
  ask(year: Year, key: string, who: string, joined?: Joined): Promise<ChunkOutcome>;
}

export interface GatherOptions {
  /** How many companies the provider gives at once. */
  largest(): number;
  /** Asks for some companies, and gives what became of each. */
  load(year: Year, keys: readonly string[]): Promise<ReadonlyMap<string, ChunkOutcome>>;
  nowMs(): number;
}

interface Ask {
  key: string;
  sinceMs: number;
  isTaken: boolean;
  resolve(outcome: ChunkOutcome): void;
  reject(error: unknown): void;
}

/** The asks of each year. */
type Asks = Map<Year, Set<Ask>>;

export function createGather({ largest, load, nowMs }: GatherOptions): Gather {
  /** In the order of their turns. */
  const readers = new Map<string, Asks>();
  const lately = createLately(nowMs);
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  const send = async (year: Year, asks: readonly Ask[]) => {
    underWay += 1;
    const keys = asks.map(({ key }) => key);
    try {
      const outcomes = await load(year, keys);
      for (const { key, resolve } of asks) resolve(outcomes.get(key)!);
    } catch (error) {
      for (const { reject } of asks) reject(error);
    }
    underWay -= 1;
    dispatch();
  };
  const dispatch = () => {
    clearTimeout(timer);
    while (underWay < LANES) {
      const windowMs = Math.max(lately.windowMs(), WINDOW_MS * 2 ** underWay);
      const year = pickYear(readers, largest(), nowMs() - windowMs);
      if (year === undefined) break;
      void send(year, takeChunk(readers, year, largest()));
    }
    if (underWay < LANES && readers.size > 0) timer = setTimeout(dispatch, WINDOW_MS);
  };
  const dispatchSoon = createSoon(dispatch);
  return {
    ask: (year, key, who, joined = NOBODY) =>
      new Promise((resolve, reject) => {
        const ask: Ask = { key, sinceMs: nowMs(), isTaken: false, resolve, reject };
        if (!addAsk(readers, who, year, ask)) return resolve(toRefused(new QueueFull(), who));
        joined.each((other) => ask.isTaken || addAsk(readers, other, year, ask));
        lately.add(who);
        dispatchSoon();
      }),
  };
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

/** Gives whether there was a place. */
function addAsk(readers: Map<string, Asks>, who: string, year: Year, ask: Ask): boolean {
  const own: Asks = readers.get(who) ?? new Map();
  if (countAsks(own) >= MOST_WAITING) return false;
  readers.set(who, own.set(year, (own.get(year) ?? new Set()).add(ask)));
  return true;
}

function countAsks(own: Asks): number {
  return [...own.values()].reduce((count, { size }) => count + size, 0);
}

/** Picks the year of the next in turn for which a chunk is full, or has waited since a time. */
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

/** Takes one of each reader in turn, and again, until the chunk is full; who was served goes behind the others. */
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
