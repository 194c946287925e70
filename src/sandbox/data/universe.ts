import type { TaxonomyCompany } from "../../contract/types";
import { COUNTRIES, type Country, pickCountry } from "./countries";
import { createCompanyId, LISTING_WORD, pickIndexOfId } from "./identifiers";
import {
  type CompanyNames,
  createCompanyNames,
  createListedNames,
  pickCompanyBranches,
  pickListedBranches,
} from "./names";
import { createDraw, hash, PURPOSE } from "./random";
import { createTaxonomyEntries, INDUSTRY_PATHS, pickIndustries } from "./taxonomy";

/** The levels of the tree, by the name of their id. */
const LEVELS = ["sectorId", "subSectorId", "industryId"] as const;
export type Level = (typeof LEVELS)[number];

/** The classified companies: most private ones, then all listed ones, each known by its position. */
export interface Universe {
  /** All positions in ascending order. */
  positions(): readonly number[];
  isListed(position: number): boolean;
  pickCountryCode(position: number): string;
  /** Positions under a node in ascending order, each once; undefined for an id that is unknown at this level. */
  pickMembers(level: Level, nodeId: string): readonly number[] | undefined;
  pickPosition(companyId: string): number | undefined;
  createTaxonomyCompany(position: number): TaxonomyCompany;
}

/** One private company in this many has no classification, except those near the start, which samples are built on. */
const UNCLASSIFIED_EVERY = 25;
const CLASSIFIED_BEFORE = 100;

function createPrivate(seed: number, index: number): TaxonomyCompany {
  const country = pickCountry(index);
  const names = createCompanyNames(seed, index);
  const draw = createDraw(seed, PURPOSE.listing, index, 1);
  return {
    companyId: createCompanyId(seed, "private", index),
    companyFormalName: names.formal,
    companyLegalName: names.shown,
    companyEnglishName: names.english,
    companyInformalName: draw.chance(0.4) ? names.informal : null,
    countryCode: country.code,
    countryName: country.name,
    foundedYear: String(draw.integer(1930, 2014)),
    website: `https://company${index}.${country.websiteSuffix}`,
    tickerSymbol: null,
    exchangeName: null,
    exchangeCode: null,
    exchangeCountry: null,
    listingDate: null,
    isPublic: false,
    isActive: draw.chance(0.97),
    taxonomy: createTaxonomyEntries([seed, LISTING_WORD.private, index], pickCompanyBranches(index)),
  };
}

function createListed(seed: number, index: number): TaxonomyCompany {
  const { country, names, tickerSymbol, listingDate } = createListing(seed, index);
  const draw = createDraw(seed, PURPOSE.listing, index, 2);
  return {
    companyId: createCompanyId(seed, "listed", index),
    companyFormalName: names.formal,
    companyLegalName: names.formal,
    companyEnglishName: names.english,
    companyInformalName: draw.chance(0.5) ? names.informal : null,
    countryCode: country.code,
    countryName: country.name,
    foundedYear: String(draw.integer(1890, 1959)),
    website: `https://listed${index}.${country.websiteSuffix}`,
    tickerSymbol,
    exchangeName: country.exchange.name,
    exchangeCode: country.exchange.code,
    exchangeCountry: country.code,
    listingDate,
    isPublic: true,
    isActive: draw.chance(0.98),
    taxonomy: createTaxonomyEntries([seed, LISTING_WORD.listed, index], pickBranchesOfListed(index)),
  };
}

/** Creates the classified companies, each generated on first use. */
export function createUniverse(seed: number, companies: number): Universe {
  const size = companies + LISTED_COMPANIES;
  const isClassified = (position: number) =>
    position < CLASSIFIED_BEFORE ||
    position >= companies ||
    hash(seed, PURPOSE.classification, position, 77) % UNCLASSIFIED_EVERY !== 0;
  const pickPlaces = (position: number) =>
    position < companies
      ? pickIndustries([seed, LISTING_WORD.private, position], pickCompanyBranches(position))
      : pickIndustries([seed, LISTING_WORD.listed, position - companies], pickBranchesOfListed(position - companies));
  let all: readonly number[] | undefined;
  const members = createMembers(size, isClassified, pickPlaces);
  return {
    positions() {
      all ??= Array.from({ length: size }, (_, position) => position).filter(isClassified);
      return all;
    },
    isListed: (position) => position >= companies,
    pickCountryCode: (position) =>
      (position < companies ? pickCountry(position) : pickListedCountry(position - companies)).code,
    pickMembers: members,
    pickPosition(companyId) {
      const index = pickIndexOfId(seed, "private", companyId);
      if (index !== undefined) return index < companies && isClassified(index) ? index : undefined;
      const listed = pickIndexOfId(seed, "listed", companyId);
      return listed !== undefined && listed < LISTED_COMPANIES ? companies + listed : undefined;
    },
    createTaxonomyCompany: (position) =>
      position < companies ? createPrivate(seed, position) : createListed(seed, position - companies),
  };
}

const toKey = (level: Level, nodeId: string) => `${level} ${nodeId}`;

/** The members of each node, counted once over all companies on first use. */
function createMembers(
  size: number,
  isClassified: (position: number) => boolean,
  pickPlaces: (position: number) => number[],
): Universe["pickMembers"] {
  let byNode: Map<string, number[]> | undefined;
  const count = () => {
    const lists = new Map<string, number[]>();
    const nodes = INDUSTRY_PATHS.map((path) =>
      LEVELS.map((level) => {
        const list = lists.get(toKey(level, path[level])) ?? [];
        lists.set(toKey(level, path[level]), list);
        return list;
      }),
    );
    for (let position = 0; position < size; position += 1) {
      if (!isClassified(position)) continue;
      for (const place of pickPlaces(position)) {
        for (const list of nodes[place]!) if (list.at(-1) !== position) list.push(position);
      }
    }
    return lists;
  };
  return (level, nodeId) => {
    byNode ??= count();
    return byNode.get(toKey(level, nodeId));
  };
}

/** Listed companies of Japan, which are the ranked ones; they have the lowest indexes. */
export const RANKED_COMPANIES = 4_000;

const LISTED_ELSEWHERE = 60;

/** All listed companies. */
export const LISTED_COMPANIES = RANKED_COMPANIES + (COUNTRIES.length - 1) * LISTED_ELSEWHERE;

/** The facts that a listing adds to a company. */
export interface Listing {
  country: Country;
  names: CompanyNames;
  /** Null for a few whose ticker is unknown. */
  tickerSymbol: string | null;
  listingDate: string | null;
  headquarters: string;
}

/** The country of a listed company, and how many of the same country come before it. */
function pickPlace(index: number): { country: Country; ordinal: number } {
  if (index < RANKED_COMPANIES) return { country: COUNTRIES[0]!, ordinal: index };
  const rest = index - RANKED_COMPANIES;
  return { country: COUNTRIES[1 + Math.floor(rest / LISTED_ELSEWHERE)]!, ordinal: rest % LISTED_ELSEWHERE };
}

/** The country of the listed company with this index. */
function pickListedCountry(index: number): Country {
  return pickPlace(index).country;
}

/** The branches the name of a listed company speaks of. */
export function pickBranchesOfListed(index: number): readonly string[] {
  const { country, ordinal } = pickPlace(index);
  return pickListedBranches(country, ordinal);
}

/** Four digits in Japan, as there; letters elsewhere. The step keeps tickers of one country apart. */
function createTicker(country: Country, ordinal: number): string {
  if (country.code === "JPN") return String(1301 + ((ordinal * 1597) % 8000));
  const letters = [ordinal % 26, Math.floor(ordinal / 26) % 26, (ordinal * 7) % 26];
  return country.code.slice(0, 1) + letters.map((letter) => String.fromCharCode(65 + letter)).join("");
}

/** The listed company with this index. */
export function createListing(seed: number, index: number): Listing {
  const { country, ordinal } = pickPlace(index);
  const draw = createDraw(seed, PURPOSE.listing, index);
  const year = draw.integer(1960, 2022);
  const month = String(draw.integer(1, 12)).padStart(2, "0");
  return {
    country,
    names: createListedNames(seed, index, country, ordinal),
    tickerSymbol: draw.chance(0.01) ? null : createTicker(country, ordinal),
    listingDate: draw.chance(0.03) ? null : `${year}-${month}-${String(draw.integer(1, 28)).padStart(2, "0")}`,
    headquarters: draw.pick(country.cities),
  };
}
