import { startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";

/** A private company of the provider. */
export interface TestCompany {
  id: string;
  /** The number in its record: a text, or a number. */
  number: unknown;
  name: string;
  country: "JPN" | "SGP";
  city: string;
  /** Its financials; null if it has none. */
  revenue: number | null;
  /** Another id by which the search finds it. */
  otherId?: string;
}

/** The data of a provider with two countries, and its answers. */
export interface TwoCountries {
  companies: TestCompany[];
  /** The most rows of a search page. */
  cap: number;
  /** Answers a request in the provider's place; undefined leaves it to the provider. */
  instead: (request: Received) => Answering | undefined;
}

export type FeedOnCountries = Awaited<ReturnType<typeof startCountries>>;

/** Two companies of different countries share "0107"; the others have unique numbers. */
export const COMPANIES: readonly TestCompany[] = [
  { id: "sakura", number: "0107", name: "Sakura Foods", country: "JPN", city: "Osaka", revenue: 100 },
  { id: "orchid", number: "0107", name: "Orchid Foods", country: "SGP", city: "Singapore", revenue: 900 },
  { id: "matsu", number: "0200", name: "Matsu Steel", country: "JPN", city: "Kobe", revenue: 300 },
  { id: "banyan", number: "0300", name: "Banyan Glass", country: "SGP", city: "Singapore", revenue: null },
];

export async function startCountries(given: Partial<TwoCountries>, startMs?: number) {
  const provider: TwoCountries = { companies: [...COMPANIES], cap: 1_000, instead: () => undefined, ...given };
  const answerOne = (request: Received) => provider.instead(request) ?? answer(provider, request);
  const running = await startFeedOn(answerOne, { startMs }, "client");
  /** The requests so far, such as "POST 0107" or "search 0107", without lists of whole countries. */
  const listLookups = () => running.requests().flatMap(toWords);
  return { ...running, provider, listLookups };
}

const PRIVATE = "/asia/private-markets/v1";
const TAXONOMY = "/asia/industry-taxonomies/v1";

export const isPost = ({ path }: Received): boolean => path === `${PRIVATE}/financials`;
export const isSearch = ({ path, query }: Received): boolean =>
  path === `${PRIVATE}/companies` && query.get("identifier") !== null;

function toWords(request: Received): string[] {
  const { path, query, body } = request;
  if (isPost(request)) {
    const { identifiers = [], companyIds = [] } = body as { identifiers?: string[]; companyIds?: string[] };
    return [`POST ${[...identifiers, ...companyIds].join(",")}`];
  }
  if (isSearch(request)) return [`search ${query.get("country")} ${query.get("identifier")}`];
  if (path === `${PRIVATE}/companies` || path === `${TAXONOMY}/companies`) return [];
  return [path.replace(PRIVATE, "").replace(TAXONOMY, "/taxonomy")];
}

function answer(provider: TwoCountries, request: Received): Answering | undefined {
  const { path, query } = request;
  const { companies } = provider;
  if (path === `${PRIVATE}/financials`) return toPage(listSelected(companies, request.body).map(toFinancials), request);
  if (path === `${PRIVATE}/companies`) return toPage(listFiltered(companies, query).map(toCompany), request, provider);
  if (path === `${TAXONOMY}/companies`) return toPage([], request);
  const company = companies.find(({ id }) => id === path.split("/").at(-1));
  if (company === undefined) return undefined;
  if (path.startsWith(`${PRIVATE}/companies/`)) return { json: toCompany(company) };
  if (path.startsWith(`${TAXONOMY}/companies/`)) return { json: { companyId: company.id, tickerSymbol: company.name } };
  return company.revenue === null ? undefined : { json: toFinancials(company) };
}

/** The union of both lists (§4.2), without companies that have no financials. */
function listSelected(companies: readonly TestCompany[], body: unknown): TestCompany[] {
  const { identifiers = [], companyIds = [] } = body as { identifiers?: string[]; companyIds?: string[] };
  return companies.filter(
    ({ id, number, revenue }) =>
      revenue !== null && (companyIds.includes(id) || identifiers.includes(String(number).trim())),
  );
}

function listFiltered(companies: readonly TestCompany[], query: URLSearchParams): TestCompany[] {
  const [country, identifier] = [query.get("country"), query.get("identifier")];
  return companies
    .filter((company) => country === "ALL" || company.country === country)
    .filter(({ number, otherId }) => identifier === null || [String(number).trim(), otherId].includes(identifier));
}

function toPage(all: readonly unknown[], { query }: Received, { cap } = { cap: 1_000 }): Answering {
  const [page, listLookups] = [Number(query.get("page") ?? 1), Number(query.get("page_size") ?? 25)];
  const pageSize = Math.min(cap, listLookups);
  return { json: { data: all.slice((page - 1) * pageSize, page * pageSize), page, pageSize, total: all.length } };
}

const toCompany = ({ id, number, name, country, city }: TestCompany) => ({
  id,
  registrationNumber: number,
  companyName: name,
  registeredAddress: { city, country },
  representatives: [],
});

function toFinancials({ id, revenue }: TestCompany) {
  const metrics = [{ name: "Revenue", value: revenue }];
  const statements = [{ statementType: "INCOME_STATEMENT", consolidationType: "CONSOLIDATED", metrics }];
  return { companyId: id, years: [2022, 2023].map((year) => ({ year, periodType: "ANNUAL", statements })) };
}
