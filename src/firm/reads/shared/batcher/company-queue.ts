import { traced } from "../../../reporting/trace";
import { createFairQueue, type FairQueue, type Queued } from "../fair-queue";
import { QueueFull, refuseFull } from "../queue-limits";
import { type Failed, type LoadResult, type Reader, toFailed, toRefused } from "../result";
import type { Year } from "../split";

/** A company that is queued or under way. */
export interface Pending extends Queued {
  companyId: string;
  /** The rights of the reader who queued it first, whom an absence serves. */
  className: string;
  sinceMs: number;
  isTaken: boolean;
  /** Who waits for its result; absent without anybody: a firm at its limit has tens of thousands queued. */
  waiting?: ((result: LoadResult) => void)[];
  /** What its readers get before its result, which is slow. */
  slow?: Failed;
}

type Queuer = Pick<Reader, "who" | "className">;
type Added = { entry: Pending; isNew: boolean };

/** A reader with fewer companies may queue more though the instance is full. */
const ALWAYS = 25;

/**
 * Creates the queue of all readers' companies. Each chunk has those of one year, and years take turns.
 * @param mostWaiting Limit of one reader's queue.
 * @param mostInAll Limit of all companies that wait or are under way.
 */
export function createCompanyQueue(mostWaiting: number, mostInAll: number) {
  const years = new Map<Year, FairQueue<Pending>>();
  /** What waits or is under way. */
  const pending = new Map<string, Pending>();
  const find = (year: Year, companyId: string) => pending.get(toName(year, companyId));
  return {
    isEmpty: () => years.size === 0,
    /** Whether a company is in a reader's queue, or was until it was taken. */
    has: (year: Year, companyId: string, who: string) => find(year, companyId)?.readers.has(who) === true,
    /** Queues a company for a reader, unless that queue or the instance's is full. */
    add(year: Year, companyId: string, { who, className }: Queuer, sinceMs: number): Added | Failed {
      const known = find(year, companyId);
      const isIn = known?.isTaken || known?.readers.has(who);
      const ofYear = years.get(year) ?? createFairQueue<Pending>();
      const count = [...years.values()].reduce((sum, { sizeOf }) => sum + sizeOf(who), 0);
      if (!isIn && count >= mostWaiting) return toRefused(new QueueFull(), who);
      if (known === undefined && pending.size >= mostInAll && count >= ALWAYS) return toFailed(refuseFull());
      const entry: Pending = known ?? { companyId, className, sinceMs, isTaken: false, readers: new Map() };
      if (!entry.readers.has(who)) entry.readers.set(who, traced());
      if (!isIn) {
        pending.set(toName(year, companyId), entry);
        years.set(year, ofYear);
        ofYear.add(who, entry);
      }
      return { entry, isNew: known === undefined };
    },
    /** Removes companies that have settled, or that only one reader has queued. */
    remove(year: Year, entries: readonly Pending[]): void {
      const ofYear = years.get(year);
      for (const entry of entries) {
        ofYear?.remove(entry);
        pending.delete(toName(year, entry.companyId));
      }
      if (ofYear?.size() === 0) years.delete(year);
    },
    /** Picks a year that has a full chunk, or an entry older than a time. */
    pickDue(largest: number, sinceMs: number): Year | undefined {
      const isDue = ({ size, oldest }: FairQueue<Pending>) => size() >= largest || oldest()!.sinceMs <= sinceMs;
      return [...years].find(([, ofYear]) => isDue(ofYear))?.[0];
    },
    takeChunk: (year: Year, largest: number) => takeChunk(years, year, largest),
    /**
     * How many companies at most are served up to the last one of these, as if this reader queued those that are not; 0
     * where all are under way. Each other year has a chunk before each of theirs.
     */
    countUntil(year: Year, companyIds: readonly string[], who: string, largest: number): number {
      const entries = companyIds.map((companyId) => find(year, companyId)).filter((entry) => !entry?.isTaken);
      const ofYear = (years.get(year) ?? createFairQueue<Pending>()).countUntil(who, entries);
      const ofAnother = Math.ceil(ofYear / largest) * largest;
      return [...years].reduce(
        (sum, [other, { size }]) => sum + (other === year ? 0 : Math.min(ofAnother, size())),
        ofYear,
      );
    },
  };
}

function takeChunk(years: Map<Year, FairQueue<Pending>>, year: Year, largest: number): readonly Pending[] {
  const ofYear = years.get(year);
  const chunk: Pending[] = [];
  while (ofYear !== undefined && ofYear.size() > 0 && chunk.length < largest) chunk.push(ofYear.takeNext()!);
  for (const entry of chunk) entry.isTaken = true;
  // The next year's turn comes before this one's.
  years.delete(year);
  if (ofYear !== undefined && ofYear.size() > 0) years.set(year, ofYear);
  return chunk;
}

const toName = (year: Year, companyId: string): string => `${year} ${companyId}`;
