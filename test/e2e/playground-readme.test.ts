import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { COMPANIES } from "../../src/playground/sample-workbook";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openDemo, readRange, readSettled, type } from "./playground-page";

const README = readFileSync(join(__dirname, "../../README.md"), "utf8");
/** Each line of a code block that begins with a formula; two or more spaces precede its explanation. */
const EXAMPLES = [...README.matchAll(/^(=FEED\..+?)(?: {2,}.*)?$/gm)].map(([, formula]) => formula as string);

let browser: Browser;
let companion: RunningCompanion;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  page = (await openDemo(browser, companion.origin)).page;
});
beforeEach(async () => {
  await clearWorkbook(page);
  const ids = COMPANIES.map(({ id }, index) => [`A${2 + index}`, id] as [string, string]);
  await type(page, ["B1", "2023"], ...ids);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

describe("the examples of README.md", () => {
  it("include both main formulas", () => {
    expect(EXAMPLES.filter((formula) => formula.startsWith("=FEED.FINANCIAL(")).length).toBeGreaterThan(1);
    expect(EXAMPLES.filter((formula) => formula.startsWith("=FEED.RANKING(")).length).toBeGreaterThan(1);
  });

  it.each(EXAMPLES)("give values and no error on sample data: %s", async (formula) => {
    await type(page, ["D1", formula]);
    expect((await readSettled(page, "D1")).error).toBeUndefined();
    const cells = (await readRange(page, "D1:Z200")).flat();
    expect(cells.filter((value) => typeof value === "string" && value.startsWith("#"))).toEqual([]);
    expect(cells.filter((value) => value !== null && value !== "").length).toBeGreaterThan(0);
  });
});
