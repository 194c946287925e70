import { COMPANY_TYPES, METRICS, PAGE_TYPES, STATEMENT_TYPES } from "../contract/constants";
import {
  COMPANY_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  NAME_FIELDS,
  PAGE_RANKING_FIELDS,
  RANKING_FIELDS,
  TAXONOMY_FIELDS,
} from "../feed/field-tables";
import { type Field, isMeasure } from "../feed/fields";
import { COUNTRIES } from "./countries";
import { toFieldText } from "./fields";
import type { Text } from "./texts";
import {
  BASES_IN_WORDS,
  COMPANY_TYPES_IN_WORDS,
  LAYOUTS_IN_WORDS,
  LEVELS_IN_WORDS,
  METRICS_IN_WORDS,
  PAGE_TYPES_IN_WORDS,
  STATUS_IN_WORDS,
  UNITS_IN_WORDS,
} from "./words";

/** Values that an argument proposes, each with what it means. */
type Values = ReadonlyMap<string, Text>;

const UNKNOWN: Text = { en: "", ja: "" };

/** The contract says which values there are and in what order, the words what they mean. */
const pair = (values: readonly string[], words: Readonly<Record<string, Text>>): Values =>
  new Map(values.map((value) => [value, words[value] ?? UNKNOWN]));

const toValues = (words: Readonly<Record<string, Text>>): Values => new Map(Object.entries(words));
const toFields = (fields: readonly Field[]): Values => new Map(fields.map((field) => [field.name, toFieldText(field)]));
const toMeasures = (fields: readonly Field[]): Values => toFields(fields.filter(isMeasure));

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
  ["TAXONOMY_FIELD", toFields(TAXONOMY_FIELDS)],
  ["RANKING_FIELD", toFields(RANKING_FIELDS)],
  ["RANKING_MEASURE", toMeasures(RANKING_FIELDS)],
  ["PAGE_RANKING_FIELD", toFields(PAGE_RANKING_FIELDS)],
  ["INDUSTRY_FIELD", toFields(INDUSTRY_RANKING_FIELDS)],
  ["INDUSTRY_MEASURE", toMeasures(INDUSTRY_RANKING_FIELDS)],
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
  "FIND.fields": "NAME_FIELD",
  "CLASSIFICATION.field": "TAXONOMY_FIELD",
  "CONSTITUENTS.fields": "TAXONOMY_FIELD",
  "UNIVERSE.fields": "TAXONOMY_FIELD",
  "PEERS.fields": "TAXONOMY_FIELD",
  "RANKING.fields": "RANKING_FIELD",
  "RANKING.by": "RANKING_MEASURE",
  "RANKING.PAGES.fields": "PAGE_RANKING_FIELD",
  "RANKING.INDUSTRIES.fields": "INDUSTRY_FIELD",
  "RANKING.INDUSTRIES.by": "INDUSTRY_MEASURE",
};

/** The id of the enumeration that a formula's argument proposes. */
export const findEnumeration = (formula: string, argument: string): string | undefined =>
  BY_ARGUMENT[`${formula}.${argument}`] ?? BY_ARGUMENT[argument];

/** Enumerations that have no other value than those they list: of the rest the provider may know more. */
const CLOSED: ReadonlySet<string> = new Set(["COMPANY_TYPE", "LAYOUT", "LEVEL", "STATUS", "UNIT"]);

export const isOpen = (enumeration: string): boolean => !CLOSED.has(enumeration);
