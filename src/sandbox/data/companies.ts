import type { Company, Employees, IndustryClassification, Representative } from "../../contract/types";
import { type Country, pickCountry } from "./countries";
import {
  createCompanyId,
  createRegistrationNumber,
  LISTING_WORD,
  pickIndexOfId,
  pickIndexOfRegistration,
} from "./identifiers";
import { createCompanyNames, createPersonName, pickCompanyBranches } from "./names";
import { createDraw, type Draw, PURPOSE } from "./random";
import { INDUSTRY_PATHS, pickIndustries } from "./taxonomy";

const ROLES = ["DIRECTOR", "DIRECTOR", "REPRESENTATIVE_DIRECTOR", "CHAIR", "AUDITOR"];

/** Companies before this index have every field, so that samples near the start are complete. */
const COMPLETE_BEFORE = 20;

function createDate(draw: Draw, fromYear: number, toYear: number): string {
  const day = draw.integer(Date.UTC(fromYear, 0, 1) / 86_400_000, Date.UTC(toYear, 11, 31) / 86_400_000);
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

const createTimestamp = (draw: Draw, fromYear: number, toYear: number) =>
  `${createDate(draw, fromYear, toYear)}T${String(draw.integer(0, 23)).padStart(2, "0")}:15:30Z`;

function createRepresentatives(seed: number, index: number, country: Country): Representative[] {
  const draw = createDraw(seed, PURPOSE.people, index);
  return Array.from({ length: draw.integer(1, 4) }, (_, nth) => ({
    fullName: createPersonName(country.code, draw),
    role: draw.pick(ROLES),
    email: `person${nth + 1}@company${index}.example`,
    phone: `${country.phonePrefix}-0000-${String(draw.integer(0, 9999)).padStart(4, "0")}`,
    dob: createDate(draw, 1945, 1990),
  }));
}

const RANGES: readonly (readonly [number, string])[] = [
  [10, "1-10"],
  [50, "11-50"],
  [200, "51-200"],
  [1000, "201-1000"],
  [Number.POSITIVE_INFINITY, "1001+"],
];

function createEmployees(draw: Draw): Employees {
  const count = Math.max(1, Math.round(60 * Math.exp(1.3 * draw.bell())));
  const updatedAt = createTimestamp(draw, 2023, 2025);
  const counted = (employeeCount: number) => ({
    employeeCount,
    numberOfOfficers: draw.integer(1, 12),
    employeeRange: draw.chance(0.5) ? null : RANGES.find(([upTo]) => employeeCount <= upTo)![1],
    updatedAt,
  });
  return {
    employeeCountType: draw.chance(0.8) ? "REPORTED" : "ESTIMATED",
    nonConsolidated: draw.chance(0.9) ? counted(count) : null,
    consolidated: draw.chance(0.25) ? counted(Math.round(count * draw.between(1.1, 3))) : null,
  };
}

function createIndustryClassifications(seed: number, index: number): IndustryClassification[] {
  const paths = pickIndustries([seed, LISTING_WORD.private, index], pickCompanyBranches(index)).map(
    (place) => INDUSTRY_PATHS[place]!,
  );
  const codes = paths.map(({ industryId, industryName }) => ({ code: industryId.slice(3), description: industryName }));
  return [{ standard: "SAMPLE_ISIC", codes }];
}

/** Fields that may be missing: the API document shows no nulls here, so an unknown value is a missing field. */
const SOMETIMES_MISSING = [
  "businessDescription",
  "telephoneNumber",
  "websiteUrl",
  "employees",
  "representatives",
] as const;

/** The private company with this index (§2.2). */
export function createCompany(seed: number, index: number): Company {
  const country = pickCountry(index);
  const names = createCompanyNames(seed, index);
  const draw = createDraw(seed, PURPOSE.profile, index);
  const line2 = draw.chance(0.5) ? `${draw.integer(1, 30)}F Sample Tower` : "";
  const city = draw.pick(country.cities);
  const postalCode = String(draw.integer(10000, 99999));
  const company: Company = {
    id: createCompanyId(seed, "private", index),
    registrationNumber: createRegistrationNumber(seed, index),
    companyName: names.shown,
    businessDescription: `${names.informal} ${names.activity}.`,
    registeredAddress: {
      line1: `${draw.integer(1, 99)} Example Street`,
      line2,
      city,
      country: country.code,
      postalCode,
    },
    isCompanyHqInAddressCountry: draw.chance(0.92),
    telephoneNumber: `${country.phonePrefix}-0000-${String(draw.integer(0, 9999)).padStart(4, "0")}`,
    websiteUrl: `https://company${index}.${country.websiteSuffix}`,
    representatives: createRepresentatives(seed, index, country),
    legalStructure: draw.pick(country.legalStructures),
    dateOfRegistration: createDate(draw, 1930, 2014),
    createdAt: createTimestamp(draw, 2019, 2022),
    updatedAt: createTimestamp(draw, 2023, 2025),
    employees: createEmployees(draw),
    industryClassifications: createIndustryClassifications(seed, index),
  };
  for (const field of SOMETIMES_MISSING) if (draw.chance(0.08) && index >= COMPLETE_BEFORE) delete company[field];
  return company;
}

/** The fields companies can be sorted by. */
const SORT_KEYS: Record<string, (seed: number, index: number) => string> = {
  companyName: (seed, index) => createCompanyNames(seed, index).shown,
  registrationNumber: createRegistrationNumber,
};

/** The supported orders: each field, with a minus in front for descending. */
export const SORT_ORDERS: readonly string[] = Object.keys(SORT_KEYS).flatMap((field) => [field, `-${field}`]);

/** Finds private companies by country, id and registration number. */
export interface CompanyIndex {
  /** Indexes in the order given, or in that of the data. */
  pickIndexes(countries: ReadonlySet<string> | "ALL", order: string | undefined): readonly number[];
  /** The index behind a company id in any case. */
  pickById(id: string): number | undefined;
  pickByRegistration(registrationNumber: string): number | undefined;
}

/** Creates the index of private companies; each list is made on first use and memoised. */
export function createCompanyIndex(seed: number, companies: number): CompanyIndex {
  const lists = new Map<string, readonly number[]>();
  const memoise = (key: string, create: () => readonly number[]) => {
    const list = lists.get(key) ?? create();
    lists.set(key, list);
    return list;
  };
  const all = () => memoise("all", () => Array.from({ length: companies }, (_, index) => index));
  const pickOrdered = (order: string | undefined) =>
    order === undefined ? all() : memoise(order, () => sortIndexes(seed, all(), order));
  const within = (index: number | undefined) => (index !== undefined && index < companies ? index : undefined);
  return {
    pickIndexes(countries, order) {
      if (countries === "ALL") return pickOrdered(order);
      const key = JSON.stringify([order, ...countries]);
      return memoise(key, () => pickOrdered(order).filter((index) => countries.has(pickCountry(index).code)));
    },
    pickById: (id) => within(pickIndexOfId(seed, "private", id)),
    pickByRegistration: (registrationNumber) => within(pickIndexOfRegistration(seed, registrationNumber)),
  };
}

/** Sorts by code units, so that the order is the same on every machine; equal names stay in the order of the data. */
function sortIndexes(seed: number, indexes: readonly number[], order: string): readonly number[] {
  const readKey = SORT_KEYS[order.replace("-", "")]!;
  const keys = indexes.map((index) => readKey(seed, index));
  const sign = order.startsWith("-") ? -1 : 1;
  return [...indexes].sort((left, right) => {
    if (keys[left]! === keys[right]!) return left - right;
    return keys[left]! < keys[right]! ? -sign : sign;
  });
}
