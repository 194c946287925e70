import { afterEach, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { checkAccess } from "../support/page-access";
import { createSurroundings } from "./surroundings";

const at = createSurroundings();
let page: Page;
/** What the browser complains of. */
let complaints: string[];

afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

/** Opens a page of the reference. */
async function open(path: string, { scheme = "light", width = 1280, bypassCSP = false } = {}): Promise<void> {
  const colorScheme = scheme as "light" | "dark";
  page = await at.browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP });
  complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("requestfailed", (request) => complaints.push(request.url()));
  await page.goto(`${at.companion.origin}/reference/${path}`);
}

describe("the reference, served by the companion", () => {
  it.each([
    ["index.html", "light"],
    ["ja/index.html", "dark"],
    ["ja/FINANCIALS.html", "light"],
    ["analyst.html", "light"],
    ["firm.html", "dark"],
  ])("shows %s (%s) under the companion's policy, on wide and narrow screens", async (path, scheme) => {
    await open(path, { scheme });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe(scheme === "dark" ? "rgb(22, 24, 31)" : "rgb(255, 255, 255)");
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  it.each([
    ["FINANCIAL.html", "light"],
    ["index.html", "dark"],
    ["ja/errors.html", "dark"],
    ["analyst.html", "light"],
  ])("is accessible: %s (%s)", async (path, scheme) => {
    await open(path, { scheme, bypassCSP: true });
    await checkAccess(page);
  });

  it("unfolds a list of values when an argument's link leads to it, and prints it unfolded, without external links", async () => {
    await open("FINANCIAL.html");
    expect(await page.locator("#METRIC").isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#METRIC").evaluate((list) => list.getBoundingClientRect().height)).toBeGreaterThan(200);
    expect(await page.locator(".others").isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    await page.click('a[href="#METRIC"]');
    await page.locator("#METRIC").waitFor({ state: "visible" });
  });

  it.each([
    ["index.html", "TEAM ranking week", "analyst.html#a-ranking-that-your-team-gets-every-week"],
    ["ja/index.html", "ランキング 毎週", "analyst.html#毎週のランキングをチームで共有する"],
  ])("finds by its search on %s for %s the right place", async (path, words, target) => {
    await open(path);
    await page.getByRole("searchbox").fill(words);
    const first = page.locator(".results a").first();
    await first.waitFor();
    expect(await first.getAttribute("href")).toBe(target);
    await first.click();
    await page.waitForURL((url) => decodeURI(url.href).endsWith(target));
  });

  it("says how many places its search has found, and nothing without a word", async () => {
    await open("index.html");
    const waitForCount = (value: string) =>
      page.waitForFunction((expected) => document.querySelector("output")?.value === expected, value);
    await page.getByRole("searchbox").fill("no place has these words");
    await waitForCount("0");
    await page.getByRole("searchbox").fill("");
    await waitForCount("");
    expect(await page.locator(".results li").count()).toBe(0);
  });
});
