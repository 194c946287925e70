import { decodeObjects, type Row, readText } from "../../feed/decode";
import { COMPANY_FIELDS, TAXONOMY_FIELDS, toReadable } from "../../feed/field-tables";
import { type Field, pickField } from "../../feed/fields";
import { readEntries } from "../../feed/taxonomies/companies";
import type { Texts } from "../texts";

/** A field's name and value, both to be read. */
export interface Fact {
  name: string;
  value: string;
}

const PROFILE = [
  "companyName",
  "businessDescription",
  "legalStructure",
  "dateOfRegistration",
  "registrationNumber",
  "registeredAddress",
  "websiteUrl",
  "telephoneNumber",
];

const EMPLOYEES = ["nonConsolidated", "consolidated"].flatMap((kind) =>
  ["employeeCount", "numberOfOfficers", "employeeRange"].map((field) => `employees.${kind}.${field}`),
);

const LISTING = [
  "companyFormalName",
  "companyLegalName",
  "companyEnglishName",
  "companyInformalName",
  "countryName",
  "foundedYear",
  "isPublic",
  "tickerSymbol",
  "exchangeName",
  "listingDate",
  "isActive",
  "website",
];

/** What a private company's record says (§2.2). */
export interface Profile {
  company: readonly Fact[];
  /** Representatives by name and role: never with what would reach the person herself. */
  people: readonly Fact[];
  employees: readonly Fact[];
}

/** @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export const readProfile = (row: Row, texts: Texts): Profile => ({
  company: listFacts(row, PROFILE, COMPANY_FIELDS, texts),
  people: listPeople(row),
  employees: listFacts(row, EMPLOYEES, COMPANY_FIELDS, texts),
});

/** What a classified company's record says (§2.4). */
export interface Listing {
  company: readonly Fact[];
  /** The primary one first. */
  classifications: readonly Classification[];
}

/** A classification of a company as a way down the tree. */
interface Classification {
  key: string;
  text: string;
  isPrimary: boolean;
}

/** @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export const readListing = (record: Row, texts: Texts): Listing => ({
  company: listFacts(record, LISTING, TAXONOMY_FIELDS, texts),
  classifications: listClassifications(record),
});

function listFacts(row: Row, names: readonly string[], fields: readonly Field[], texts: Texts): Fact[] {
  return names.flatMap((name) => {
    const value = toShown(pickField(row, name), texts);
    const label = texts.ofFind.fields[name] ?? fields.find((field) => field.name === name)?.header ?? name;
    return value === "" ? [] : [{ name: label, value }];
  });
}

function toShown(value: unknown, { language, ofFind }: Texts): string {
  if (typeof value === "boolean") return value ? ofFind.yes : ofFind.no;
  if (typeof value === "number") return value.toLocaleString(language);
  if (typeof value === "object" && value !== null) return toAddress(value as Row);
  return readText(value) ?? "";
}

/** An address as one text, in the order in which the provider writes it. */
function toAddress({ line1, line2, city, postalCode, country }: Row): string {
  const place = [city, postalCode].flatMap((part) => readText(part) ?? []).join(" ");
  return [line1, line2, place, country].flatMap((part) => readText(part) ?? []).join(", ");
}

function listPeople(row: Row): Fact[] {
  return decodeObjects(row.representatives ?? [], "list of representatives").flatMap(({ fullName, role }) => {
    const name = readText(fullName);
    return name === null ? [] : [{ name, value: toReadable(readText(role) ?? "") }];
  });
}

function listClassifications(record: Row): Classification[] {
  const entries = readEntries(record).map((entry) => {
    const names = [entry.sectorName, entry.subSectorName, entry.industryName].flatMap((name) => readText(name) ?? []);
    return { key: JSON.stringify(entry), text: names.join(" › "), isPrimary: entry.isPrimaryIndustry === true };
  });
  return entries.sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary));
}
