import { beforeAll, describe, expect, it } from "@jest/globals";
import { METRICS, STATEMENT_TYPES } from "../../src/contract/constants";
import { COMPANY_TYPES, PAGE_TYPES } from "../../src/contract/parameter-values";
import {
  COMPANY_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  NAME_FIELDS,
  PAGE_RANKING_FIELDS,
  RANKING_FIELDS,
  TAXONOMY_FIELDS,
} from "../../src/feed/field-tables";
import { COMPANY_MOVER_FIELDS } from "../../src/feed/rankings/mover-fields";
import type { EnumerationMetadata } from "../../src/reference/metadata";
import WORDS from "./accepted-words.json";
import { readReference } from "./generated";

let files: Record<string, string>;
beforeAll(async () => {
  files = await readReference();
});

const read = (name: string): EnumerationMetadata[] => JSON.parse(files[name] as string).enums;
const listValues = (id: string) =>
  read("functions.json")
    .find((each) => each.id === id)
    ?.values.map(({ stringValue }) => stringValue);

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

  it.each(["functions.json", "functions-ja.json"])("has each value once and a sentence for it in %s", (name) => {
    for (const { id, values } of read(name)) {
      const texts = values.map(({ stringValue }) => stringValue);
      expect([id, new Set(texts).size]).toEqual([id, texts.length]);
      expect(values.filter(({ tooltip }) => tooltip === "")).toEqual([]);
    }
  });
});
