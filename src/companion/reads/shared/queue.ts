import type { ChunkOutcome } from "./outcome";
import type { Year } from "./split";

/** A company that waits to be asked for, in the turns of all who want it. */
export interface Ask {
  companyId: string;
  sinceMs: number;
  /** What is cached by then serves where it came after this. */
  afterMs: number;
  isTaken: boolean;
  outcome: Promise<ChunkOutcome>;
  resolve(outcome: Promise<ChunkOutcome>): void;
  /** That its outcome is slow to come. */
  slow: Promise<ChunkOutcome>;
  notifySlow(failed: ChunkOutcome): void;
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
export function createQueue(mostWaiting: number): Queue {
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
  const outcome = new Promise<ChunkOutcome>((settle) => {
    resolve = settle;
  });
  const slow = new Promise<ChunkOutcome>((settle) => {
    notifySlow = settle;
  });
  return { companyId, sinceMs, afterMs: Number.NEGATIVE_INFINITY, isTaken: false, outcome, resolve, slow, notifySlow };
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
