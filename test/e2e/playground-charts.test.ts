import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openPlayground } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Opens a sheet of its own in place of the demo, with the cell at the left top of its data selected. */
async function openSheet(cells: Record<string, string>) {
  const opened = await openPlayground(browser, `${companion.origin}/playground.html`);
  await opened.page.evaluate((content) => {
    const { version } = window.playground.save();
    return window.playground.load({
      version,
      sheets: [{ id: "s", name: "S", colNumber: 20, rowNumber: 40, cells: content }],
    });
  }, cells);
  return opened;
}

async function insertChart(page: Page) {
  await page.click(".o-topbar-menu[data-id='insert']");
  await page.click(".o-menu-item[data-name='insert_chart']");
}

describe("a chart", () => {
  it("stands beside the demo's model, drawn without an error", async () => {
    const { page, errors } = await openPlayground(browser, `${companion.origin}/playground.html`);
    await page.waitForSelector(".o-figure[data-id='revenue'] canvas");
    expect(await page.locator(".o-figure").count()).toBe(5);
    expect(errors).toEqual([]);
    await page.close();
  });

  it("is drawn by Insert > Chart", async () => {
    const { page, errors } = await openSheet({ A1: "2023", A2: "2024", B1: "10", B2: "20" });
    await insertChart(page);
    await page.waitForSelector(".o-figure canvas");
    expect(errors).toEqual([]);
    await page.close();
  });

  it("of a kind that is not drawn says so and leaves the grid alive", async () => {
    const { page, errors } = await openSheet({ A1: "one", A2: "one", A3: "two", B1: "10", B2: "20", B3: "30" });
    await insertChart(page);
    expect(await page.textContent(".o-figure .chart-not-drawn")).toContain("Choose another in its side panel.");
    expect(await page.isVisible(".o-grid")).toBe(true);
    expect(errors).toEqual([]);
    await page.close();
  });
});
