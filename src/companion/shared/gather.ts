import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import { LANES, LONGEST_QUEUE } from "./lanes";
import { type ChunkOutcome, toRefused } from "./outcome";
import { QueueFull } from "./queue-full";
import type { Year } from "./split";

/** How long a chunk that is not full waits for more: four such, and twice as long for each from the third under way. */
const WINDOW_MS = 25;
/** How many companies of one reader may wait: of as many questions as may wait one by one. */
export const MOST_WAITING = LONGEST_QUEUE * DEFAULT_PAGE_SIZE;

/** Asks for companies together that several readers want. */
export interface Gather {
  /**
   * Asks for a company, unless many of that reader's wait already.
   * @param who Whose turn it takes: one who asks for much holds up none who asks for little.
   */
  ask(year: Year, key: string, who: string): Promise<ChunkOutcome>;
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
  resolve(outcome: ChunkOutcome): void;
  reject(error: unknown): void;
}

/** The asks of each year. */
type Asks = Map<Year, Ask[]>;

export function createGather({ largest, load, nowMs }: GatherOptions): Gather {
  /** In the order of their turns. */
  const readers = new Map<string, Asks>();
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
      const year = pickYear(readers, largest(), nowMs() - WINDOW_MS * Math.max(4, 2 ** underWay));
      if (year === undefined) break;
      void send(year, takeChunk(readers, year, largest()));
    }
    if (underWay < LANES && readers.size > 0) timer = setTimeout(dispatch, WINDOW_MS);
  };
  const dispatchSoon = createSoon(dispatch);
  return {
    ask: (year, key, who) =>
      new Promise((resolve, reject) => {
        if (countAsks(readers.get(who)) >= MOST_WAITING) return resolve(toRefused(new QueueFull(), who));
        addAsk(readers, who, year, { key, sinceMs: nowMs(), resolve, reject });
        dispatchSoon();
      }),
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

function addAsk(readers: Map<string, Asks>, who: string, year: Year, ask: Ask): void {
  const own: Asks = readers.get(who) ?? new Map();
  const asks = own.get(year) ?? [];
  asks.push(ask);
  readers.set(who, own.set(year, asks));
}

function countAsks(own: Asks = new Map()): number {
  return [...own.values()].reduce((count, { length }) => count + length, 0);
}

/** Picks the year of the next in turn for which a chunk is full, or has waited since a time. */
function pickYear(readers: ReadonlyMap<string, Asks>, largest: number, sinceMs: number): Year | undefined {
  const counts = new Map<Year, number>();
  const late = new Set<Year>();
  for (const own of readers.values()) {
    for (const [year, asks] of own) {
      counts.set(year, (counts.get(year) ?? 0) + asks.length);
      if (asks[0]!.sinceMs <= sinceMs) late.add(year);
    }
  }
  for (const own of readers.values()) {
    for (const year of own.keys()) if (late.has(year) || counts.get(year)! >= largest) return year;
  }
  return undefined;
}

/** Takes one of each reader in turn, and again, until the chunk is full; who was served goes behind the others. */
function takeChunk(readers: Map<string, Asks>, year: Year, largest: number): readonly Ask[] {
  const chunk: Ask[] = [];
  for (let before = -1; before < chunk.length && chunk.length < largest; ) {
    before = chunk.length;
    for (const [who, own] of [...readers]) {
      const ask = own.get(year)?.shift();
      if (ask === undefined) continue;
      chunk.push(ask);
      if (own.get(year)!.length === 0) own.delete(year);
      readers.delete(who);
      if (own.size > 0) readers.set(who, own);
      if (chunk.length === largest) break;
    }
  }
  return chunk;
}
