import { beforeAll, describe, expect, it } from "@jest/globals";
import { COMPANY_TYPES, METRICS, PAGE_TYPES, STATEMENT_TYPES } from "../../src/contract/parameter-values";
import {
  COMPANY_FIELDS,
  COMPANY_MOVER_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  NAME_FIELDS,
  PAGE_RANKING_FIELDS,
  RANKING_FIELDS,
  TAXONOMY_FIELDS,
} from "../../src/feed/field-tables";
import { FORMULAS } from "../../src/reference/formulas";
import type { FunctionMetadata, FunctionsMetadata } from "../../src/reference/metadata";
import WORDS from "./accepted-words.json";
import BREACHES from "./breaches.json";
import { isBuiltIn, isCellAddress } from "./excel-names";
import { createFiles, ORIGIN, readGenerated } from "./generated";
import { listBreaches } from "./microsoft-rules";

/** The length that Excel's function dialog shows of a description. */
const LONGEST_DESCRIPTION = 255;
const HAS_JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

let generated: FunctionsMetadata;
let english: FunctionsMetadata;
let japanese: FunctionsMetadata;

beforeAll(async () => {
  generated = await readGenerated();
  const files = createFiles(generated);
  english = JSON.parse(files["functions.json"] as string);
  japanese = JSON.parse(files["functions-ja.json"] as string);
});

const pick = (language: "en" | "ja") => (language === "en" ? english : japanese);

/** Every text for people, by its place. */
function listTexts({ functions, enums = [] }: FunctionsMetadata): Map<string, string | undefined> {
  return new Map([
    ...functions.flatMap(({ id, description, parameters }) => [
      [id, description] as const,
      ...parameters.map((each) => [`${id}(${each.name})`, each.description] as const),
    ]),
    ...enums.flatMap(({ id, values }) => values.map((each) => [`${id} ${each.stringValue}`, each.tooltip] as const)),
  ]);
}

/** All but the texts and the help addresses. */
const strip = ({ functions, enums = [] }: FunctionsMetadata) => ({
  functions: functions.map(({ description: _, helpUrl: __, parameters, ...rest }) => ({
    ...rest,
    parameters: parameters.map(({ description: ___, ...parameter }) => parameter),
  })),
  enums: enums.map(({ id, type, values }) => ({ id, type, values: values.map(({ tooltip: _, ...rest }) => rest) })),
});

describe("functions.json in Japanese", () => {
  it("has the ids, arguments, types and values of the English one", () => {
    expect(strip(japanese)).toEqual(strip(english));
  });

  it("has every text in Japanese, and none equal to the English one", () => {
    const texts = listTexts(english);
    const untranslated = [...listTexts(japanese)].filter(
      ([place, text]) => text === texts.get(place) || !isJapanese(text),
    );
    expect(untranslated).toEqual([]);
    expect(texts.size).toBeGreaterThan(100);
  });

  it("has texts for existing functions and arguments alone", () => {
    const listed = [...FORMULAS].map(([id, reference]) => [id, Object.keys(reference.arguments)]);
    const known = english.functions.map(({ id, parameters }) => [id, parameters.map(({ name }) => name)]);
    expect(new Map(listed as [string, string[]][])).toEqual(new Map(known as [string, string[]][]));
  });
});

const isJapanese = (text: string | undefined) => text !== undefined && HAS_JAPANESE.test(text);

describe.each(["en", "ja"] as const)("functions.json in the language %s", (language) => {
  it("has a text for everything, short enough for Excel to show whole", () => {
    const unfit = [...listTexts(pick(language))].filter(
      ([, text = ""]) => text === "" || text.length > LONGEST_DESCRIPTION,
    );
    expect(unfit).toEqual([]);
  });

  it("allows errors inside ranges, and has every argument as in the sources", () => {
    expect(pick(language)).toHaveProperty("allowCustomDataForDataTypeAny", true);
    expect(pick(language)).not.toHaveProperty("allowErrorForDataTypeAny"); // LTSC 2021 crashes with both
    const typed = ({ functions }: FunctionsMetadata) =>
      functions.map(({ id, parameters }) => [
        id,
        parameters.map(({ name, type, dimensionality, optional }) => ({ name, type, dimensionality, optional })),
      ]);
    expect(typed(pick(language))).toEqual(typed(generated));
  });

  it("links each function's help to its page", () => {
    const folder = language === "en" ? "" : "ja/";
    const addresses = pick(language).functions.map(({ helpUrl }) => helpUrl);
    expect(addresses).toEqual(generated.functions.map(({ id }) => `${ORIGIN}/reference/${folder}${id}.html`));
  });

  it("has each enumeration that an argument names, once, and no other", () => {
    const ids = (pick(language).enums ?? []).map(({ id }) => id);
    const named = pick(language).functions.flatMap(({ parameters }) =>
      parameters.flatMap((each) => each.customEnumId ?? []),
    );
    expect(ids.toSorted()).toEqual([...new Set(named)].toSorted());
    for (const id of ids) expect(id).toMatch(/^[A-Z][A-Z_]{2,63}$/);
  });

  it("keeps Microsoft's rules for the metadata of custom functions", () => {
    expect(pick(language).functions).toHaveLength(19);
    expect(listBreaches(pick(language))).toEqual([]);
  });

  it("has each value of an enumeration once, and a sentence for it", () => {
    for (const { id, values } of pick(language).enums ?? []) {
      const texts = values.map(({ stringValue }) => stringValue);
      expect([id, new Set(texts).size]).toEqual([id, texts.length]);
      expect(values.filter(({ tooltip }) => tooltip === "")).toEqual([]);
    }
  });
});

it("the reference describes every function, and no other", () => {
  expect([...FORMULAS.keys()].toSorted()).toEqual(generated.functions.map(({ id }) => id).toSorted());
});

const listValues = (id: string) =>
  english.enums?.find((each) => each.id === id)?.values.map(({ stringValue }) => stringValue);

describe("an enumeration", () => {
  it.each([
    ["METRIC", STATEMENT_TYPES.flatMap((type) => METRICS[type])],
    ["PAGE_TYPE", [...PAGE_TYPES]],
    ["COMPANY_TYPE", [...COMPANY_TYPES]],
    ["COMPANY_FIELD", COMPANY_FIELDS.map(({ name }) => name)],
    ["NAME_FIELD", NAME_FIELDS.map(({ name }) => name)],
    ["TAXONOMY_FIELD", TAXONOMY_FIELDS.map(({ name }) => name)],
    ["RANKING_FIELD", RANKING_FIELDS.map(({ name }) => name)],
    ["PAGE_RANKING_FIELD", PAGE_RANKING_FIELDS.map(({ name }) => name)],
    ["INDUSTRY_FIELD", INDUSTRY_RANKING_FIELDS.map(({ name }) => name)],
    ["MOVER_FIELD", COMPANY_MOVER_FIELDS.map(({ name }) => name)],
    ["RANKING_KIND", ["companies", "industries", ...PAGE_TYPES]],
  ])("%s has the values of the contract and the field tables, in their order", (id, values) => {
    expect(listValues(id)).toEqual(values);
  });

  it.each(Object.entries(WORDS))("%s has the words that the formulas accept", (id, values) => {
    expect(listValues(id)).toEqual(values);
  });

  it("of countries has codes of three letters, Japan first and ALL last", () => {
    const codes = listValues("COUNTRY") ?? [];
    expect([codes[0], codes.at(-1)]).toEqual(["JPN", "ALL"]);
    expect(codes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

/** The first object of each kind. */
const PLACES = {
  file: (file: FunctionsMetadata) => file,
  function: ({ functions: [each] }: FunctionsMetadata) => each,
  options: ({ functions: [each] }: FunctionsMetadata) => (each as FunctionMetadata & { options: object }).options,
  parameter: ({ functions: [each] }: FunctionsMetadata) => each?.parameters[0],
  enumeration: ({ enums: [each] = [] }: FunctionsMetadata) => each,
  value: ({ enums: [each] = [] }: FunctionsMetadata) => each?.values[0],
};

type Kind = keyof typeof PLACES;

function change(kind: Kind, members: object): FunctionsMetadata {
  const file = structuredClone(english);
  const place = PLACES[kind](file) as Record<string, unknown>;
  for (const [name, value] of Object.entries(members)) place[name] = value ?? undefined; // a row has null for an absent member
  return file;
}

const LONG_TEXTS: [string, Kind, object, string][] = [
  [
    "a description of 1025 characters",
    "function",
    { description: "a".repeat(1025) },
    "/functions/0/description maxLength",
  ],
  [
    "a parameter's text of 513 characters",
    "parameter",
    { description: "a".repeat(513) },
    "/functions/0/parameters/0/description maxLength",
  ],
  ["a tooltip of 257 characters", "value", { tooltip: "a".repeat(257) }, "/enums/0/values/0/tooltip maxLength"],
];

describe("metadata", () => {
  const rows = [...(BREACHES as typeof LONG_TEXTS), ...LONG_TEXTS];

  it.each(rows)("breaks a rule with %s", (_, kind, members, breach) => {
    expect(listBreaches(change(kind, members))).toContain(breach);
  });
});

describe("names that Excel has taken", () => {
  it.each(["FIND", "beta.dist", "XLOOKUP", "RUN"])("include %s", (name) => expect(isBuiltIn(name)).toBe(true));

  it.each(["A1", "xfd1048576", "FY24", "R1C1", "R1048576C16384"])("include the cell %s", (name) =>
    expect(isCellAddress(name)).toBe(true),
  );

  it.each(["XFE1", "A1048577", "A0", "FEED1", "R1048577C1", "R1C16385"])("do not include %s", (name) =>
    expect(isBuiltIn(name) || isCellAddress(name)).toBe(false),
  );
});
