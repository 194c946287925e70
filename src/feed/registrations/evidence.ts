import { toCompanyKey } from "../../client/ids";
import type { PersistedCache } from "../persisted-cache/types";
import { toHash } from "../query-cache/sources";

/** What a formula asks of a company. */
export type CompanyData = "financials" | "record" | "classification";

/** The operation that resolves a registration number: financials, or the search over all countries. */
export type Route = "financials" | "search";

interface Named {
  /** Null for several companies. */
  readonly companyId: string | null;
  /** When the provider said so, milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** The first company of a number, and the last company by each route. */
export type Evidence = { readonly [source in Route | "first"]?: Named | undefined };

export type EvidenceStore = ReturnType<typeof createEvidence>;

/** A company that begins to share a number is noticed within a day; a refresh takes no request for it. */
const MAX_AGE_MS = 24 * 60 * 60_000;

/** The evidence of registration numbers, which outlives the page. */
export function createEvidence(answers: Pick<PersistedCache, "load" | "store">, nowMs: () => number) {
  /** By the written number: to some providers "ab1" and "AB1" are two. */
  let known = new Map<string, Evidence>();
  const load = async (registrationNumber: string) => {
    const own = known; // the client may change meanwhile
    const persisted = own.has(registrationNumber) ? null : await answers.load([toEvidenceHash(registrationNumber)]);
    const evidence = own.get(registrationNumber) ?? (persisted?.value as Evidence | undefined) ?? {};
    own.set(registrationNumber, evidence);
    return evidence;
  };
  return {
    /** Gives the company of a number by recent evidence in memory; null where the number must be resolved. */
    find(registrationNumber: string, route: Route): string | null {
      const evidence = known.get(registrationNumber) ?? {};
      const ageMs = nowMs() - (evidence[route]?.atMs ?? Number.NEGATIVE_INFINITY);
      return ageMs >= 0 && ageMs < MAX_AGE_MS ? pickCompany(evidence, route) : null;
    },
    load,
    /** Gives the last company of a route; null where it named none or several, or other evidence contradicts it. */
    pick: pickCompany,
    /**
     * Records the company that a route named, or null for several; gives all evidence of the number.
     *
     * @param asOfMs when the provider said so; default now
     */
    async record(
      registrationNumber: string,
      route: Route,
      companyId: string | null,
      asOfMs = Number.POSITIVE_INFINITY,
    ): Promise<Evidence> {
      await load(registrationNumber);
      const before = known.get(registrationNumber) ?? {}; // the other route may have recorded meanwhile
      const named = { companyId, atMs: Math.min(nowMs(), asOfMs) };
      const first = before.first ?? (companyId === null ? undefined : named);
      const evidence = { ...before, first, [route]: named };
      known.set(registrationNumber, evidence);
      answers.store(toEvidenceHash(registrationNumber), { value: evidence, asOfMs: nowMs(), sources: [] });
      return evidence;
    },
    /** Forgets the evidence in memory: the client has changed. */
    forget(): void {
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
