import type { SpanReference } from "../../../reporting/trace";
import { InstanceFull, QueueFull } from "../fair-queue";
import { type LoadResult, type Reader, toFailed, toRefused } from "../result";
import type { Year } from "../split";

/** A company that is queued or under way. */
export interface Pending {
  companyId: string;
  /** The rights of the reader who queued it first, whom an absence serves. */
  className: string;
  sinceMs: number;
  isTaken: boolean;
  /** The readers in whose queues it waits, or waited until it was taken. */
  readers: Set<string>;
  /** Absent until somebody waits for it or it is taken: a firm at its limit has tens of thousands queued. */
  deferred?: Deferred;
  /** The spans of its readers; absent where nothing is traced. */
  spans?: Set<SpanReference>;
}

/** The result of a company that is waited for. */
export interface Deferred {
  result: Promise<LoadResult>;
  resolve(result: Promise<LoadResult>): void;
  /** Settles where its result is slow. */
  slow: Promise<LoadResult>;
  notifySlow(failed: LoadResult): void;
}

/** By {@link createQueue}. */
export type Queue = ReturnType<typeof createQueue>;

/** The waiting companies of one year. */
interface OfYear {
  /** Each once, the oldest first. */
  all: Set<Pending>;
  /** By reader, in rotation. */
  readers: Map<string, Set<Pending>>;
}

/** A reader with fewer companies may queue more though the instance is full. */
const ALWAYS = 25;

/** What waits, and what is under way. */
interface State {
  years: Map<Year, OfYear>;
  pending: Map<string, Pending>;
  mostWaiting: number;
  mostInAll: number;
}

/**
 * Creates the queue of all readers' companies. Each chunk takes one of each reader in rotation, and years take turns.
 * @param mostWaiting Limit of one reader's queue.
 * @param mostInAll Limit of all companies that wait or are under way.
 */
export function createQueue(mostWaiting: number, mostInAll: number) {
  const state: State = { years: new Map(), pending: new Map(), mostWaiting, mostInAll };
  const { years, pending } = state;
  return {
    /** Queues a company for a reader, unless that queue or the instance's is full. */
    add: (year: Year, companyId: string, reader: Queuer, sinceMs: number) =>
      add(state, year, { companyId, className: reader.className, sinceMs }, reader.who),
    isEmpty: () => years.size === 0,
    /** Whether a company is in a reader's queue, or was until it was taken. */
    has: (year: Year, companyId: string, who: string) =>
      pending.get(toName(year, companyId))?.readers.has(who) === true,
    /** Takes companies out of a reader's queue, unless they are under way; gives those that are in no other one. */
    withdraw: (year: Year, companyIds: readonly string[], who: string): readonly Pending[] =>
      companyIds.flatMap((companyId) => withdraw(state, toName(year, companyId), year, who) ?? []),
    /** Picks a year that has a full chunk, or an entry older than a time. */
    pickDue(largest: number, sinceMs: number): Year | undefined {
      for (const [year, { all }] of years) {
        const [oldest] = all;
        if (all.size >= largest || oldest!.sinceMs <= sinceMs) return year;
      }
      return undefined;
    },
    takeChunk(year: Year, largest: number): readonly Pending[] {
      const ofYear = years.get(year);
      if (ofYear === undefined) return [];
      const chunk = takeChunk(ofYear, largest);
      years.delete(year);
      if (ofYear.all.size > 0) years.set(year, ofYear);
      return chunk;
    },
    /** Removes companies that have settled. */
    drop(year: Year, chunk: readonly Pending[]): void {
      for (const { companyId } of chunk) pending.delete(toName(year, companyId));
    },
    /**
     * How many companies at most are served, by rotation, up to the last one of these, as if this reader queued those
     * that are not; 0 where all are under way.
     */
    countUntil(year: Year, companyIds: readonly string[], who: string): number {
      const entries = companyIds.map((companyId) => pending.get(toName(year, companyId)));
      return countByRotation(years, year, entries, who);
    },
  };
}

type Queuer = Pick<Reader, "who" | "className">;

function add(
  { years, pending, mostWaiting, mostInAll }: State,
  year: Year,
  company: Pick<Pending, "companyId" | "className" | "sinceMs">,
  who: string,
) {
  const name = toName(year, company.companyId);
  const known = pending.get(name);
  if (known?.isTaken || known?.readers.has(who)) {
    known.readers.add(who);
    return { entry: known, isNew: false };
  }
  let count = 0;
  for (const { readers } of years.values()) count += readers.get(who)?.size ?? 0;
  if (count >= mostWaiting) return { refused: toRefused(new QueueFull(), who) };
  if (known === undefined && pending.size >= mostInAll && count >= ALWAYS) {
    return { refused: toFailed(new InstanceFull()) };
  }
  const entry: Pending = known ?? { ...company, isTaken: false, readers: new Set() };
  entry.readers.add(who);
  pending.set(name, entry);
  const ofYear: OfYear = years.get(year) ?? { all: new Set(), readers: new Map() };
  years.set(year, ofYear);
  ofYear.all.add(entry);
  ofYear.readers.set(who, (ofYear.readers.get(who) ?? new Set()).add(entry));
  return { entry, isNew: known === undefined };
}

function withdraw({ years, pending }: State, name: string, year: Year, who: string): Pending | undefined {
  const [ofYear, entry] = [years.get(year), pending.get(name)];
  if (ofYear === undefined || entry === undefined || entry.isTaken) return undefined;
  entry.readers.delete(who);
  removeFrom(ofYear, who, entry);
  if (entry.readers.size > 0) return undefined;
  pending.delete(name);
  ofYear.all.delete(entry);
  if (ofYear.all.size === 0) years.delete(year);
  return entry;
}

const toName = (year: Year, companyId: string): string => `${year} ${companyId}`;

/** Gives what settles with a pending company. */
export function toDeferred(pending: Pending): Deferred {
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

/** Takes one entry of each reader, round after round, until the chunk is full. */
function takeChunk(ofYear: OfYear, largest: number): readonly Pending[] {
  const chunk: Pending[] = [];
  while (chunk.length < largest && ofYear.all.size > 0) {
    const [[who, own]] = ofYear.readers as Iterable<[string, Set<Pending>]> as [[string, Set<Pending>]];
    const [entry] = own as Iterable<Pending> as [Pending];
    ofYear.readers.delete(who);
    ofYear.readers.set(who, own);
    entry.isTaken = true;
    ofYear.all.delete(entry);
    for (const reader of entry.readers) removeFrom(ofYear, reader, entry);
    chunk.push(entry);
  }
  return chunk;
}

/** How many entries are served up to the last one of these; undefined ones are in no queue yet. */
function countByRotation(
  years: ReadonlyMap<Year, OfYear>,
  year: Year,
  entries: readonly (Pending | undefined)[],
  who: string,
): number {
  const { all, readers }: OfYear = years.get(year) ?? { all: new Set(), readers: new Map() };
  const place = toLastPlace(entries, readers.get(who) ?? new Set());
  let count = place;
  for (const [other, theirs] of readers) if (other !== who) count += Math.min(place, theirs.size);
  // Readers may queue the same companies.
  const fresh = entries.filter((entry) => entry === undefined).length;
  const ofYear = Math.min(count, all.size + fresh);
  const others = [...years].flatMap(([other, { all }]) => (other === year ? [] : [Math.min(ofYear, all.size)]));
  return others.reduce((sum, each) => sum + each, ofYear);
}

/**
 * The place of the last of some entries in a reader's queue, from 1, with those that are not queued at its end; 0 where
 * all are under way.
 */
function toLastPlace(entries: readonly (Pending | undefined)[], own: ReadonlySet<Pending>): number {
  const left = entries.filter((entry) => entry?.isTaken !== true);
  const queued = new Set(left.filter((entry) => entry !== undefined && own.has(entry)));
  if (queued.size < left.length) return own.size + left.length - queued.size;
  let place = 0;
  for (const entry of own) {
    if (queued.size === 0) break;
    place += 1;
    queued.delete(entry);
  }
  return place;
}

function removeFrom({ readers }: OfYear, who: string, entry: Pending): void {
  const own = readers.get(who);
  own?.delete(entry);
  if (own?.size === 0) readers.delete(who);
}
