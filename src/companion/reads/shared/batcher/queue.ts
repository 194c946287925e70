import type { SpanReference } from "../../../reporting/trace";
import type { CompanyResult } from "../result";
import type { Year } from "../split";

/** A company that waits for a chunk, in the queue of each of its readers. */
export interface Pending {
  companyId: string;
  sinceMs: number;
  /** A cached answer serves where it came after this. */
  afterMs: number;
  isTaken: boolean;
  result: Promise<CompanyResult>;
  resolve(result: Promise<CompanyResult>): void;
  /** Settles where its result is slow. */
  slow: Promise<CompanyResult>;
  notifySlow(failed: CompanyResult): void;
  /** The spans of its readers; absent where nothing is traced. */
  spans?: Set<SpanReference>;
}

/** Pending companies by year. */
type PendingByYear = Map<Year, Set<Pending>>;

/**
 * Creates the queue of all readers' pending companies, served round-robin.
 * @param mostWaiting Limit of one reader's queue.
 * @param mostInAll Limit of all companies that wait or are under way.
 */
export function createQueue(mostWaiting: number, mostInAll: number) {
  /** In round-robin order. */
  const readers = new Map<string, PendingByYear>();
  const waiting = new Map<string, Pending>();
  return {
    /** Gives the pending entry of a company, or a new one that is in no queue yet. */
    find(year: Year, companyId: string, sinceMs: number, afterMs: number): Pending {
      const pending = waiting.get(toName(year, companyId)) ?? createPending(companyId, sinceMs);
      pending.afterMs = Math.max(pending.afterMs, afterMs);
      return pending;
    },
    /** Adds an entry to a reader's queue; gives false where that queue is full. */
    add(who: string, year: Year, pending: Pending): boolean {
      const own: PendingByYear = readers.get(who) ?? new Map();
      if (own.get(year)?.has(pending)) return true;
      const isNew = !waiting.has(toName(year, pending.companyId));
      if (countPending(own) >= mostWaiting || (isNew && waiting.size >= mostInAll)) return false;
      readers.set(who, own.set(year, (own.get(year) ?? new Set()).add(pending)));
      waiting.set(toName(year, pending.companyId), pending);
      return true;
    },
    isEmpty: () => readers.size === 0,
    /**
     * How many companies are served, by rotation, up to the last one of these; undefined where one is not queued for
     * this reader.
     */
    countUntil(who: string, year: Year, companyIds: readonly string[]): number | undefined {
      const own: PendingByYear = readers.get(who) ?? new Map();
      const all = companyIds.map((companyId) => waiting.get(toName(year, companyId)));
      const left = new Set(all.filter((pending) => !pending?.isTaken));
      const ofYear = own.get(year) ?? new Set();
      let place = countPending(own) - ofYear.size;
      for (const pending of ofYear) {
        if (left.size === 0) break;
        place += 1;
        left.delete(pending);
      }
      if (left.size > 0) return undefined;
      return [...readers.values()].reduce((sum, other) => sum + Math.min(place, countPending(other)), 0);
    },
    pickYear: (largest: number, sinceMs: number) => pickYear(readers, largest, sinceMs),
    has(who: string, year: Year, companyId: string): boolean {
      const pending = waiting.get(toName(year, companyId));
      return pending !== undefined && readers.get(who)?.get(year)?.has(pending) === true;
    },
    takeChunk: (year: Year, largest: number) => takeChunk(readers, year, largest),
    drop(year: Year, chunk: readonly Pending[]): void {
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
  let count = 0;
  for (const { size } of own.values()) count += size;
  return count;
}

/** Picks the first reader's year that has a full chunk, or an entry older than a time. */
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

/** Takes one entry of each reader, round after round, until the chunk is full. */
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

/** Removes an entry from the queues of all its readers. */
function takePending(readers: Map<string, PendingByYear>, year: Year, pending: Pending): void {
  pending.isTaken = true;
  for (const [who, own] of readers) {
    const ofYear = own.get(year);
    if (!ofYear?.delete(pending)) continue;
    if (ofYear.size === 0) own.delete(year);
    if (own.size === 0) readers.delete(who);
  }
}
