import { toCompanyKey } from "../../client/ids";
import { type Row, readText } from "../decode";

/** The data families that list companies with their names (§4.2, §4.3). */
export const NAME_SOURCES = ["taxonomy", "private"] as const;

export type NameSource = (typeof NAME_SOURCES)[number];

/** The columns of the index, in this order; a missing value is an empty text. Never contact data of persons. */
export const NAME_COLUMNS = [
  "companyId",
  "companyName",
  "companyFormalName",
  "companyLegalName",
  "companyEnglishName",
  "companyInformalName",
  "tickerSymbol",
  "registrationNumber",
  "countryCode",
  "families",
  "exchangeCode",
  "city",
  "website",
  "industry",
] as const;

type NameColumn = (typeof NAME_COLUMNS)[number];

/** A company of the index: the values of NAME_COLUMNS. */
export type NameRow = readonly string[];

const COLUMN = Object.fromEntries(NAME_COLUMNS.map((name, index) => [name, index])) as Record<NameColumn, number>;

/** Picks a column's value; an empty text where there is none. */
export const pickColumn = (row: NameRow, column: NameColumn): string => row[COLUMN[column]] ?? "";

/** The names a company is found by, each once. */
export function listNames(row: NameRow): string[] {
  const names = row.slice(COLUMN.companyName, COLUMN.companyInformalName + 1);
  return [...new Set(names)].filter((name) => name !== "");
}

/** The codes a company is found by: its ticker, alone and behind its exchange's code, and its registration number. */
export function listCodes(row: NameRow): string[] {
  const [ticker, exchange] = [pickColumn(row, "tickerSymbol"), pickColumn(row, "exchangeCode")];
  const qualified = ticker === "" || exchange === "" ? "" : `${exchange}:${ticker}`;
  return [ticker, qualified, pickColumn(row, "registrationNumber")].filter((code) => code !== "");
}

/** Whether the index has a company from a family's data; those of the private-market data alone have financials. */
export const isOf = (row: NameRow, family: NameSource): boolean => pickColumn(row, "families").includes(family);

/** Longer values are cut: one hostile name must not take the memory of a thousand. */
const LONGEST_VALUE = 1_000;

/** Turns an element of a family's list into a row of the index; null where it names no company. */
export function toNameRow(family: NameSource, row: Row, country: string): NameRow | null {
  const texts: Partial<Record<NameColumn, unknown>> =
    family === "taxonomy"
      ? { ...row, companyName: null, registrationNumber: null }
      : { companyId: row.id, companyName: row.companyName, registrationNumber: row.registrationNumber };
  const { country: addressCountry, city } = (row.registeredAddress ?? {}) as Row;
  const countryCode = family === "taxonomy" ? row.countryCode : addressCountry;
  const known = {
    ...texts,
    city,
    website: toHost(readText(family === "taxonomy" ? row.website : row.websiteUrl) ?? ""),
    industry: family === "taxonomy" ? toIndustry(row.taxonomy) : null,
    families: family,
    countryCode: countryCode ?? (country === "ALL" ? null : country),
  };
  const values = NAME_COLUMNS.map((name) => toValue(known[name]));
  return values[COLUMN.companyId] === "" ? null : values;
}

/** Picks the host of a website's address, without "www."; an empty text where there is none. */
export function toHost(address: string): string {
  const [, host = ""] =
    /^\s*(?:https?:\/\/)?(?:www\d?\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d+)?(?:[/?#].*)?\s*$/i.exec(address) ?? [];
  return host.toLowerCase();
}

/** The names of a company's primary sector, sub-sector and industry. */
function toIndustry(entries: unknown): string | null {
  const all: Row[] = Array.isArray(entries)
    ? entries.filter((entry) => typeof entry === "object" && entry !== null)
    : [];
  const { sectorName, subSectorName, industryName } =
    all.find((entry) => entry.isPrimaryIndustry === true) ?? all[0] ?? {};
  const names = [sectorName, subSectorName, industryName].filter((name) => typeof name === "string");
  return names.join(" / ") || null;
}

/** Codes come as numbers too. */
function toValue(value: unknown): string {
  const text = typeof value === "number" ? String(value) : readText(value);
  return (text ?? "").slice(0, LONGEST_VALUE);
}

/** Joins rows of one company: each family fills the other's gaps. */
export function mergeRows(rows: Iterable<NameRow>): NameRow[] {
  const merged = new Map<string, NameRow>();
  for (const row of rows) {
    const key = toCompanyKey(pickColumn(row, "companyId"));
    const known = merged.get(key);
    merged.set(key, known === undefined ? row : mergeTwo(known, row));
  }
  return [...merged.values()];
}

function mergeTwo(one: NameRow, other: NameRow): NameRow {
  const families = NAME_SOURCES.filter((family) => isOf(one, family) || isOf(other, family));
  return one.map((value, index) => (index === COLUMN.families ? families.join(", ") : value || (other[index] ?? "")));
}

/** Turns a row of the index into one of a table: without empty values, and named by any name it has. */
export function toTableRow(row: NameRow): Row {
  const known = NAME_COLUMNS.flatMap((name, index) => (row[index] ? [[name, row[index]] as const] : []));
  const [companyName] = listNames(row);
  return { ...Object.fromEntries(known), ...(companyName !== undefined && { companyName }) };
}
