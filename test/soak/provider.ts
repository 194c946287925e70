import type { Answering, Received } from "../support/http-server";
import {
  COMPANIES,
  hasMetric,
  hasYear,
  INDUSTRIES,
  industryOf,
  listCompanies,
  METRICS,
  RANKED,
  toCompanyId,
  toCompanyName,
  toFinancial,
  toIndustryId,
  toNumber,
  toRegistration,
  toViews,
  YEARS,
} from "./truth";

export interface Edition {
  /** Counts the changes of its numbers. */
  edition: number;
  /** The most rows of a page. */
  pageCap: number;
}

const PRIVATE_MARKETS = "/asia/private-markets/v1";
const TAXONOMIES = "/asia/industry-taxonomies/v1";

/** Answers a data request as the API document says; 404 for anything unknown. */
export function answerData(request: Received, path: string, now: Edition): Answering {
  const { query } = request;
  const [, id = ""] = /\/companies\/([^/]+)$/.exec(path) ?? [];
  const company = listCompanies().find((each) => toCompanyId(each) === id.toLowerCase());
  if (path === `${PRIVATE_MARKETS}/financials`) return { json: toPostAnswer(request, now) };
  if (path === `${PRIVATE_MARKETS}/companies`) return { json: toPage(searchCompanies(query, now), query, now) };
  if (path === `${TAXONOMIES}/tree`) return { json: toTree() };
  if (path.startsWith("/japan/ranking/v1/companies")) return { json: toPage(toRanking(query, now), query, now) };
  const [, industry] = /\/industries\/IND(\d+)\/companies$/.exec(path) ?? [];
  if (industry !== undefined) return { json: toPage(listClassified(Number(industry), now), query, now) };
  if (company === undefined) return { status: 404, json: { message: "There is no such company." } };
  if (path.startsWith(`${PRIVATE_MARKETS}/financials`)) return { json: toFinancials(company, toYear(query), now) };
  return { json: path.startsWith(TAXONOMIES) ? toClassified(company, now) : toRecord(company, now) };
}

const toYear = (query: URLSearchParams): number | null => (query.has("year") ? Number(query.get("year")) : null);

function toPage(rows: readonly unknown[], query: URLSearchParams, { pageCap }: Edition) {
  const page = Number(query.get("page") ?? 1);
  const pageSize = Math.min(Number(query.get("page_size") ?? 25), pageCap);
  return { data: rows.slice((page - 1) * pageSize, page * pageSize), page, pageSize, total: rows.length };
}

function toPostAnswer({ body }: Received, now: Edition) {
  const { companyIds = [], identifiers = [], year = null } = body as Record<string, never>;
  const [ids, numbers]: readonly string[][] = [companyIds, identifiers];
  const requested = listCompanies().filter(
    (company) => ids?.includes(toCompanyId(company)) || numbers?.includes(toRegistration(company)),
  );
  const data = requested.slice(0, now.pageCap).map((company) => toFinancials(company, year, now));
  return { data, page: 1, pageSize: 25, total: requested.length };
}

function toFinancials(company: number, year: number | null, now: Edition) {
  const years = YEARS.filter((each) => hasYear(company, each) && (year === null || year === each));
  return { companyId: toCompanyId(company), years: years.map((each) => toFiscalYear(company, each, now)) };
}

function toFiscalYear(company: number, year: number, { edition }: Edition) {
  const types = [...new Set(METRICS.map(({ statementType }) => statementType))];
  const statements = types.map((statementType) => {
    const named = METRICS.filter((metric) => metric.statementType === statementType);
    const metrics = named
      .filter(({ name }) => hasMetric(company, year, name))
      .map(({ name }) => ({ name, value: toNumber(toFinancial(company, year, name), edition) }));
    return { statementType, consolidationType: "CONSOLIDATED", metrics };
  });
  return { year, currency: "JPY", periodType: "ANNUAL", period: "FY4", financialType: "FULL", statements };
}

function searchCompanies(query: URLSearchParams, now: Edition) {
  const identifier = query.get("identifier");
  const found = listCompanies().filter((company) => identifier === null || toRegistration(company) === identifier);
  return found.map((company) => toRecord(company, now));
}

const toRecord = (company: number, { edition }: Edition) => ({
  id: toCompanyId(company),
  registrationNumber: toRegistration(company),
  companyName: toCompanyName(company),
  employees: {
    nonConsolidated: { employeeCount: toNumber({ kind: "employees", entity: company, slot: 0 }, edition) },
    consolidated: null,
  },
});

const toNode = (industry: number) => ({ industryId: toIndustryId(industry), industryName: `Industry ${industry}` });

const toTree = () => {
  const industries = Array.from({ length: INDUSTRIES }, (_, industry) => toNode(industry));
  const subSectors = [{ subSectorId: "SUB", subSectorName: "Sub-sector", industries }];
  return [{ sectorId: "SEC", sectorName: "Sector", subSectors }];
};

const listClassified = (industry: number, now: Edition) =>
  listCompanies()
    .filter((company) => industryOf(company) === industry)
    .map((company) => toClassified(company, now));

const toClassified = (company: number, { edition }: Edition) => ({
  companyId: toCompanyId(company),
  companyEnglishName: toCompanyName(company),
  countryCode: "JPN",
  isPublic: false,
  taxonomy: [
    {
      ...{ sectorId: "SEC", sectorName: "Sector", subSectorId: "SUB", subSectorName: "Sub-sector" },
      ...toNode(industryOf(company)),
      isPrimaryIndustry: true,
      analystMapped: true,
      score: toNumber({ kind: "score", entity: company, slot: 0 }, edition),
    },
  ],
});

function toRanking(query: URLSearchParams, { edition }: Edition) {
  const start = query.get("start_datetime") ?? "";
  return Array.from({ length: RANKED }, (_, rank) => ({
    companyName: toCompanyName(COMPANIES + rank),
    tickerSymbol: String(1_000 + rank),
    headquarters: "Tokyo",
    totalPageViews: toNumber(toViews("views", rank, start), edition),
    totalUniquePageViews: toNumber(toViews("unique", rank, start), edition),
    engagementTime: null,
  }));
}
