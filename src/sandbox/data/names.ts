import { COUNTRIES, type Country, countEarlier, pickCountry } from "./countries";
import { createDraw, type Draw, PURPOSE } from "./random";
import { FIRST_WORDS, PEOPLE, SECOND_WORDS, type SecondWord } from "./words";

/** A company's names, and what its second word says it does. */
export interface CompanyNames {
  /** In the country's own script where it has one. */
  formal: string;
  english: string;
  informal: string;
  /** What lists of companies show: the one or the other. */
  shown: string;
  activity: string;
}

/** No company before this index has a hostile name, so that samples near the start stay readable. */
const HOSTILE_FROM = 200;
const HOSTILE_EVERY = 250;

/** Names that must stay text wherever they are shown: formulas, markup, direction marks, control characters, length. */
const HOSTILE_NAMES: readonly string[] = [
  '=HYPERLINK("https://hostile.example","Open me")',
  "+1 Ventures",
  "@cmd|' /C calc'!A0",
  '<img src="x" onerror="alert(1)">',
  "\u202eetal ssenisub\u202c Trading",
  "-2+3 Partners",
  "Nul\u0000Byte Works",
  `${"Endless ".repeat(5000)}Company`,
];

const STEP = 11_213;

const LISTED_SHIFT = 4_001;

const NATIVE_SHARE = 0.35;

/** A different pair of words for each of a country's companies until all pairs are used; then a city tells them apart. */
function pickWords(country: Country, ordinal: number, shift: number) {
  const firsts = FIRST_WORDS[country.code]!;
  const pairs = firsts.length * SECOND_WORDS.length;
  const pair = (ordinal * STEP + shift) % pairs;
  const round = Math.floor(ordinal / pairs);
  const first = firsts[pair % firsts.length]!;
  const second = SECOND_WORDS[Math.floor(pair / firsts.length)]!;
  const city = round === 0 ? "" : ` ${country.cities[(round - 1) % country.cities.length]!}`;
  const number = round <= country.cities.length ? "" : ` ${Math.ceil(round / country.cities.length)}`;
  return { first, second, suffix: city + number };
}

const ENGLISH_FORMS: Record<string, readonly string[]> = {
  JPN: ["Co., Ltd.", "Inc.", "Corporation", "K.K."],
  SGP: ["Pte. Ltd.", "Pte. Ltd.", "LLP"],
  THA: ["Co., Ltd."],
  VNM: ["JSC", "Co., Ltd."],
  PHL: ["Corp.", "Inc."],
};

/** "Sakura Foods" with its legal form, in English. */
function toEnglish(code: string, name: string, draw: Draw): string {
  if (code === "IDN") return `PT ${name}`;
  return `${name} ${draw.pick(ENGLISH_FORMS[code]!)}`;
}

/** The name with its legal form, in the country's own script. */
function toNative(code: string, first: string, second: SecondWord, suffix: string, front: boolean): string {
  if (code === "JPN") return front ? `株式会社${first}${second[1]}${suffix}` : `${first}${second[1]}${suffix}株式会社`;
  if (code === "IDN") return `PT ${first} ${second[0]}${suffix}`;
  if (code === "THA") return `บริษัท ${first} ${second[0]}${suffix} จำกัด`;
  if (code === "VNM") return `Công ty ${first} ${second[0]}${suffix}`;
  return `${first} ${second[0]}${suffix}`;
}

/** The names of the k-th company of a country; `shift` sets families of companies apart. */
function createNames(country: Country, ordinal: number, shift: number, draw: Draw): CompanyNames {
  const { first, second, suffix } = pickWords(country, ordinal, shift);
  const english = toEnglish(country.code, `${first[0]} ${second[0]}${suffix}`, draw);
  const formal = toNative(country.code, first[1], second, suffix, draw.chance(0.7));
  const shown = draw.chance(NATIVE_SHARE) ? formal : english;
  return { formal, english, shown, informal: first[0], activity: second[2] };
}

/** The hostile name that stands in for a company's own, if it is one of the few that have one. */
function pickHostileName(index: number): string | undefined {
  if (index < HOSTILE_FROM || index % HOSTILE_EVERY !== HOSTILE_EVERY - 1) return undefined;
  return HOSTILE_NAMES[Math.floor(index / HOSTILE_EVERY) % HOSTILE_NAMES.length];
}

const withHostileName = (index: number, names: CompanyNames): CompanyNames => {
  const hostile = pickHostileName(index);
  return hostile === undefined ? names : { ...names, formal: hostile, english: hostile, shown: hostile };
};

/** The names of the private company with this index. */
export function createCompanyNames(seed: number, index: number): CompanyNames {
  const draw = createDraw(seed, PURPOSE.name, 1, index);
  return withHostileName(index, createNames(pickCountry(index), countEarlier(index), 0, draw));
}

/** The names of a listed company: the k-th of its country. */
export function createListedNames(seed: number, index: number, country: Country, ordinal: number): CompanyNames {
  const draw = createDraw(seed, PURPOSE.name, 2, index);
  return withHostileName(index, createNames(country, ordinal, LISTED_SHIFT, draw));
}

/** The sub-sector a private company's name speaks of. */
export function pickCompanySubSector(index: number): string {
  return pickWords(pickCountry(index), countEarlier(index), 0).second[3];
}

/** The sub-sector the name of the k-th listed company of a country speaks of. */
export function pickListedSubSector(country: Country, ordinal: number): string {
  return pickWords(country, ordinal, LISTED_SHIFT).second[3];
}

/** The full name of a person of this country. */
export function createPersonName(code: string, draw: Draw): string {
  const { family, given } = PEOPLE[code] ?? PEOPLE[COUNTRIES[0]!.code]!;
  return `${draw.pick(given)} ${draw.pick(family)}`;
}
