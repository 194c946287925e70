import { Refusal } from "../../../../companion/refusal";
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

/** The queue that a chunk comes from. */
interface Source {
  /** Takes at most so many companies of the chunk's year. */
  take(most: number): readonly Pending[];
  /** Removes companies that have settled. */
  drop(settled: readonly Pending[]): void;
  /** Takes the result of a company before its readers get it. */
  receive(pending: Pending, result: Promise<CompanyResult>): void;
}

/** Looks at this many chunks of cached companies for missing ones, which wait meanwhile. */
const MOST_ROUNDS = 20;

/**
 * Loads a chunk. Another instance may have loaded some of it while it was queued; others take their places, so that the
 * request is full. Resolves once all are settled.
 * @param chunk Taken companies; cached ones are removed, and those that take their places are added.
 */
export function loadChunk(
  { findCached, load, trace = NO_TRACE }: ChunkLoads,
  year: Year,
  chunk: Pending[],
  { take, drop, receive }: Source,
): Promise<unknown> {
  const takeMissing = async () => {
    let taken: readonly Pending[] = [...chunk];
    for (let round = 0; taken.length > 0; round += 1) {
      const cached = await findCached(year, taken);
      const done = taken.filter(({ companyId }) => cached.has(companyId));
      for (const pending of done) {
        settle(pending, Promise.resolve(cached.get(pending.companyId)!));
        chunk.splice(chunk.indexOf(pending), 1);
      }
      drop(done);
      taken = round < MOST_ROUNDS ? take(done.length) : [];
      chunk.push(...taken);
    }
    return chunk.map(({ companyId }) => companyId);
  };
  const loaded = trace.share("batch", toSpans(chunk), async (note) => {
    const missing = await takeMissing();
    note({ "feed.companies": missing.length });
    return missing.length === 0 ? new Map<string, CompanyResult>() : load(year, missing);
  });
  const settleAll = () => {
    for (const pending of chunk) {
      const result = loaded.then((results) => results.get(pending.companyId)!);
      receive(pending, result);
      settle(pending, result);
    }
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
export function notifySlow(chunk: readonly Pending[]): void {
  const said = new Refusal(504, "The provider did not answer in time; try again later.", "FEED_TIMED_OUT");
  const companyIds = chunk.map(({ companyId }) => companyId);
  for (const { notifySlow, result } of chunk.map(toDeferred)) {
    notifySlow({ ...toFailed(said, companyIds), later: result });
  }
}
