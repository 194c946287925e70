import { type Cache, open, subscribe } from "./cache";
import { type QuerySources, toHash } from "./loads";
import type { Loading, Query, State } from "./types";

/** Waits for another query's whole answer; a load that asks again is served by nothing that was kept from before. */
export function waitFor(
  cache: Cache,
  query: Query<unknown>,
  { signal, sources }: Loading,
  grow: ((part: unknown) => void) | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    addPart(cache, toHash(query.key), sources);
    const observed = open(cache, query);
    let mustAsk = sources.isRefetch;
    const cached = () => cache.client.getQueryState(query.key);
    const isBeingRenewed = () => cached()?.isInvalidated === true && cached()?.fetchStatus === "fetching";
    const ask = () => void observed.observer.refetch({ cancelRefetch: false });
    if (observed.state.status === "failed" || cached()?.isInvalidated) ask();
    const receive = (state: State<unknown>) => {
      if (state.status === "failed") reject(state.error);
      else if (state.status === "answered" && state.answer.persisted !== null && mustAsk) {
        mustAsk = false;
        ask();
        return;
      } else if (state.status === "answered" && state.answer.isComplete && !isBeingRenewed())
        resolve(state.answer.value);
      else {
        if (state.status === "answered" && !state.answer.isComplete) grow?.(state.answer.value);
        return;
      }
      const persisted = state.status === "answered" && state.answer.persisted !== null ? state.answer : undefined;
      for (const request of observed.requests()) sources.addRequest(request);
      sources.addAge(persisted ?? cache.loads.find(query.key) ?? {});
      stop();
    };
    const stop = subscribe(cache, observed, { listener: receive, isLive: false });
    const leave = () => {
      stop();
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    if (observed.state.status === "answered") receive(observed.state);
  });
}

/** A refresh waits for parts that are as new as its own answer. */
function addPart({ wanted }: Cache, hash: string, sources: QuerySources): void {
  const { maxAgeMs } = sources;
  sources.addPart(hash);
  if (maxAgeMs < Number.POSITIVE_INFINITY && !wanted.has(hash)) wanted.set(hash, () => maxAgeMs);
}
