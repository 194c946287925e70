import { toCompanyKey } from "../../client/ids";
import type { PersistedCache } from "../persisted-cache/types";
import { toHash } from "../query-cache/sources";

/** Which of the provider's answers tells whose a registration number is: its financials, or the search over all countries. */
export type Route = "financials" | "search";

/** That a number named a company, or null for several, and when the provider said so, milliseconds since the Unix epoch. */
interface Named {
  readonly companyId: string | null;
  readonly atMs: number;
}

/** What is known of a number: the company that it named first, and the one that each route named last. */
export type Evidence = { readonly [source in Route | "first"]?: Named | undefined };

/** The evidence of registration numbers, which outlives the page. */
export interface EvidenceStore {
  /** The company of a number, as far as memory proves it and recently enough; null where it is to be resolved. */
  find(registrationNumber: string, route: Route): string | null;
  load(registrationNumber: string): Promise<Evidence>;
  /** The company that a route named last; null where it named none or several, or anything else that is known says otherwise. */
  pick(evidence: Evidence, route: Route): string | null;
  /**
   * Records which company a route named, or null where it named several; gives all that is known by now.
   *
   * @param asOfMs when the provider said so, if that was before now
   */
  record(registrationNumber: string, route: Route, companyId: string | null, asOfMs?: number): Promise<Evidence>;
  /** Forgets what is in memory, as when the client changed. */
  forget(): void;
}

/** A company that begins to share a number is noticed after a day at the latest, for no request at each refresh. */
const MAX_AGE_MS = 24 * 60 * 60_000;

export function createEvidence(answers: Pick<PersistedCache, "load" | "store">, nowMs: () => number): EvidenceStore {
  /** By the number as it is written: to some providers "ab1" and "AB1" are two. */
  let known = new Map<string, Evidence>();
  const load = async (registrationNumber: string) => {
    const own = known; // of this client, should it change meanwhile
    const persisted = own.has(registrationNumber) ? null : await answers.load([toEvidenceHash(registrationNumber)]);
    const evidence = own.get(registrationNumber) ?? (persisted?.value as Evidence | undefined) ?? {};
    own.set(registrationNumber, evidence);
    return evidence;
  };
  return {
    find(registrationNumber, route) {
      const evidence = known.get(registrationNumber) ?? {};
      const ageMs = nowMs() - (evidence[route]?.atMs ?? Number.NEGATIVE_INFINITY);
      return ageMs >= 0 && ageMs < MAX_AGE_MS ? pickCompany(evidence, route) : null;
    },
    load,
    pick: pickCompany,
    async record(registrationNumber, route, companyId, asOfMs = Number.POSITIVE_INFINITY) {
      await load(registrationNumber);
      const before = known.get(registrationNumber) ?? {}; // the other route may have recorded meanwhile
      const named = { companyId, atMs: Math.min(nowMs(), asOfMs) };
      const first = before.first ?? (companyId === null ? undefined : named);
      const evidence = { ...before, first, [route]: named };
      known.set(registrationNumber, evidence);
      answers.store(toEvidenceHash(registrationNumber), { value: evidence, asOfMs: nowMs(), sources: [] });
      return evidence;
    },
    forget() {
      known = new Map();
    },
  };
}

function pickCompany(evidence: Evidence, route: Route): string | null {
  const companyId = evidence[route]?.companyId;
  if (companyId === undefined || companyId === null) return null;
  return Object.values(evidence).every((named) => !named || isSame(named.companyId, companyId)) ? companyId : null;
}

const isSame = (one: string | null, other: string): boolean =>
  one !== null && toCompanyKey(one) === toCompanyKey(other);

const toEvidenceHash = (registrationNumber: string): string => toHash(["registration", registrationNumber]);
