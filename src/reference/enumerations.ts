import { ASIAN_COUNTRIES } from "../contract/asian-countries";
import { METRICS, STATEMENT_TYPES } from "../contract/constants";
import { COMPANY_TYPES, PAGE_TYPES } from "../contract/parameter-values";
import {
  COMPANY_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  MATCH_FIELDS,
  NAME_FIELDS,
  PAGE_RANKING_FIELDS,
  RANKING_FIELDS,
  TAXONOMY_FIELDS,
} from "../feed/field-tables";
import { type Field, isMeasure } from "../feed/fields";
import { COMPANY_MOVER_FIELDS } from "../feed/rankings/mover-fields";
import {
  BASES_IN_WORDS,
  COMPANY_TYPES_IN_WORDS,
  LAYOUTS_IN_WORDS,
  LEVELS_IN_WORDS,
  METRICS_IN_WORDS,
  PAGE_TYPES_IN_WORDS,
  RANKINGS_IN_WORDS,
  STATUS_IN_WORDS,
  toFieldText,
  UNITS_IN_WORDS,
} from "./fields";
import type { Text } from "./texts";

type Code = keyof typeof ASIAN_COUNTRIES;

const NAMES: Readonly<Record<Code, Text>> = {
  JPN: { en: "Japan", ja: "日本" },
  SGP: { en: "Singapore", ja: "シンガポール" },
  CHN: { en: "China", ja: "中国" },
  HKG: { en: "Hong Kong", ja: "香港" },
  TWN: { en: "Taiwan", ja: "台湾" },
  KOR: { en: "South Korea", ja: "韓国" },
  IND: { en: "India", ja: "インド" },
  IDN: { en: "Indonesia", ja: "インドネシア" },
  MYS: { en: "Malaysia", ja: "マレーシア" },
  PHL: { en: "Philippines", ja: "フィリピン" },
  THA: { en: "Thailand", ja: "タイ" },
  VNM: { en: "Vietnam", ja: "ベトナム" },
  AFG: { en: "Afghanistan", ja: "アフガニスタン" },
  ARE: { en: "United Arab Emirates", ja: "アラブ首長国連邦" },
  ARM: { en: "Armenia", ja: "アルメニア" },
  AZE: { en: "Azerbaijan", ja: "アゼルバイジャン" },
  BGD: { en: "Bangladesh", ja: "バングラデシュ" },
  BHR: { en: "Bahrain", ja: "バーレーン" },
  BRN: { en: "Brunei", ja: "ブルネイ" },
  BTN: { en: "Bhutan", ja: "ブータン" },
  CYP: { en: "Cyprus", ja: "キプロス" },
  GEO: { en: "Georgia", ja: "ジョージア" },
  IRN: { en: "Iran", ja: "イラン" },
  IRQ: { en: "Iraq", ja: "イラク" },
  ISR: { en: "Israel", ja: "イスラエル" },
  JOR: { en: "Jordan", ja: "ヨルダン" },
  KAZ: { en: "Kazakhstan", ja: "カザフスタン" },
  KGZ: { en: "Kyrgyzstan", ja: "キルギス" },
  KHM: { en: "Cambodia", ja: "カンボジア" },
  KWT: { en: "Kuwait", ja: "クウェート" },
  LAO: { en: "Laos", ja: "ラオス" },
  LBN: { en: "Lebanon", ja: "レバノン" },
  LKA: { en: "Sri Lanka", ja: "スリランカ" },
  MAC: { en: "Macao", ja: "マカオ" },
  MDV: { en: "Maldives", ja: "モルディブ" },
  MMR: { en: "Myanmar", ja: "ミャンマー" },
  MNG: { en: "Mongolia", ja: "モンゴル" },
  NPL: { en: "Nepal", ja: "ネパール" },
  OMN: { en: "Oman", ja: "オマーン" },
  PAK: { en: "Pakistan", ja: "パキスタン" },
  PRK: { en: "North Korea", ja: "北朝鮮" },
  PSE: { en: "Palestine", ja: "パレスチナ" },
  QAT: { en: "Qatar", ja: "カタール" },
  SAU: { en: "Saudi Arabia", ja: "サウジアラビア" },
  SYR: { en: "Syria", ja: "シリア" },
  TJK: { en: "Tajikistan", ja: "タジキスタン" },
  TKM: { en: "Turkmenistan", ja: "トルクメニスタン" },
  TLS: { en: "Timor-Leste", ja: "東ティモール" },
  TUR: { en: "Turkey", ja: "トルコ" },
  UZB: { en: "Uzbekistan", ja: "ウズベキスタン" },
  YEM: { en: "Yemen", ja: "イエメン" },
};

/** The values of a country argument, by code. */
const COUNTRIES: ReadonlyMap<string, Text> = new Map<string, Text>([
  ...(Object.keys(ASIAN_COUNTRIES) as Code[]).map((code) => [code, NAMES[code]] as const),
  ["ALL", { en: "All countries you have access to", ja: "アクセスできるすべての国" }],
]);

/** Values that an argument proposes, each with what it means. */
type Values = ReadonlyMap<string, Text>;

const UNKNOWN: Text = { en: "", ja: "" };

/** The contract has the values and their order, the words have their meanings. */
const pair = (values: readonly string[], words: Readonly<Record<string, Text>>): Values =>
  new Map(values.map((value) => [value, words[value] ?? UNKNOWN]));

const toValues = (words: Readonly<Record<string, Text>>): Values => new Map(Object.entries(words));
const toFields = (fields: readonly Field[]): Values => new Map(fields.map((field) => [field.name, toFieldText(field)]));
const toMeasures = (fields: readonly Field[]): Values => toFields(fields.filter(isMeasure));
const toRankAndMeasures = (fields: readonly Field[]): Values =>
  toFields(fields.filter((field) => field.name === "rank" || isMeasure(field)));

/** Every enumeration by the id under which functions.json has it. */
export const ENUMERATIONS: ReadonlyMap<string, Values> = new Map([
  [
    "METRIC",
    pair(
      STATEMENT_TYPES.flatMap((type) => METRICS[type]),
      METRICS_IN_WORDS,
    ),
  ],
  ["BASIS", toValues(BASES_IN_WORDS)],
  ["UNIT", toValues(UNITS_IN_WORDS)],
  ["LAYOUT", toValues(LAYOUTS_IN_WORDS)],
  ["COUNTRY", COUNTRIES],
  ["COMPANY_TYPE", pair(COMPANY_TYPES, COMPANY_TYPES_IN_WORDS)],
  ["LEVEL", toValues(LEVELS_IN_WORDS)],
  ["PAGE_TYPE", pair(PAGE_TYPES, PAGE_TYPES_IN_WORDS)],
  ["STATUS", toValues(STATUS_IN_WORDS)],
  ["COMPANY_FIELD", toFields(COMPANY_FIELDS)],
  ["NAME_FIELD", toFields(NAME_FIELDS)],
  ["MATCH_FIELD", toFields(MATCH_FIELDS)],
  ["TAXONOMY_FIELD", toFields(TAXONOMY_FIELDS)],
  ["RANKING_FIELD", toFields(RANKING_FIELDS)],
  ["RANKING_MEASURE", toMeasures(RANKING_FIELDS)],
  ["PAGE_RANKING_FIELD", toFields(PAGE_RANKING_FIELDS)],
  ["INDUSTRY_FIELD", toFields(INDUSTRY_RANKING_FIELDS)],
  ["INDUSTRY_MEASURE", toMeasures(INDUSTRY_RANKING_FIELDS)],
  ["RANKING_KIND", toValues({ ...RANKINGS_IN_WORDS, ...PAGE_TYPES_IN_WORDS })],
  ["RANK_OR_MEASURE", toRankAndMeasures(RANKING_FIELDS)],
  ["MOVER_FIELD", toFields(COMPANY_MOVER_FIELDS)],
]);

/** Which enumeration an argument proposes: by its name, or by its formula and name. */
const BY_ARGUMENT: Readonly<Record<string, string>> = {
  metric: "METRIC",
  metrics: "METRIC",
  basis: "BASIS",
  unit: "UNIT",
  layout: "LAYOUT",
  country: "COUNTRY",
  type: "COMPANY_TYPE",
  level: "LEVEL",
  pagetype: "PAGE_TYPE",
  what: "STATUS",
  "COMPANY.field": "COMPANY_FIELD",
  "COMPANIES.fields": "COMPANY_FIELD",
  "COMPANY.FIND.fields": "NAME_FIELD",
  "COMPANY.MATCH.fields": "MATCH_FIELD",
  "CLASSIFICATION.field": "TAXONOMY_FIELD",
  "CONSTITUENTS.fields": "TAXONOMY_FIELD",
  "UNIVERSE.fields": "TAXONOMY_FIELD",
  "PEERS.fields": "TAXONOMY_FIELD",
  "RANKING.fields": "RANKING_FIELD",
  "RANKING.by": "RANKING_MEASURE",
  "RANKING.PAGES.fields": "PAGE_RANKING_FIELD",
  "RANKING.INDUSTRIES.fields": "INDUSTRY_FIELD",
  "RANKING.INDUSTRIES.by": "INDUSTRY_MEASURE",
  ranking: "RANKING_KIND",
  measure: "RANK_OR_MEASURE",
  "RANKING.MOVERS.by": "RANK_OR_MEASURE",
  "RANKING.MOVERS.fields": "MOVER_FIELD",
};

/** The id of the enumeration that a formula's argument proposes. */
export const findEnumeration = (formula: string, argument: string): string | undefined =>
  BY_ARGUMENT[`${formula}.${argument}`] ?? BY_ARGUMENT[argument];

/** Enumerations without further values; of all others the provider may accept more. */
const CLOSED: ReadonlySet<string> = new Set([
  "COMPANY_TYPE",
  "LAYOUT",
  "LEVEL",
  "RANKING_KIND",
  "RANK_OR_MEASURE",
  "STATUS",
  "UNIT",
]);

export const isOpen = (enumeration: string): boolean => !CLOSED.has(enumeration);
