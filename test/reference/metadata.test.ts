import { beforeAll, describe, expect, it } from "@jest/globals";
import { FORMULAS } from "../../src/reference/formulas";
import { JAPANESE } from "../../src/reference/japanese";
import type { FunctionsMetadata } from "../../src/reference/metadata";
import { ORIGIN, readGenerated, readReference } from "./generated";

/** The length that Excel's function dialog shows of a description. */
const LONGEST_DESCRIPTION = 255;
const HAS_JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

let generated: FunctionsMetadata;
let english: FunctionsMetadata;
let japanese: FunctionsMetadata;

beforeAll(async () => {
  generated = await readGenerated();
  const files = await readReference();
  english = JSON.parse(files["functions.json"] as string);
  japanese = JSON.parse(files["functions-ja.json"] as string);
});

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
    const listed = Object.entries(JAPANESE).map(([id, { parameters }]) => [id, Object.keys(parameters)]);
    const known = english.functions.map(({ id, parameters }) => [id, parameters.map(({ name }) => name)]);
    expect(new Map(listed as [string, string[]][])).toEqual(new Map(known as [string, string[]][]));
  });

  it("is recognised by a Japanese word, except for a name that both share", () => {
    expect(isJapanese("日本")).toBe(true);
    expect(isJapanese("Japan")).toBe(false);
    expect(isJapanese(undefined)).toBe(false);
  });
});

const isJapanese = (text: string | undefined) => text !== undefined && HAS_JAPANESE.test(text);

describe.each(["en", "ja"] as const)("functions.json in the language %s", (language) => {
  const pick = () => (language === "en" ? english : japanese);

  it("has a text for everything, short enough for Excel to show whole", () => {
    const unfit = [...listTexts(pick())].filter(([, text = ""]) => text === "" || text.length > LONGEST_DESCRIPTION);
    expect(unfit).toEqual([]);
  });

  it("allows errors inside ranges, and has every argument as in the sources", () => {
    expect(pick()).toHaveProperty("allowCustomDataForDataTypeAny", true);
    expect(pick()).not.toHaveProperty("allowErrorForDataTypeAny"); // LTSC 2021 crashes with both
    const typed = ({ functions }: FunctionsMetadata) =>
      functions.map(({ id, parameters }) => [
        id,
        parameters.map(({ name, type, dimensionality, optional }) => ({ name, type, dimensionality, optional })),
      ]);
    expect(typed(pick())).toEqual(typed(generated));
  });

  it("links each function's help to its page", () => {
    const folder = language === "en" ? "" : "ja/";
    const addresses = pick().functions.map(({ helpUrl }) => helpUrl);
    expect(addresses).toEqual(generated.functions.map(({ id }) => `${ORIGIN}/reference/${folder}${id}.html`));
  });

  it("has each enumeration that an argument names, once, and no other", () => {
    const ids = (pick().enums ?? []).map(({ id }) => id);
    const named = pick().functions.flatMap(({ parameters }) => parameters.flatMap((each) => each.customEnumId ?? []));
    expect(ids.toSorted()).toEqual([...new Set(named)].toSorted());
    for (const id of ids) expect(id).toMatch(/^[A-Z][A-Z_]{2,63}$/);
  });
});

describe("the reference", () => {
  it("describes every function, and no other", () => {
    expect([...FORMULAS.keys()].toSorted()).toEqual(generated.functions.map(({ id }) => id).toSorted());
  });
});
