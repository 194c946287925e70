import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let browser: Browser;
let companion: RunningCompanion;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Opens a page of the reference; the browser's complaints are collected. */
async function open(path: string, colorScheme: "light" | "dark", width: number): Promise<[Page, string[]]> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: false });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("requestfailed", (request) => complaints.push(request.url()));
  await page.goto(`${companion.origin}/reference/${path}`);
  return [page, complaints];
}

async function listViolations(path: string, colorScheme: "light" | "dark"): Promise<string[]> {
  const page = await browser.newPage({ colorScheme, bypassCSP: true });
  await page.goto(`${companion.origin}/reference/${path}`);
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<AxeResults> } };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
  await page.close();
  return violations;
}

describe("the reference, served by the companion", () => {
  it.each([
    ["index.html", "light"],
    ["RANKING.PAGES.html", "dark"],
    ["ja/index.html", "dark"],
    ["ja/FINANCIALS.html", "light"],
    ["analyst.html", "light"],
    ["ja/analyst.html", "dark"],
    ["reliability.html", "dark"],
    ["deploy.html", "light"],
  ] as const)("shows %s (%s) under the companion's policy, on wide and narrow screens", async (path, scheme) => {
    for (const width of [1280, 320]) {
      const [page, complaints] = await open(path, scheme, width);
      expect(complaints).toEqual([]);
      const isStyled = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(isStyled).toBe(scheme === "dark" ? "rgb(22, 24, 31)" : "rgb(255, 255, 255)");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await saveScreenshot(page, `reference-${path.replace(/\W+/g, "-").replace(/-html$/, "")}-${scheme}-${width}`);
      await page.close();
    }
  });

  it.each([
    ["FINANCIAL.html", "light"],
    ["ja/RANKING.PAGES.html", "dark"],
    ["index.html", "dark"],
    ["analyst.html", "light"],
    ["ja/errors.html", "dark"],
    ["which.html", "light"],
  ] as const)("is accessible: %s (%s)", async (path, scheme) => {
    expect(await listViolations(path, scheme)).toEqual([]);
  });

  it("unfolds a list of values when an argument's link leads to it", async () => {
    const [page] = await open("FINANCIAL.html", "light", 1280);
    expect(await page.locator("#METRIC").isVisible()).toBe(false);
    await page.click('a[href="#METRIC"]');
    await page.locator("#METRIC").waitFor({ state: "visible" });
    await page.close();
  });

  it.each([
    ["index.html", "FEED_AMBIGUOUS", "errors.html#FEED_AMBIGUOUS"],
    ["index.html", "TEAM ranking week", "analyst.html#a-ranking-that-your-team-gets-every-week"],
    ["ja/index.html", "ランキング 毎週", "analyst.html#毎週のランキングをチームで共有する"],
  ])("finds by its search on %s for %s the right place", async (path, words, target) => {
    const [page, complaints] = await open(path, "light", 1280);
    await page.getByRole("searchbox").fill(words);
    const first = page.locator(".results a").first();
    await first.waitFor();
    expect(await first.getAttribute("href")).toBe(target);
    await first.click();
    await page.waitForURL((url) => decodeURI(url.href).endsWith(target));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says how many places its search has found, and nothing without a word", async () => {
    const [page] = await open("index.html", "light", 1280);
    const waitForCount = (value: string) =>
      page.waitForFunction((expected) => document.querySelector("output")?.value === expected, value);
    await page.getByRole("searchbox").fill("no place has these words");
    await waitForCount("0");
    await page.getByRole("searchbox").fill("");
    await waitForCount("");
    expect(await page.locator(".results li").count()).toBe(0);
    await page.close();
  });

  it("prints its lists of values unfolded, without external links", async () => {
    const [page] = await open("FINANCIAL.html", "light", 1280);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#METRIC").evaluate((list) => list.getBoundingClientRect().height)).toBeGreaterThan(200);
    expect(await page.locator(".others").isVisible()).toBe(false);
    await page.close();
  });
});
