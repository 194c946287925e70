import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { findResult } from "../../src/reference/example-results";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import {
  DOCUMENT_FILES,
  evaluate,
  listExamples,
  listReferenceExamples,
  openExamples,
  readText,
  toLines,
} from "./examples";
import { listWrittenCompanies } from "./written-companies";

const EXAMPLES = DOCUMENT_FILES.flatMap((path) =>
  listExamples(readText(path)).map(({ formula, result }): [string, string, string] => [path, formula, result]),
);

let browser: Browser;
let companion: RunningCompanion;
const pages: Partial<Record<"en" | "ja", Page>> = {};

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  for (const language of ["en", "ja"] as const)
    pages[language] = await openExamples(browser, companion.origin, language);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

describe("the examples of the documents", () => {
  it("are five in README.md, and more elsewhere", () => {
    expect(EXAMPLES.filter(([path]) => path === "README.md")).toHaveLength(5);
    expect(EXAMPLES.length).toBeGreaterThan(15);
  });

  it.each(EXAMPLES)("in %s show their result: %s", async (_path, formula, result) => {
    expect(result).not.toBe("");
    expect(toLines(await evaluate(pages.en as Page, formula))).toBe(result);
  });
});

describe.each(["en", "ja"] as const)("an example of the reference, in %s,", (language) => {
  it.each(listReferenceExamples())("shows its result: %s", async (formula) => {
    expect(await evaluate(pages[language] as Page, formula)).toEqual(findResult(formula, language));
  });
});

describe("a company that the documents or the formulas' help write", () => {
  const formulas = listWrittenCompanies(["functions.json", "functions-ja.json"]);

  it("is written as a name abroad, a ticker and a name", () => {
    expect(formulas.length).toBeGreaterThan(5);
  });

  it.each(formulas)("is found in the sample data: %s", async (formula) => {
    await evaluate(pages.en as Page, formula);
  });
});
