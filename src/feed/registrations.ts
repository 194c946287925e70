import { toCompanyKey } from "../client/ids";
import type { PersistedCache } from "./persisted-cache/types";
import type { PersistencePolicy } from "./persistence-policy";
import type { Query } from "./query-cache";
import { createEvidence, type EvidenceStore, type Route } from "./registrations/evidence";
import type { Lookups } from "./registrations/resolve";
import { loadScript } from "./script";

/** The companies of registration numbers, by the provider's own answers alone. */
export interface Registrations extends Pick<EvidenceStore, "find" | "forget"> {
  /**
   * Gives the query that resolves a number to its company's id. A route's answer counts for a day, in later pages too.
   *
   * @throws RequestError (FEED_NOT_FOUND, FEED_SCOPE_MISSING …), NoValueError (FEED_AMBIGUOUS) as the query's failure
   */
  query(registrationNumber: string, route: Route): Query<string>;
  /** Adds a check to a policy: an answer by number serves later pages only while all evidence names its company. */
  persist(persistence: PersistencePolicy, registrationNumber: string, route: Route): PersistencePolicy;
}

/** @param lookups gives the queries that resolve numbers; called on demand */
export function createRegistrations(
  answers: Pick<PersistedCache, "load" | "store">,
  nowMs: () => number,
  lookups: () => Lookups,
): Registrations {
  const evidence = createEvidence(answers, nowMs);
  const { find, load, pick, forget } = evidence;
  return {
    find,
    forget,
    query: (registrationNumber, route) => ({
      key: ["companyId", registrationNumber, route],
      async load(loading) {
        await load(registrationNumber);
        const known = find(registrationNumber, route);
        if (known !== null) return known;
        const script = await loadScript(() => import(/* webpackChunkName: "lists" */ "./registrations/resolve"));
        return script.resolveNumber(lookups(), evidence, registrationNumber, route, loading);
      },
    }),
    persist: (persistence, registrationNumber, route) => ({
      ...persistence,
      async isValid(answer) {
        const companyId = pick(await load(registrationNumber), route);
        return companyId !== null && toCompanyKey(readId(answer) ?? companyId) === toCompanyKey(companyId);
      },
    }),
  };
}

/** Gives the id of the company that an answer is of; undefined where it is a list. */
export function readId(answer: unknown): string | undefined {
  const { companyId, id } = answer as { companyId?: string; id?: string };
  return companyId ?? id;
}
