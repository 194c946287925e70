import { COUNTRIES, type Country } from "./countries";
import { type CompanyNames, createListedNames, pickListedSubSector } from "./names";
import { createDraw, PURPOSE } from "./random";

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
export function pickListedCountry(index: number): Country {
  return pickPlace(index).country;
}

/** The sub-sector the name of a listed company speaks of. */
export function pickSubSectorOfListed(index: number): string {
  const { country, ordinal } = pickPlace(index);
  return pickListedSubSector(country, ordinal);
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
