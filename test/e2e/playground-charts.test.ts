import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openPlayground } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  ({ page, errors } = await openPlayground(browser, `${companion.origin}/playground.html`));
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Loads a sheet in place of the demo, with the first cell of its data selected. */
const loadSheet = (cells: Record<string, string>) =>
  page.evaluate((content) => {
    const { version } = window.playground.save();
    return window.playground.load({
      version,
      sheets: [{ id: "s", name: "S", colNumber: 20, rowNumber: 40, cells: content }],
    });
  }, cells);

async function insertChart() {
  await page.click(".o-topbar-menu[data-id='insert']");
  await page.click(".o-menu-item[data-name='insert_chart']");
}

describe("a chart", () => {
  it("is drawn beside the demo's model without an error", async () => {
    await page.waitForSelector(".o-figure[data-id='revenue'] canvas");
    expect(await page.locator(".o-figure").count()).toBe(5);
    expect(errors).toEqual([]);
  });

  it("is drawn by Insert > Chart", async () => {
    await loadSheet({ A1: "2023", A2: "2024", B1: "10", B2: "20" });
    await insertChart();
    await page.waitForSelector(".o-figure canvas");
    expect(errors).toEqual([]);
  });

  it("of an unsupported kind says so and leaves the grid usable", async () => {
    await loadSheet({ A1: "one", A2: "one", A3: "two", B1: "10", B2: "20", B3: "30" });
    await insertChart();
    expect(await page.textContent(".o-figure .chart-not-drawn")).toContain("Choose another in its side panel.");
    expect(await page.isVisible(".o-grid")).toBe(true);
    expect(errors).toEqual([]);
  });
});
