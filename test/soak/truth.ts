/**
 * The provider's truth. Every number encodes its subject and edition, so that none can pass for another; nothing here
 * knows the client.
 */

/** The kind of a number; a ranking's are per day. */
export const KINDS = ["financial", "employees", "score", "views", "unique"] as const;

export type Kind = (typeof KINDS)[number];

/** The subject of a number: the company or rank, and the year, metric or day. */
export interface Meaning {
  kind: Kind;
  entity: number;
  slot: number;
}

const SLOTS = 10_000;
const ENTITIES = 1_000;
const VERSIONS = 100_000;

export const toNumber = ({ kind, entity, slot }: Meaning, edition: number): number =>
  ((KINDS.indexOf(kind) * ENTITIES + entity) * SLOTS + slot) * VERSIONS + edition;

export const readEdition = (value: number): number => value % VERSIONS;

/** More than POST /financials answers at once, and than a usual page has. */
export const COMPANIES = 30;

export const YEARS = [2019, 2020, 2021, 2022, 2023];

export const METRICS = [
  { statementType: "INCOME_STATEMENT", name: "Revenue" },
  { statementType: "INCOME_STATEMENT", name: "EBIT" },
  { statementType: "BALANCE_SHEET", name: "Total Assets" },
] as const;

export type MetricName = (typeof METRICS)[number]["name"];

export const RANKED = 40;

/** One company in this many is in an industry. */
export const INDUSTRIES = 3;

export const toCompanyId = (company: number): string => `00000000-0000-4000-8000-${String(company).padStart(12, "0")}`;

export const toRegistration = (company: number): string => String(9_000_000 + company);

export const toCompanyName = (company: number): string => `Company ${company}`;

export const toIndustryId = (industry: number): string => `IND${industry}`;

export const industryOf = (company: number): number => company % INDUSTRIES;

export const listCompanies = (): number[] => Array.from({ length: COMPANIES }, (_, company) => company);

/** A company without its first year, and some without a metric of a year: absent data must never be a number. */
export const hasYear = (company: number, year: number): boolean => year !== YEARS[0] || company % 5 !== 0;

export const hasMetric = (company: number, year: number, metric: MetricName): boolean =>
  hasYear(company, year) && YEARS.includes(year) && (metric !== "EBIT" || (company + year) % 7 !== 0);

export const toFinancial = (company: number, year: number, metric: MetricName): Meaning => ({
  kind: "financial",
  entity: company,
  slot: (year - 1900) * 10 + METRICS.findIndex(({ name }) => name === metric),
});

const DAY_MS = 86_400_000;

/** A ranking's number belongs to the first day of its range. */
export const toViews = (kind: "views" | "unique", rank: number, start: string): Meaning => ({
  kind,
  entity: rank,
  slot: (Date.parse(`${start.slice(0, 10)}T00:00:00Z`) / DAY_MS) % SLOTS,
});
