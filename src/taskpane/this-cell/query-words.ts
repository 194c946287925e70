import type { Query } from "../../feed/query-cache";
import type { Texts } from "../texts";

/** A query in words: its subject, and its parameters by their names in the API. */
interface QueryWords {
  title: string;
  parameters: readonly string[];
}

/** Names of the values after a key's first word; an object's values have their own names. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  financials: ["company", "year"],
  rankCompanies: ["start_datetime", "end_datetime", "rows"],
  rankCompanyPages: ["start_datetime", "end_datetime", "rows"],
  rankIndustries: ["start_datetime", "end_datetime", "rows"],
  getCompany: ["companyId"],
  searchCompanies: ["filter", "rows"],
  universe: ["filter", "rows"],
  constituents: ["node", "filter", "show_all_industries", "rows"],
  peers: ["company", "level", "filter", "rows"],
  getTaxonomyCompany: ["companyId"],
  findNames: ["country", "text", "rows"],
  matchNames: ["country", "names"],
};

/** Puts a query's key into words. */
export function toQueryWords({ key }: Pick<Query<unknown>, "key">, { ofProvenance }: Texts): QueryWords {
  const [kind, ...values] = key;
  const names = PARAMETERS[String(kind)] ?? [];
  const titles: Readonly<Record<string, string>> = ofProvenance.queries;
  return {
    title: titles[String(kind)] ?? String(kind),
    parameters: names.flatMap((name, index) => toParameters(name, values[index] ?? null)),
  };
}

function toParameters(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return name === "year" ? ["year: all"] : [];
  if (typeof value !== "object") return [`${name}: ${value}`];
  return Object.entries(value).flatMap(([own, each]) => toParameters(OWN_NAMES[own] ?? own, each));
}

/** Names of the API that differ from ours. */
const OWN_NAMES: Readonly<Record<string, string>> = { companyType: "company_type", registrationNumber: "identifier" };
