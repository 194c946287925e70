import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { Page } from "playwright-core";
import { FORMULAS } from "../../src/reference/formulas";
import { findResult } from "../../src/reference/page";
import { type Examples, evaluate, startExamples } from "./example-page";
import { DOCUMENT_FILES, listExamples, listReferenceExamples, readText, toLines } from "./examples";
import { listWrittenCompanies } from "./written-companies";

const EXAMPLES = DOCUMENT_FILES.flatMap((path) =>
  listExamples(readText(path)).map(({ formula, result }): [string, string, string] => [path, formula, result]),
);

let examples: Examples;
const pages: Partial<Record<"en" | "ja", Page>> = {};

beforeAll(async () => {
  examples = await startExamples();
  for (const language of ["en", "ja"] as const) pages[language] = await examples.open(language);
});
afterAll(() => examples?.close());

jest.setTimeout(300_000);

it("the examples of the documents show their results", async () => {
  for (const [path, formula, result] of EXAMPLES)
    expect([path, formula, toLines(await evaluate(pages.en as Page, formula))]).toEqual([path, formula, result]);
});

it.each(["en", "ja"] as const)("the examples of the reference show their results: %s", async (language) => {
  for (const formula of listReferenceExamples()) {
    const result = await evaluate(pages[language] as Page, formula);
    expect([formula, result]).toEqual([formula, findResult(formula, language)]);
  }
});

it("the examples of the reference whose results change from day to day show no error", async () => {
  const stable = listReferenceExamples();
  const all = [...FORMULAS.values()].flatMap((each) => each.examples.map(({ formula }) => formula));
  for (const formula of all.filter((each) => !stable.includes(each))) {
    const { cells } = await evaluate(pages.en as Page, formula);
    expect([formula, ...cells.flat().filter((text) => text.startsWith("#"))]).toEqual([formula]);
  }
});

it("every company that the documents or the formulas' help write is found in the sample data", async () => {
  for (const formula of listWrittenCompanies(["functions.json", "functions-ja.json"]))
    await evaluate(pages.en as Page, formula);
});
