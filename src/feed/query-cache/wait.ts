import { addRequests, type Trace, traceOf } from "../trace";
import { type Cache, open, subscribe } from "./cache";
import { toHash } from "./loads";
import type { Question, State } from "./types";

/** Waits for another question's whole answer; a load that asks again is served by nothing that was kept from before. */
export function waitFor(
  cache: Cache,
  question: Question<unknown>,
  signal: AbortSignal,
  grow: ((part: unknown) => void) | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    takePart(cache, toHash(question.key), traceOf(signal));
    const watched = open(cache, question);
    let mustAsk = traceOf(signal).isAgain;
    const query = () => cache.client.getQueryState(question.key);
    const isBeingRenewed = () => query()?.isInvalidated === true && query()?.fetchStatus === "fetching";
    const ask = () => void watched.observer.refetch({ cancelRefetch: false });
    if (watched.state.status === "failed" || query()?.isInvalidated) ask();
    const hear = (state: State<unknown>) => {
      if (state.status === "failed") reject(state.error);
      else if (state.status === "answered" && state.answer.kept !== null && mustAsk) {
        mustAsk = false;
        ask();
        return;
      } else if (state.status === "answered" && state.answer.isComplete && !isBeingRenewed())
        resolve(state.answer.value);
      else {
        if (state.status === "answered" && !state.answer.isComplete) grow?.(state.answer.value);
        return;
      }
      const persisted = state.status === "answered" && state.answer.kept !== null ? state.answer : undefined;
      addRequests(signal, watched.requests(), persisted ?? cache.loads.find(question.key));
      stop();
    };
    const stop = subscribe(cache, watched, { listener: hear, isLive: false });
    const leave = () => {
      stop();
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    if (watched.state.status === "answered") hear(watched.state);
  });
}

/** What a refresh asks again waits for answers as new as its own. */
function takePart({ wanted }: Cache, hash: string, { parts, maxAgeMs }: Trace): void {
  parts.add(hash);
  if (maxAgeMs < Number.POSITIVE_INFINITY && !wanted.has(hash)) wanted.set(hash, () => maxAgeMs);
}
