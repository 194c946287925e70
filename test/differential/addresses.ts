/** Maps data sets to the API: each country, day, node and company id belongs to one data set. */

export const LIST_KINDS = ["companies", "pages", "industries", "private", "universe", "constituents"] as const;

export type ListKind = (typeof LIST_KINDS)[number];

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2000, 0, 1);

/** The day of a data set's ranking, as "2000-01-31". */
export const toDay = (set: number): string => new Date(FIRST_DAY_MS + set * DAY_MS).toISOString().slice(0, 10);

export const readDay = (dateTime: string): number =>
  Math.round((Date.parse(`${dateTime.slice(0, 10)}T00:00:00Z`) - FIRST_DAY_MS) / DAY_MS);

const LETTERS = 26;
/** Skips codes that begin with A, such as "ALL". */
const FIRST_COUNTRY = LETTERS * LETTERS;

export function toCountry(set: number): string {
  const code = FIRST_COUNTRY + set;
  const digits = [Math.floor(code / LETTERS / LETTERS), Math.floor(code / LETTERS), code].map((each) => each % LETTERS);
  return String.fromCharCode(...digits.map((digit) => 65 + digit));
}

export function readCountry(country: string): number {
  const digits = [...country].map((letter) => letter.charCodeAt(0) - 65);
  return digits.reduce((code, digit) => code * LETTERS + digit, 0) - FIRST_COUNTRY;
}

/** Data sets below this number can be nodes of the taxonomy tree. */
export const NODES = 400;

export const LEVELS = ["industries", "sub-sectors", "sectors"] as const;

/** The node of a data set; its number decides the level. */
export const toNode = (set: number): string => `${["IND", "SUB", "SEC"][set % LEVELS.length]}${set}`;

export const toLevel = (set: number): (typeof LEVELS)[number] => LEVELS[set % LEVELS.length]!;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

export const toCompanyId = (set: number, entity: number): string =>
  `fd${hex(set, 6)}-c0de-4abc-8def-${hex(entity, 12)}`;

export function readCompanyId(id: string): { set: number; entity: number } | undefined {
  const [, set, entity] = /^fd([0-9a-f]{6})-c0de-4abc-8def-([0-9a-f]{12})$/.exec(id.toLowerCase()) ?? [];
  return set && entity ? { set: Number.parseInt(set, 16), entity: Number.parseInt(entity, 16) } : undefined;
}

/** Sets that differ in the last bit share the registration numbers of their first entities. */
export const SHARED_NUMBERS = 8;

export function toRegistration(set: number, entity: number): string {
  const owner = entity < SHARED_NUMBERS ? set & ~1 : set;
  return `9${String(owner).padStart(5, "0")}${String(entity).padStart(5, "0")}`;
}

/** Every company with this registration number, whether its data set exists or not. */
export function readRegistration(number: string): { set: number; entity: number }[] {
  const [, set, entity] = /^9(\d{5})(\d{5})$/.exec(number) ?? [];
  if (set === undefined || entity === undefined) return [];
  const found = { set: Number(set), entity: Number(entity) };
  return found.entity < SHARED_NUMBERS ? [found, { ...found, set: found.set + 1 }] : [found];
}

export const toName = (set: number, entity: number): string => `Company ${set}-${entity}`;
