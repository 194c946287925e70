import type { Batcher } from "../batcher";
import type { Chunks } from "../chunks";
import type { QueryQueue } from "../query-queue";
import { QUEUE_WAIT_MS } from "../queue-limits";
import type { Read } from "../read-through";
import { type Failed, type Found, type LoadResult, toRefused } from "../result";
import { type SharedCache, toAbsentKey, toAnswerKey, toElementKey } from "../shared-cache";
import { type FinancialsQuery, isElementOf, toOwnPath } from "../split";

/** The parts that reads of several companies' financials use. */
export interface FinancialsOptions {
  /** The provider and client, by {@link toScope}. */
  scope: string;
  cache: SharedCache;
  batcher: Batcher;
  chunks: Chunks;
  queries: QueryQueue;
  nowMs(): number;
}

/** One reader's query and its progress. */
export interface FinancialsRead extends FinancialsOptions, FinancialsQuery, Read {
  results: Map<string, LoadResult>;
  /** Cached elements that are not fresh. */
  stale: Map<string, Found>;
  /** Companies that this reader requested from the provider. */
  requested: Set<string>;
  /** When waiting ends. */
  untilMs: number;
}

export function startRead(options: FinancialsOptions, wanted: FinancialsQuery, read: Read): FinancialsRead {
  const untilMs = options.nowMs() + QUEUE_WAIT_MS;
  const progress = { results: new Map(), stale: new Map(), requested: new Set<string>(), untilMs };
  return { ...options, ...wanted, ...read, ...progress };
}

const toKey = ({ scope, year }: FinancialsRead, id: string): string => toElementKey(scope, year, id);
const toNoKey = (read: FinancialsRead, id: string): string => toAbsentKey(toKey(read, id), read.reader.className);

/** Looks up elements first, then own answers and absences for those that are missing. */
export async function findCached(
  read: FinancialsRead,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoadResult>> {
  const { cache, scope, year, reader, stale, limit, batcher } = read;
  const elements = await cache.read(ids.map((id) => toKey(read, id)));
  const found = new Map<string, LoadResult>();
  const take = (id: string, text: Omit<Found, "is"> | undefined) => {
    if (text === undefined) return;
    if (text.atMs > limit.afterMs) found.set(id, { is: "found", ...text });
    else if (text.atMs > (stale.get(id)?.atMs ?? 0)) stale.set(id, { is: "found", ...text });
  };
  for (const [nth, id] of ids.entries()) take(id, elements[nth]);
  const open = ids.filter((id) => !found.has(id));
  // What waits for a batch learns there that it is absent: its reader retries often.
  const idle = open.filter((id) => !batcher.isWaiting(year, id, reader.who));
  const [others, absent] = await Promise.all([
    cache.read(open.map((id) => toAnswerKey(scope, toOwnPath(year, id)))),
    cache.read(idle.map((id) => toNoKey(read, id))),
  ]);
  const absentAtMs = new Map(idle.map((id, nth) => [id, absent[nth]?.atMs]));
  for (const [nth, id] of open.entries()) {
    const [own, atMs] = [others[nth], absentAtMs.get(id)];
    if (own !== undefined && isElementOf(id, own.body)) take(id, own);
    if (found.has(id) || atMs === undefined || atMs < limit.absentFromMs) continue;
    found.set(id, { is: "absent", atMs, className: reader.className });
  }
  return found;
}

/** Counts companies that this reader has neither requested nor queued; gives the refusal, if any. */
export function admitNew(
  { reader, requested, batcher, year }: FinancialsRead,
  ids: readonly string[],
): Failed | undefined {
  const more = ids.filter((id) => !requested.has(id) && !batcher.isWaiting(year, id, reader.who));
  const refusal = reader.admit(more.length);
  if (refusal !== undefined) return toRefused(refusal, reader.who);
  for (const id of ids) requested.add(id);
  return undefined;
}

/** Stores an absence that is this reader's, for readers with equal rights. */
export async function storeOwnAbsence(read: FinancialsRead, id: string, result: LoadResult): Promise<LoadResult> {
  const { cache, reader } = read;
  if (result.is === "absent" && result.className === reader.className) {
    await cache.storeAbsent(new Map([[toNoKey(read, id), Buffer.alloc(0)]]), result.atMs);
  }
  return result;
}
