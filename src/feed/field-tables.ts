import { findClosest } from "../client/closest";
import { PAGE_TYPES } from "../contract/parameter-values";
import type { Row } from "./decode";
import { type Field, type FieldKind, isCalled, isMeasure, pickField, unwind } from "./fields";
import { toName } from "./financials/names";

const field = (kind: FieldKind) => (name: string, header: string) => ({ name, header, kind }) satisfies Field;
const text = field("text");
const number = field("number");
/** A number with separators. */
const amount = (name: string, header: string, format = "#,##0") => ({ ...number(name, header), format });
const flag = field("flag");
const day = field("day");
const moment = field("moment");
const list = field("list");
const object = field("object");

/** A representative's own contact data: shown only where its field is named. */
const personal = (kind: FieldKind, name: string, header: string): Field => ({ name, header, kind, isPersonal: true });

const EMPLOYEE_COUNTS = [
  ["nonConsolidated", "non-consolidated"],
  ["consolidated", "consolidated"],
] as const;

/** Fields of a private company (§2.2). */
export const COMPANY_FIELDS: readonly Field[] = [
  text("id", "Company id"),
  text("registrationNumber", "Registration number"),
  text("companyName", "Company"),
  text("businessDescription", "Business"),
  object("registeredAddress", "Registered address"),
  text("registeredAddress.line1", "Address line 1"),
  text("registeredAddress.line2", "Address line 2"),
  text("registeredAddress.city", "City"),
  text("registeredAddress.country", "Country"),
  text("registeredAddress.postalCode", "Postal code"),
  flag("isCompanyHqInAddressCountry", "HQ in address country"),
  text("telephoneNumber", "Telephone"),
  text("websiteUrl", "Website"),
  text("legalStructure", "Legal structure"),
  day("dateOfRegistration", "Registered on"),
  moment("createdAt", "Created at (UTC)"),
  moment("updatedAt", "Updated at (UTC)"),
  object("employees", "Employees"),
  text("employees.employeeCountType", "Employee count type"),
  ...EMPLOYEE_COUNTS.flatMap(([name, header]) => [
    object(`employees.${name}`, `Employees: ${header}`),
    amount(`employees.${name}.employeeCount`, `Employees (${header})`),
    amount(`employees.${name}.numberOfOfficers`, `Officers (${header})`),
    text(`employees.${name}.employeeRange`, `Employee range (${header})`),
    moment(`employees.${name}.updatedAt`, `Employees updated at (${header}, UTC)`),
  ]),
  list("representatives", "Representatives"),
  text("representatives.fullName", "Name"),
  text("representatives.role", "Role"),
  personal("text", "representatives.email", "E-mail"),
  personal("text", "representatives.phone", "Phone"),
  personal("day", "representatives.dob", "Born on"),
  list("industryClassifications", "Industry classifications"),
  text("industryClassifications.standard", "Standard"),
  list("industryClassifications.codes", "Codes"),
  text("industryClassifications.codes.code", "Code"),
  text("industryClassifications.codes.description", "Description"),
];

/** What a table of companies shows when no fields are named. */
export const COMPANY_COLUMNS: readonly string[] = [
  "id",
  "registrationNumber",
  "companyName",
  "registeredAddress.city",
  "registeredAddress.country",
  "legalStructure",
  "dateOfRegistration",
  "websiteUrl",
  "employees.nonConsolidated.employeeCount",
];

/** Fields of a company's representatives, each in a row with its company. */
export const OFFICER_FIELDS: readonly Field[] = COMPANY_FIELDS.filter(
  ({ name }) => name === "id" || name === "companyName" || name.startsWith("representatives."),
);

/** What a table of representatives shows when no fields are named. */
export const OFFICER_COLUMNS: readonly string[] = ["companyName", "representatives.fullName", "representatives.role"];

/** Fields of a number of a company's financials (§2.3), with what the company's cell held first. */
export const FINANCIAL_FIELDS: readonly Field[] = [
  text("company", "Company"),
  text("companyId", "Company id"),
  number("years.year", "Year"),
  text("years.currency", "Currency"),
  text("years.periodType", "Period type"),
  text("years.period", "Period"),
  number("years.periodYear", "Period year"),
  day("years.financialPeriodStart", "Period start"),
  day("years.financialPeriodEnd", "Period end"),
  text("years.financialType", "Financial type"),
  text("years.statements.statementType", "Statement"),
  text("years.statements.consolidationType", "Consolidation"),
  text("years.statements.metrics.name", "Metric"),
  number("years.statements.metrics.value", "Value"),
];

const entryFields = (path: string, prefix: string): Field[] => [
  text(`${path}.sectorId`, `${prefix}Sector id`),
  text(`${path}.sectorName`, `${prefix}Sector`),
  text(`${path}.subSectorId`, `${prefix}Sub-sector id`),
  text(`${path}.subSectorName`, `${prefix}Sub-sector`),
  text(`${path}.industryId`, `${prefix}Industry id`),
  text(`${path}.industryName`, `${prefix}Industry`),
  flag(`${path}.isPrimaryIndustry`, `${prefix}Primary industry`),
  flag(`${path}.analystMapped`, `${prefix}Analyst mapped`),
  number(`${path}.score`, `${prefix}Score`),
];

/** Fields of a classified company (§2.4): `taxonomy` is the classification of its row, `primary` always the primary one. */
export const TAXONOMY_FIELDS: readonly Field[] = [
  text("companyId", "Company id"),
  text("companyFormalName", "Formal name"),
  text("companyLegalName", "Legal name"),
  text("companyEnglishName", "English name"),
  text("companyInformalName", "Informal name"),
  text("countryCode", "Country"),
  text("countryName", "Country name"),
  text("foundedYear", "Founded"),
  text("website", "Website"),
  text("tickerSymbol", "Ticker"),
  text("exchangeName", "Exchange"),
  text("exchangeCode", "Exchange code"),
  text("exchangeCountry", "Exchange country"),
  day("listingDate", "Listed on"),
  flag("isPublic", "Public"),
  flag("isActive", "Active"),
  ...entryFields("taxonomy", ""),
  ...entryFields("primary", "Primary: "),
];

/** Fields of a company's peers: "primary" where its own primary classification is the shared one, else "other". */
export const PEER_FIELDS: readonly Field[] = [...TAXONOMY_FIELDS, text("matchedBy", "Matched by")];

/** What a table of classified companies shows when no fields are named. */
export const TAXONOMY_COLUMNS: readonly string[] = [
  "companyId",
  "companyFormalName",
  "companyEnglishName",
  "tickerSymbol",
  "countryCode",
  "isPublic",
  "taxonomy.sectorName",
  "taxonomy.subSectorName",
  "taxonomy.industryName",
];

/** Fields of a company in the local index of names, from the lists of both families (§4.2, §4.3). */
export const NAME_FIELDS: readonly Field[] = [
  text("companyId", "Company id"),
  text("companyName", "Company"),
  text("companyFormalName", "Formal name"),
  text("companyLegalName", "Legal name"),
  text("companyEnglishName", "English name"),
  text("companyInformalName", "Informal name"),
  text("tickerSymbol", "Ticker"),
  text("registrationNumber", "Registration number"),
  text("countryCode", "Country"),
  text("families", "Data families"),
];

/** Fields of a company that a name of a list means, and how certain that is. */
export const MATCH_FIELDS: readonly Field[] = [
  ...NAME_FIELDS,
  text("state", "Match"),
  number("score", "Score"),
  text("reason", "Reason"),
  text("closestId", "Closest company id"),
  text("closestName", "Closest company"),
  text("candidates", "Candidates"),
  number("sameAs", "Same company as row"),
];

/** What a table of matched names shows when no fields are named. */
export const MATCH_COLUMNS: readonly string[] = ["companyId", "companyName", "state", "score", "closestName"];

/** What a table of companies found by name shows when no fields are named. */
export const NAME_TABLE_COLUMNS: readonly string[] = [
  "companyId",
  "companyName",
  "companyEnglishName",
  "tickerSymbol",
  "registrationNumber",
  "countryCode",
];

/** Fields of a row of the tree (§2.5). */
export const TREE_FIELDS: readonly Field[] = [
  text("sectorId", "Sector id"),
  text("sectorName", "Sector"),
  text("subSectorId", "Sub-sector id"),
  text("subSectorName", "Sub-sector"),
  text("subSectorDescription", "Sub-sector description"),
  text("industryId", "Industry id"),
  text("industryName", "Industry"),
  text("industryDescription", "Industry description"),
];

const RANK = number("rank", "Rank");
const RANKED_COMPANY = [
  text("companyName", "Company"),
  text("tickerSymbol", "Ticker"),
  text("headquarters", "Headquarters"),
];

const statistics = (path: string, prefix: string): Field[] => [
  amount(`${path}totalPageViews`, `${prefix}page views`),
  amount(`${path}totalUniquePageViews`, `${prefix}unique page views`),
  amount(`${path}engagementTime.avg`, `${prefix}engagement avg (minutes)`, "#,##0.0"),
  amount(`${path}engagementTime.min`, `${prefix}engagement min (minutes)`, "#,##0.0"),
  amount(`${path}engagementTime.max`, `${prefix}engagement max (minutes)`, "#,##0.0"),
];

/** What is counted of page views: over all pages, or within a page type (§2.6). */
export const STATISTIC_FIELDS: readonly Field[] = statistics("", "").map((each) => ({
  ...each,
  header: toCapital(each.header),
}));

/** Fields of a company in the ranking (§2.6), with its position in the provider's order first. */
export const RANKING_FIELDS: readonly Field[] = [RANK, ...RANKED_COMPANY, ...STATISTIC_FIELDS];

/** What a page type is called where its words alone do not read well. */
const PAGE_NAMES: Readonly<Record<string, string>> = { MA: "M&A", KPI_CHARTS: "KPI charts" };

/** A page type's name made readable. */
export const toPageName = (pageType: string): string => PAGE_NAMES[pageType] ?? toReadable(pageType);

/** Fields of one page type's statistics in the ranking by page type (§2.6). */
export const toPageFields = (pageType: string): readonly Field[] =>
  statistics(`pages.${pageType}.`, `${toPageName(pageType)}: `);

/** Fields of a company in the ranking by page type (§2.6): its totals, then the 18 page types. */
export const PAGE_RANKING_FIELDS: readonly Field[] = [
  RANK,
  ...RANKED_COMPANY,
  ...statistics("", "All pages: "),
  ...PAGE_TYPES.flatMap(toPageFields),
];

/** Fields of an industry in the ranking (§2.6). */
export const INDUSTRY_RANKING_FIELDS: readonly Field[] = [
  RANK,
  text("industryId", "Industry id"),
  text("industryName", "Industry"),
  text("industryDescription", "Industry description"),
  text("sectorName", "Sector"),
  text("subSectorName", "Sub-sector"),
  amount("totalPageViews", "Page views"),
  amount("totalUniquePageViews", "Unique page views"),
];

function toCapital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value of the API such as INCOME_STATEMENT made readable. */
export function toReadable(value: string): string {
  return toCapital(value.toLowerCase().replaceAll("_", " "));
}

/**
 * Fields of what two rankings say of a company or industry: those of a ranking, what they were before, and how they
 * changed. `change.rank` counts places gained, and `growth` is a share of the number before.
 */
function toMoverFields(fields: readonly Field[]): readonly Field[] {
  const [rank, ...others] = fields;
  return [
    rank as Field,
    { name: "previous.rank", header: "Previous rank", kind: "number" },
    { name: "change.rank", header: "Places gained", kind: "number" },
    { name: "status", header: "Status", kind: "text" },
    ...others.flatMap((field) => (isMeasure(field) ? toChanges(field) : [field])),
  ];
}

const toChanges = (measure: Field): Field[] => {
  const { name, header } = measure;
  return [
    measure,
    { ...measure, name: `previous.${name}`, header: `Previous ${header.toLowerCase()}` },
    { ...measure, name: `change.${name}`, header: `${header}: change` },
    { name: `growth.${name}`, header: `${header}: growth`, kind: "share" },
  ];
};

/** Fields of a company in two rankings. */
export const COMPANY_MOVER_FIELDS = toMoverFields(RANKING_FIELDS);

/** Fields of an industry in two rankings. */
export const INDUSTRY_MOVER_FIELDS = toMoverFields(INDUSTRY_RANKING_FIELDS);

/** The tables of fields that formulas take, in whose names and headings each of them is understood. */
const TABLES = [COMPANY_FIELDS, PEER_FIELDS, MATCH_FIELDS, TREE_FIELDS, RANKING_FIELDS, INDUSTRY_RANKING_FIELDS].flat();

/** Headings of a company's name as its record has it. */
const NAME_HEADERS = ["Company", "Formal name"].map(toName);

/** Whether two tables have one thing, by its name or its heading; each number is its own, such as a score. */
function isAlike(one: Field, other: Field): boolean {
  if (isCalled(one, other.name)) return true;
  const headers = [one, other].map(({ header }) => toName(header));
  return (one.kind !== "number" && headers[0] === headers[1]) || headers.every((each) => NAME_HEADERS.includes(each));
}

/**
 * Finds the field that a name means: one of the table, any other of the answer, or the one that another table has under
 * this name or heading; where no row can be read, the name may be one of the answer.
 *
 * @returns the field, or the closest known name when there is none
 */
export function findField(name: string, known: readonly Field[], rows: readonly Row[]): Field | { closest: string } {
  const field = known.find((each) => isCalled(each, name));
  if (field !== undefined) return field;
  const has = (row: Row) => unwind(row, name).some((each) => isValue(pickField(each, name)));
  if (rows.some(has)) return { name, header: name, kind: "text" };
  const elsewhere = TABLES.filter((each) => isCalled(each, name));
  const alike = known.find((each) => elsewhere.some((other) => isAlike(each, other)));
  const found = alike ?? (toName(name) === "id" ? known.find(({ header }) => header.endsWith(" id")) : undefined);
  if (found !== undefined) return found;
  const isUnreadable = rows.length > 0 && rows.every((row) => pickField(row, name) instanceof Error);
  if (isUnreadable) return { name, header: name, kind: "text" };
  const names = known.flatMap((each) => [each.name, each.header]);
  const [closest = ""] = findClosest(name, names, Number.POSITIVE_INFINITY);
  return { closest: known.find((each) => isCalled(each, closest))?.name ?? "" };
}

const isValue = (value: unknown): boolean => value !== undefined && !(value instanceof Error);
