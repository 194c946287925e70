import { Refusal } from "../../../refusal";
import { NO_TRACE, type SpanReference, type Trace } from "../../../reporting/trace";
import { type CompanyResult, toFailed } from "../result";
import type { Year } from "../split";
import { type Pending, toDeferred } from "./queue";

/** A company of a chunk, and how new a cached answer must be: it serves where it came after this. */
export type ChunkCompany = Pick<Pending, "companyId" | "afterMs">;

export interface ChunkLoads {
  /** Gives the companies that are cached by now. */
  findCached(year: Year, wanted: readonly ChunkCompany[]): Promise<ReadonlyMap<string, CompanyResult>>;
  /** Loads companies, and gives the result of each. */
  load(year: Year, companyIds: readonly string[]): Promise<ReadonlyMap<string, CompanyResult>>;
  /** Default none. */
  trace?: Trace;
}

/**
 * Loads a chunk. Another instance may have loaded some of it while it was queued; others take their places, so that the
 * request is full. Resolves once all are settled.
 * @param chunk Taken companies; those that take a place are added.
 * @param take Takes at most so many from the queue.
 */
export function loadChunk(
  { findCached, load, trace = NO_TRACE }: ChunkLoads,
  year: Year,
  chunk: Pending[],
  take: (most: number) => readonly Pending[],
): Promise<unknown> {
  const takeMissing = async () => {
    const missing: string[] = [];
    for (let taken: readonly Pending[] = [...chunk]; taken.length > 0; ) {
      const cached = await findCached(year, taken);
      for (const pending of taken) {
        const result = cached.get(pending.companyId);
        if (result === undefined) missing.push(pending.companyId);
        else settle(pending, Promise.resolve(result));
      }
      taken = take(cached.size);
      chunk.push(...taken);
    }
    return missing;
  };
  const loaded = trace.share("batch", toSpans(chunk), async (note) => {
    const missing = await takeMissing();
    note({ "feed.companies": missing.length });
    return missing.length === 0 ? new Map<string, CompanyResult>() : load(year, missing);
  });
  const settleAll = () => {
    for (const pending of chunk)
      settle(
        pending,
        loaded.then((results) => results.get(pending.companyId)!),
      );
  };
  return loaded.then(settleAll, settleAll);
}

/** Settles a company, unless it has been. Its readers get a failure; there may be none any more. */
function settle(pending: Pending, loaded: Promise<CompanyResult>): void {
  const { result, resolve } = toDeferred(pending);
  resolve(loaded);
  for (const each of [loaded, result]) each.catch(() => {});
}

/** Adds a reader's span. */
export function addSpan(pending: Pending, span: SpanReference | undefined): void {
  if (span === undefined) return;
  pending.spans ??= new Set();
  pending.spans.add(span);
}

/** Gives the readers' spans, each once, as they are when it is read. */
const toSpans = (chunk: readonly Pending[]): Iterable<SpanReference> => ({
  [Symbol.iterator]: () => new Set(chunk.flatMap(({ spans = [] }) => [...spans])).values(),
});

/** Lets the readers of a slow chunk load their own companies beside it. */
export function notifySlow(chunk: readonly Pending[], ended: Promise<unknown>): void {
  const said = new Refusal(504, "The provider did not answer in time; try again later.", "FEED_TIMED_OUT");
  const companyIds = chunk.map(({ companyId }) => companyId);
  for (const { notifySlow, result } of chunk.map(toDeferred)) {
    notifySlow({ ...toFailed(said, companyIds), ended, later: result });
  }
}
