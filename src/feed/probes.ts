import { FeedError } from "../client/errors";
import type { Ports } from "../client/ports";
import type { Call, Provider } from "../client/provider";
import { decodePage, readText } from "./decode";

/** Data with a scope of its own: each ranking has one (§5.4), and so has the walk-through's path (§4.5). */
export type ProbeKind =
  | "companies"
  | "financials"
  | "taxonomies"
  | "rankings"
  | "rankingPages"
  | "rankingIndustries"
  | "walkThrough";

/** Smallest reads, which show the client's entitlements. */
export interface Probes {
  /**
   * Reads one row of a family; of the country where the family has countries.
   *
   * @param country ISO 3166-1 alpha-3 code, or "ALL"
   * @param companyId whose financials to read; default a number that nobody has, which shows as much
   * @returns the id of the company that came; null where none did
   * @throws RequestError (FEED_SCOPE_MISSING where the client may not) and whatever else a read fails with
   */
  load(family: ProbeKind, country: string, companyId?: string | null): Promise<string | null>;
}

export function createProbes({ nowMs }: Pick<Ports, "nowMs">, provider: Provider): Probes {
  return {
    async load(family, country, companyId = null) {
      try {
        const { body } = await provider.load(toCall(family, country, companyId ?? NOBODY, nowMs()));
        return family === "companies" ? readText(decodePage(body, "companies").rows[0]?.id) : null;
      } catch (error) {
        // Without the entitlement the answer is 403; 404 proves that the client may read.
        if (family === "financials" && error instanceof FeedError && error.code === "FEED_NOT_FOUND") return null;
        throw error;
      }
    },
  };
}

const NOBODY = "0000000000000";

const FIRST = { page: 1, page_size: 1 };

function toCall(family: ProbeKind, country: string, identifier: string, nowMs: number): Call {
  const day = { ...toRecentDay(nowMs), ...FIRST };
  const calls: Record<ProbeKind, Call> = {
    companies: { operation: "searchCompanies", query: { country, ...FIRST } },
    financials: { operation: "getFinancialsOfMany", body: { identifiers: [identifier] } },
    taxonomies: { operation: "listTaxonomyCompanies", query: { country, company_type: "ALL", ...FIRST } },
    rankings: { operation: "rankCompanies", query: day },
    rankingPages: { operation: "rankCompanyPages", query: day },
    rankingIndustries: { operation: "rankIndustries", query: day },
    walkThrough: { operation: "listCompaniesWalkThrough", query: { country } },
  };
  return calls[family];
}

/** Gives a recent day that has ended in every time zone. */
function toRecentDay(nowMs: number) {
  const day = new Date(nowMs - 3 * 86_400_000).toISOString().slice(0, 10);
  return { start_datetime: `${day}T00:00:00`, end_datetime: `${day}T23:59:59` };
}
