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

const LONGEST_MS = 300_000;

describe("the examples of the documents", () => {
  it(
    "show their results",
    async () => {
      for (const [path, formula, result] of EXAMPLES)
        expect([path, formula, toLines(await evaluate(pages.en as Page, formula))]).toEqual([path, formula, result]);
    },
    LONGEST_MS,
  );
});

describe("the examples of the reference", () => {
  it.each(["en", "ja"] as const)(
    "show their results: %s",
    async (language) => {
      for (const formula of listReferenceExamples())
        expect([formula, await evaluate(pages[language] as Page, formula)]).toEqual([
          formula,
          findResult(formula, language),
        ]);
    },
    LONGEST_MS,
  );
});

it(
  "every company that the documents or the formulas' help write is found in the sample data",
  async () => {
    for (const formula of listWrittenCompanies(["functions.json", "functions-ja.json"]))
      await evaluate(pages.en as Page, formula);
  },
  LONGEST_MS,
);
