import { traced } from "../../../reporting/trace";
import { createFairQueue, type FairQueue, type Queued } from "../fair-queue";
import { QueueFull, refuseFull } from "../queue-limits";
import { type LoadResult, type Reader, toFailed, toRefused } from "../result";
import type { Year } from "../split";

/** A company that is queued or under way. */
export interface Pending extends Queued {
  companyId: string;
  /** The rights of the reader who queued it first, whom an absence serves. */
  className: string;
  sinceMs: number;
  isTaken: boolean;
  /** Absent until somebody waits for it or it is taken: a firm at its limit has tens of thousands queued. */
  deferred?: Deferred;
}

/** The result of a company that is waited for. */
interface Deferred {
  result: Promise<LoadResult>;
  resolve(result: Promise<LoadResult>): void;
  /** Settles where its result is slow. */
  slow: Promise<LoadResult>;
  notifySlow(failed: LoadResult): void;
}

/** A reader with fewer companies may queue more though the instance is full. */
const ALWAYS = 25;

/** What waits, by year, and what waits or is under way, by name. */
interface State {
  years: Map<Year, FairQueue<Pending>>;
  pending: Map<string, Pending>;
  mostWaiting: number;
  mostInAll: number;
}

/**
 * Creates the queue of all readers' companies. Each chunk has those of one year, and years take turns.
 * @param mostWaiting Limit of one reader's queue.
 * @param mostInAll Limit of all companies that wait or are under way.
 */
export function createCompanyQueue(mostWaiting: number, mostInAll: number) {
  const state: State = { years: new Map(), pending: new Map(), mostWaiting, mostInAll };
  const { years, pending } = state;
  const find = (year: Year, companyId: string) => pending.get(toName(year, companyId));
  return {
    /** Queues a company for a reader, unless that queue or the instance's is full. */
    add: (year: Year, companyId: string, reader: Queuer, sinceMs: number) =>
      add(state, year, companyId, reader, sinceMs),
    isEmpty: () => years.size === 0,
    /** Whether a company is in a reader's queue, or was until it was taken. */
    has: (year: Year, companyId: string, who: string) => find(year, companyId)?.readers.has(who) === true,
    /** Takes companies out of a reader's queue, unless they are under way; gives those that are in no other one. */
    withdraw: (year: Year, companyIds: readonly string[], who: string): readonly Pending[] =>
      companyIds.flatMap((companyId) => withdraw(state, year, find(year, companyId), who) ?? []),
    /** Picks a year that has a full chunk, or an entry older than a time. */
    pickDue(largest: number, sinceMs: number): Year | undefined {
      for (const [year, ofYear] of years) {
        if (ofYear.size() >= largest || ofYear.oldest()!.sinceMs <= sinceMs) return year;
      }
      return undefined;
    },
    takeChunk(year: Year, largest: number): readonly Pending[] {
      const ofYear = years.get(year);
      const chunk: Pending[] = [];
      while (chunk.length < largest) {
        const entry = ofYear?.takeNext();
        if (entry === undefined) break;
        entry.isTaken = true;
        chunk.push(entry);
      }
      years.delete(year);
      if (ofYear !== undefined && ofYear.size() > 0) years.set(year, ofYear);
      return chunk;
    },
    /** Removes companies that have settled. */
    drop(year: Year, chunk: readonly Pending[]): void {
      for (const { companyId } of chunk) pending.delete(toName(year, companyId));
    },
    /**
     * How many companies at most are served up to the last one of these, as if this reader queued those that are not; 0
     * where all are under way. Each other year has a chunk before each of theirs.
     */
    countUntil(year: Year, companyIds: readonly string[], who: string, largest: number): number {
      const entries = companyIds.map((companyId) => find(year, companyId)).filter((entry) => !entry?.isTaken);
      const ofYear = (years.get(year) ?? createFairQueue<Pending>()).countUntil(who, entries);
      const ofAnother = Math.ceil(ofYear / largest) * largest;
      const others = [...years].filter(([other]) => other !== year);
      return others.reduce((sum, [, { size }]) => sum + Math.min(ofAnother, size()), ofYear);
    },
  };
}

type Queuer = Pick<Reader, "who" | "className">;

const toName = (year: Year, companyId: string): string => `${year} ${companyId}`;

function add(state: State, year: Year, companyId: string, { who, className }: Queuer, sinceMs: number) {
  const { years, pending, mostWaiting, mostInAll } = state;
  const name = toName(year, companyId);
  const known = pending.get(name);
  if (known?.isTaken || known?.readers.has(who)) {
    if (!known.readers.has(who)) known.readers.set(who, traced());
    return { entry: known, isNew: false };
  }
  const count = [...years.values()].reduce((sum, { sizeOf }) => sum + sizeOf(who), 0);
  if (count >= mostWaiting) return { refused: toRefused(new QueueFull(), who) };
  if (known === undefined && pending.size >= mostInAll && count >= ALWAYS) {
    return { refused: toFailed(refuseFull()) };
  }
  const entry: Pending = known ?? { companyId, className, sinceMs, isTaken: false, readers: new Map() };
  entry.readers.set(who, traced());
  pending.set(name, entry);
  const ofYear = years.get(year) ?? createFairQueue<Pending>();
  years.set(year, ofYear);
  ofYear.add(who, entry);
  return { entry, isNew: known === undefined };
}

function withdraw({ years, pending }: State, year: Year, entry: Pending | undefined, who: string): Pending | undefined {
  const ofYear = years.get(year);
  if (ofYear === undefined || entry === undefined || entry.isTaken) return undefined;
  ofYear.leave(who, entry);
  entry.readers.delete(who);
  if (entry.readers.size > 0) return undefined;
  ofYear.remove(entry);
  pending.delete(toName(year, entry.companyId));
  if (ofYear.size() === 0) years.delete(year);
  return entry;
}

/** Gives what settles with a pending company. */
export function deferredOf(pending: Pending): Deferred {
  pending.deferred ??= createDeferred();
  return pending.deferred;
}

function createDeferred(): Deferred {
  let resolve: Deferred["resolve"] = () => {};
  let notifySlow: Deferred["notifySlow"] = () => {};
  const result = new Promise<LoadResult>((settle) => {
    resolve = settle;
  });
  const slow = new Promise<LoadResult>((settle) => {
    notifySlow = settle;
  });
  return { result, resolve, slow, notifySlow };
}
