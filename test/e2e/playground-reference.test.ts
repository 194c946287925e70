import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openDemo, readRange, readSettled, type } from "./playground-page";

const EXAMPLES: Record<string, { formula: string }[]> = JSON.parse(
  readFileSync(join(__dirname, "../../dist/web/reference/examples.json"), "utf8"),
);
const FORMULAS = Object.values(EXAMPLES).flatMap((examples) => examples.map(({ formula }) => formula));

let browser: Browser;
let companion: RunningCompanion;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  page = (await openDemo(browser, companion.origin)).page;
});
beforeEach(() => clearWorkbook(page));
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

describe("the examples of the reference", () => {
  it.each(FORMULAS)("give values and no error on sample data: %s", async (formula) => {
    await type(page, ["A1", formula]);
    expect((await readSettled(page, "A1")).error).toBeUndefined();
    const cells = (await readRange(page, "A1:Z200")).flat();
    expect(cells.filter((value) => typeof value === "string" && value.startsWith("#"))).toEqual([]);
    expect(cells.filter((value) => value !== null && value !== "").length).toBeGreaterThan(0);
  });
});
