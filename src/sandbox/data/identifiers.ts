import { pickCountry } from "./countries";
import { hash, PURPOSE } from "./random";

/** Companies and listed companies are counted apart; both counts are folded into the ids. */
type Listing = "private" | "listed";

/** Indexes below this can be told from a registration number. */
export const COMPANIES_LIMIT = 1_000_000;

/** Sets what is drawn for one family apart from what is drawn for the other. */
export const LISTING_WORD: Record<Listing, number> = { private: 1, listed: 2 };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0").slice(-digits);

/**
 * The id of a company, shaped as a UUID of version 4.
 * The index is folded into the last 32 bits, so that 200,000 ids are found again without a table.
 */
export function createCompanyId(seed: number, family: Listing, index: number): string {
  const word = LISTING_WORD[family];
  const first = hash(seed, PURPOSE.id, word, index);
  const second = hash(seed, PURPOSE.id, word, index, 1);
  const last = (index ^ hash(seed, PURPOSE.id, word, first)) >>> 0;
  const variant = (8 + (second & 3)).toString(16);
  const tail = hash(seed, PURPOSE.id, word, index, 2);
  return [
    hex(first, 8),
    hex(second >>> 16, 4),
    `4${hex(second >>> 4, 3)}`,
    `${variant}${hex(tail, 3)}`,
    `${hex(tail >>> 16, 4)}${hex(last, 8)}`,
  ].join("-");
}

/** The index behind an id in any case, or undefined when no company of the family could have it. */
export function pickIndexOfId(seed: number, family: Listing, id: string): number | undefined {
  const lower = id.toLowerCase();
  if (!UUID.test(lower)) return undefined;
  const first = Number.parseInt(lower.slice(0, 8), 16);
  const index = (Number.parseInt(lower.slice(-8), 16) ^ hash(seed, PURPOSE.id, LISTING_WORD[family], first)) >>> 0;
  return createCompanyId(seed, family, index) === lower ? index : undefined;
}

const STEP = 387_413;
const OFFSET = 52_711;
/** The inverse of STEP modulo COMPANIES_LIMIT: STEP * BACK leaves 1. */
const BACK = 308_477;

const scramble = (index: number) => (index * STEP + OFFSET) % COMPANIES_LIMIT;
const unscramble = (code: number) => ((code + COMPANIES_LIMIT - OFFSET) * BACK) % COMPANIES_LIMIT;

/** The check digit of a Japanese corporate number of 12 digits. */
function pickCheckDigit(digits: string): number {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 2), 0);
  return 9 - (sum % 9);
}

const digitsOf = (value: number, count: number) => String(value).padStart(count, "0").slice(-count);

/** How each country writes a registration number: six digits carry the index, the rest is drawn. */
const FORMATS: Record<string, (code: string, drawn: number) => string> = {
  JPN: (code, drawn) => {
    const digits = `${10 + (drawn % 90)}01${digitsOf(drawn >>> 8, 2)}${code}`;
    return `${pickCheckDigit(digits)}${digits}`;
  },
  SGP: (code, drawn) => `${1990 + (drawn % 33)}${code}${"ACDEGHKMNRWZ"[drawn % 12]}`,
  IDN: (code, drawn) => `81${digitsOf(drawn, 5)}${code}`,
  THA: (code, drawn) => `0105${540 + (drawn % 27)}${code}`,
  VNM: (code, drawn) => `03${10 + (drawn % 80)}${code}`,
  PHL: (code, drawn) => `CS20${digitsOf(drawn % 24, 2)}${code}`,
};

/** The registration number of a private company, in the manner of its country. */
export function createRegistrationNumber(seed: number, index: number): string {
  const drawn = hash(seed, PURPOSE.registration, index);
  return FORMATS[pickCountry(index).code]!(digitsOf(scramble(index), 6), drawn);
}

/** The index behind a registration number, or undefined when no company could have it. */
export function pickIndexOfRegistration(seed: number, text: string): number | undefined {
  const code = /(\d{6})[A-Z]?$/.exec(text.trim())?.[1];
  if (code === undefined) return undefined;
  const index = unscramble(Number(code));
  return createRegistrationNumber(seed, index) === text.trim() ? index : undefined;
}
