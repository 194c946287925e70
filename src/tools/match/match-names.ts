import type { NameMatch, NameMatches } from "../../feed/matching";
import type { Query, QueryCache } from "../../feed/query-cache";
import type { Session } from "../../session/session";
import type { ListedName } from "./names-in-cells";

/** Names of one query, after each of which matching can be stopped. */
const NAMES_AT_ONCE = 50;

interface MatchingOptions {
  country: string;
  signal: AbortSignal;
  /** Called with the matches of some names, in their order. */
  found: (names: readonly ListedName[], matches: readonly NameMatch[]) => void;
}

/** Matches names, some at a time. @throws the error of a query; the reason of an abort */
export async function matchNames(
  { queryCache, matching }: Session["feed"],
  names: readonly ListedName[],
  { country, signal, found }: MatchingOptions,
): Promise<void> {
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    signal.throwIfAborted();
    const some = names.slice(from, from + NAMES_AT_ONCE);
    const query = matching.query(
      some.map(({ text, hints }) => ({ name: text, hints })),
      country,
    );
    found(some, (await readWhole(queryCache, query, signal)).matches);
  }
}

/** Observes a query until its answer comes; leaving it ends it. A failure of before is retried. */
async function readWhole(queryCache: QueryCache, query: Query<NameMatches>, signal: AbortSignal): Promise<NameMatches> {
  let leave = () => {};
  let isOfBefore = true;
  try {
    return await new Promise<NameMatches>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      leave = queryCache.observe(query, (state) => {
        if (state.status === "failed" && !isOfBefore) reject(state.error);
        if (state.status === "answered") resolve(state.answer.value);
      });
      isOfBefore = false;
      if (queryCache.peek(query).status === "failed") queryCache.renew(query.key);
    });
  } finally {
    leave();
  }
}
