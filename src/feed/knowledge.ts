import type { Knowledge } from "./cost";
import type { Batch } from "./financials/batch";
import type { NameIndexes } from "./names/indexes";
import type { Query, QueryCache } from "./query-cache";
import type { Registrations } from "./registrations";

interface Sources {
  queryCache: QueryCache;
  registrations: Registrations;
  nameIndexes: NameIndexes;
  batch: Pick<Batch, "companiesAtOnce" | "hasBounds">;
}

/** What the feed knows without asking. */
export function toKnowledge({ queryCache, registrations, nameIndexes, batch }: Sources): Knowledge {
  const isKnown = (key: readonly unknown[]) => isWhole(queryCache.peek({ key } as Query<unknown>));
  return {
    isKnown,
    isAnswered: ({ key, within }) => isKnown(key) || (within !== undefined && isKnown(within)),
    isRegistered: (registrationNumber, route) => registrations.find(registrationNumber, route) !== null,
    isIndexed: (country) => nameIndexes.state(country).facts !== null,
    companiesAtOnce: batch.companiesAtOnce,
    hasBounds: batch.hasBounds,
  };
}

const isWhole = (state: ReturnType<QueryCache["peek"]>): boolean =>
  state.status === "answered" && state.answer.isComplete;
