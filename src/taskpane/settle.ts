import type { Query, QueryCache, State } from "../feed/query-cache";

interface SettleOptions {
  /** Ends it early by its rejection, as {@link untilAborted}; default nothing. */
  until?: Promise<never>;
  /** Whether an error ends nothing, as one that a person's confirmation lifts; default none. */
  isPassing?: (error: unknown) => boolean;
}

/** Observes a query until it has an answer or an error. @throws what `until` rejects with */
export async function settle<T>(
  queryCache: QueryCache,
  query: Query<T>,
  { until = new Promise<never>(() => {}), isPassing = () => false }: SettleOptions = {},
): Promise<Exclude<State<T>, { status: "pending" }>> {
  let leave = () => {};
  const settled = new Promise<Exclude<State<T>, { status: "pending" }>>((resolve) => {
    leave = queryCache.observe(query, (state) => {
      if (state.status === "answered" || (state.status === "failed" && !isPassing(state.error))) resolve(state);
    });
  });
  try {
    return await Promise.race([settled, until]);
  } finally {
    leave();
  }
}

/** Rejects with a signal's reason once it is aborted. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {}); // nothing may wait for it
  return aborted;
}
