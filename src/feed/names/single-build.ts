import { hasCode, NoValueError } from "../../client/errors";
import { buildNames } from "./build";
import type { IndexFacts } from "./engine";
import { type Entry, find, type IndexesContext, move, open } from "./entries";
import { toNotReady } from "./not-ready";

/** Requests that a formula may send for an index; a larger one is built in the pane. */
const MOST_REQUESTS_OF_A_FORMULA = 20;

/** Implements `need` of the indexes. */
export async function need(context: IndexesContext, country: string): Promise<{ key: string; facts: IndexFacts }> {
  const key = await open(context, country);
  const entry = find(context, country);
  const { facts, progress, error } = entry.state;
  if (facts !== null) return { key, facts };
  if (entry.building?.isRequestedByUser)
    throw toNotReady(country, progress?.expectedRequests ?? null, progress?.requests);
  // A build that proved too large for a formula is not tried again by other cells.
  if (error instanceof NoValueError) throw error;
  const known = progress?.expectedRequests ?? 0;
  if (entry.building === null && known > MOST_REQUESTS_OF_A_FORMULA) throw toNotReady(country, known);
  return { key, facts: await (entry.building?.promise ?? start(context, entry, MOST_REQUESTS_OF_A_FORMULA)) };
}

/** Implements `build` of the indexes. A build of a formula that is under way ends first, by success or by its limit. */
export async function build(context: IndexesContext, country: string): Promise<void> {
  const entry = find(context, country);
  const isDone = await entry.building?.promise.then(
    () => true,
    () => false,
  );
  if (isDone || entry.building !== null) return;
  try {
    await start(context, entry, Number.POSITIVE_INFINITY);
  } catch {
    // the state has the error
  }
  context.queryCache.renew(["findNames", country]); // after a failure too: cells say that it is being built
  context.queryCache.renew(["matchNames", country]);
  void context.queryCache.retryFailed(hasCode("FEED_INDEX_NOT_READY"));
}

function start(context: IndexesContext, entry: Entry, mostRequests: number): Promise<IndexFacts> {
  const abort = new AbortController();
  const promise = run(context, entry, mostRequests, abort.signal);
  entry.building = { promise, abort, isRequestedByUser: mostRequests !== MOST_REQUESTS_OF_A_FORMULA };
  move(context, entry, { progress: null, error: null });
  return promise;
}

async function run(
  context: IndexesContext,
  entry: Entry,
  mostRequests: number,
  signal: AbortSignal,
): Promise<IndexFacts> {
  const { country } = entry;
  const { engine, provider, limits, ports } = context;
  try {
    const key = await open(context, country);
    const facts = await buildNames({
      provider,
      limits,
      engine,
      key,
      country,
      mostRequests,
      signal,
      nowMs: ports.nowMs,
      notify: (progress) => move(context, entry, { progress }),
    });
    entry.building = null;
    move(context, entry, { facts });
    return facts;
  } catch (error) {
    entry.building = null;
    move(context, entry, { error: signal.aborted ? null : error });
    throw signal.aborted ? signal.reason : error;
  }
}
