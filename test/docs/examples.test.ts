import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { findResult } from "../../src/reference/page";
import { type Examples, evaluate, startExamples } from "./example-page";
import { DOCUMENT_FILES, listExamples, listReferenceExamples, readText, toLines } from "./examples";
import { listWrittenCompanies } from "./written-companies";

const EXAMPLES = DOCUMENT_FILES.flatMap((path) => listExamples(readText(path)).map((each) => ({ path, ...each })));
const OF_README = EXAMPLES.filter(({ path }) => path === "README.md");

let examples: Examples;
let page: Page;

beforeAll(async () => {
  examples = await startExamples();
  page = await examples.open();
}, 60_000);
afterAll(() => examples?.close());

describe("the examples of the documents", () => {
  it("are five in README.md, and more elsewhere, each with a result", () => {
    expect(OF_README).toHaveLength(5);
    expect(EXAMPLES.length).toBeGreaterThan(8);
    expect(EXAMPLES.filter(({ result }) => result === "")).toEqual([]);
  });

  it("in README.md show their results", async () => {
    for (const { formula, result } of OF_README) expect(toLines(await evaluate(page, formula))).toBe(result);
  });
});

describe("the examples of the reference", () => {
  it("have a result each, in both languages", () => {
    const isBare = (formula: string) => !findResult(formula, "en") || !findResult(formula, "ja");
    expect(listReferenceExamples().filter(isBare)).toEqual([]);
  });

  it("show their results: the first of each ten", async () => {
    for (const formula of listReferenceExamples().filter((_, place) => place % 10 === 0))
      expect([formula, await evaluate(page, formula)]).toEqual([formula, findResult(formula, "en")]);
  });
});

it("the first company in the documents is found in the sample data", async () => {
  const formulas = listWrittenCompanies(["functions.json", "functions-ja.json"]);
  expect(formulas.length).toBeGreaterThan(5);
  await evaluate(page, formulas[0] ?? "");
});
