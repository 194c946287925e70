import type { SpanReference } from "../../../reporting/trace";
import { InstanceFull, QueueFull } from "../fair-queue";
import { type CompanyResult, type Failed, toFailed, toRefused } from "../result";
import type { Year } from "../split";

/** A company that waits for a chunk, in the queue of each of its readers. */
export interface Pending {
  companyId: string;
  sinceMs: number;
  /** A cached answer serves where it came after this. */
  afterMs: number;
  isTaken: boolean;
  /** The readers who wait for it although it is in no queue any more. */
  takenFrom: string[];
  /** Absent until somebody waits for it or it is taken: a firm at its limit has tens of thousands queued. */
  deferred?: Deferred;
  /** The spans of its readers; absent where nothing is traced. */
  spans?: Set<SpanReference>;
}

/** The result of a company that is waited for. */
export interface Deferred {
  result: Promise<CompanyResult>;
  resolve(result: Promise<CompanyResult>): void;
  /** Settles where its result is slow. */
  slow: Promise<CompanyResult>;
  notifySlow(failed: CompanyResult): void;
}

/** By {@link createQueue}. */
export type Queue = ReturnType<typeof createQueue>;

/** Pending companies by year. */
type PendingByYear = Map<Year, Set<Pending>>;

/** A reader with fewer companies may queue more though the instance is full. */
const ALWAYS = 25;

/**
 * Creates the queue of all readers' pending companies, served round-robin.
 * @param mostWaiting Limit of one reader's queue.
 * @param mostInAll Limit of all companies that wait or are under way.
 */
export function createQueue(mostWaiting: number, mostInAll: number) {
  /** In round-robin order. */
  const readers = new Map<string, PendingByYear>();
  const waiting = new Map<string, Pending>();
  let taken = 0;
  return {
    /** Gives the pending entry of a company, or a new one that is in no queue yet. */
    find(year: Year, companyId: string, sinceMs: number, afterMs: number): Pending {
      const pending = waiting.get(toName(year, companyId)) ?? createPending(companyId, sinceMs);
      pending.afterMs = Math.max(pending.afterMs, afterMs);
      return pending;
    },
    /** Adds an entry to a reader's queue; gives the refusal where that or the instance's is full. */
    add(who: string, year: Year, pending: Pending): Failed | undefined {
      const own: PendingByYear = readers.get(who) ?? new Map();
      if (pending.isTaken && !pending.takenFrom.includes(who)) pending.takenFrom.push(who);
      if (pending.isTaken || own.get(year)?.has(pending)) return undefined;
      const isNew = !waiting.has(toName(year, pending.companyId));
      if (countPending(own) >= mostWaiting) return toRefused(new QueueFull(), who);
      if (isNew && waiting.size >= mostInAll && countPending(own) >= ALWAYS) return toFailed(new InstanceFull());
      readers.set(who, own.set(year, (own.get(year) ?? new Set()).add(pending)));
      waiting.set(toName(year, pending.companyId), pending);
      return undefined;
    },
    isEmpty: () => readers.size === 0,
    /**
     * How many companies at most are served, by rotation, up to the last one of these, as if this reader queued those
     * that are not; 0 where all are under way.
     */
    countUntil(who: string, year: Year, companyIds: readonly string[]): number {
      const all = companyIds.map((companyId) => waiting.get(toName(year, companyId)));
      const fresh = all.filter((pending) => pending === undefined).length;
      // Readers may queue the same companies.
      return Math.min(countByRotation(readers, who, year, all), waiting.size - taken + fresh);
    },
    pickYear: (largest: number, sinceMs: number) => pickYear(readers, largest, sinceMs),
    /** Whether a company is in a reader's queue, or was until it was taken. */
    has(who: string, year: Year, companyId: string): boolean {
      const pending = waiting.get(toName(year, companyId));
      if (pending === undefined) return false;
      return pending.takenFrom.includes(who) || readers.get(who)?.get(year)?.has(pending) === true;
    },
    /** Takes companies out of a reader's queue, unless they are under way. */
    withdraw(who: string, year: Year, companyIds: readonly string[]): void {
      for (const name of companyIds.map((companyId) => toName(year, companyId))) {
        const pending = waiting.get(name);
        if (pending !== undefined && withdraw(readers, who, year, pending)) waiting.delete(name);
      }
    },
    takeChunk(year: Year, largest: number): readonly Pending[] {
      const chunk = takeChunk(readers, year, largest);
      taken += chunk.length;
      return chunk;
    },
    drop(year: Year, chunk: readonly Pending[]): void {
      taken -= chunk.length;
      for (const { companyId } of chunk) waiting.delete(toName(year, companyId));
    },
  };
}

const toName = (year: Year, companyId: string): string => `${year} ${companyId}`;

const createPending = (companyId: string, sinceMs: number): Pending => ({
  companyId,
  sinceMs,
  afterMs: Number.NEGATIVE_INFINITY,
  isTaken: false,
  takenFrom: [],
});

/** Gives what settles with a pending company. */
export function toDeferred(pending: Pending): Deferred {
  pending.deferred ??= createDeferred();
  return pending.deferred;
}

function createDeferred(): Deferred {
  let resolve: Deferred["resolve"] = () => {};
  let notifySlow: Deferred["notifySlow"] = () => {};
  const result = new Promise<CompanyResult>((settle) => {
    resolve = settle;
  });
  const slow = new Promise<CompanyResult>((settle) => {
    notifySlow = settle;
  });
  return { result, resolve, slow, notifySlow };
}

/** How many entries are served up to the last one of these, where no two readers have the same. */
function countByRotation(
  readers: ReadonlyMap<string, PendingByYear>,
  who: string,
  year: Year,
  entries: readonly (Pending | undefined)[],
): number {
  const place = toLastPlace(readers.get(who) ?? new Map(), year, entries);
  let count = place;
  for (const [other, own] of readers) if (other !== who) count += Math.min(place, countPending(own));
  return count;
}

/**
 * The place of the last of some entries in a reader's queue, from 1, with those that are not queued at its end; 0 where
 * all are under way.
 */
function toLastPlace(own: PendingByYear, year: Year, entries: readonly (Pending | undefined)[]): number {
  const ofYear = own.get(year) ?? new Set();
  const left = entries.filter((pending) => pending?.isTaken !== true);
  const queued = new Set(left.filter((pending) => pending !== undefined && ofYear.has(pending)));
  if (queued.size < left.length) return countPending(own) + left.length - queued.size;
  if (left.length === 0) return 0;
  let place = countPending(own) - ofYear.size;
  for (const pending of ofYear) {
    place += 1;
    queued.delete(pending);
    if (queued.size === 0) break;
  }
  return place;
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
  for (const who of readers.keys()) if (removeFrom(readers, who, year, pending)) pending.takenFrom.push(who);
}

/** Takes an entry out of a reader's queue, and gives whether nobody else has it there; one under way stays. */
function withdraw(readers: Map<string, PendingByYear>, who: string, year: Year, pending: Pending): boolean {
  removeFrom(readers, who, year, pending);
  return !pending.isTaken && ![...readers.values()].some((own) => own.get(year)?.has(pending));
}

/** Removes an entry from a reader's queue, and gives whether it was there. */
function removeFrom(readers: Map<string, PendingByYear>, who: string, year: Year, pending: Pending): boolean {
  const own = readers.get(who);
  const ofYear = own?.get(year);
  if (own === undefined || !ofYear?.delete(pending)) return false;
  if (ofYear.size === 0) own.delete(year);
  if (own.size === 0) readers.delete(who);
  return true;
}
