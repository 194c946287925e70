import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { toTexts } from "../../src/taskpane/texts";
import { type OfficeHost, openOfficeHost } from "../office/browser-host";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkAccess } from "../support/page-access";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { pressRibbon } from "./ribbon";

let browser: Browser;
let companion: RunningCompanion;
let host: OfficeHost;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 100 })]);
  host = await openOfficeHost(browser, { origin: companion.origin });
  page = host.page;
});
afterAll(async () => {
  await browser.close();
  await companion.close();
});

const said = (text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor();

describe("the ribbon's commands, on the genuine Office.js", () => {
  it.each([
    ["refreshAll", "No cell asks for anything yet"],
    ["refreshSelection", "The selection holds no FEED formula."],
    ["freezeSelection", "The selection holds no FEED formula to freeze."],
    ["repair", "No FEED formula in this workbook needs repair"],
  ])("%s completes, and reports its result in the pane", async (command, words) => {
    await pressRibbon(page, command);
    await said(words);
    expect(host.errors).toEqual([]);
  });

  it("replace the selected formulas by values once the person confirms", async () => {
    host.workbook.enterFormula("B2", '=FEED.RANKING("2024-01",,1)', 42);
    await host.workbook.select("B2");
    await pressRibbon(page, "freezeSelection");
    await said("1 FEED formula in the selection?");
    await saveScreenshot(page, "taskpane-freeze");
    expect(host.workbook.cell("B2").formula).toContain("FEED.RANKING");
    await page.getByRole("button", { name: "Freeze 1 FEED formula" }).click();
    await said("1 formula is a value now.");
    expect(host.workbook.cell("B2")).toMatchObject({ value: 42, formula: null });
  });

  it("lead to the help page of the selected formula", async () => {
    host.workbook.enterFormula("B2", '=FEED.RANKING("2024-01",,1)', 42);
    await host.workbook.select("B2");
    await pressRibbon(page, "help");
    const link = page.getByRole("link", { name: "Open the help page on FEED.RANKING" });
    const address = (await link.getAttribute("href")) ?? "";
    expect((await fetch(address)).status).toBe(200);
  });
});

/** The number of lines that the pane's tabs take; none while the settings are open. */
async function countLines(page: Page): Promise<number> {
  const tabs = page.getByRole("tablist", { name: "FEED for Excel" }).getByRole("tab");
  return new Set(await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))).size;
}

describe("the whole pane", () => {
  const looks = [
    { name: "light", language: "en-US", theme: "light" },
    { name: "dark", language: "en-US", theme: "dark" },
    { name: "ja", language: "ja-JP", theme: "light" },
    { name: "contrast", language: "en-US", theme: "light", context: { forcedColors: "active" } },
  ] as const;

  it.each(looks)(
    "has room for every tab on 270 and 320 pixels, and is accessible: $name",
    async ({ name, ...options }) => {
      const { page, close } = await openOfficeHost(browser, { origin: companion.origin, ...options });
      const texts = toTexts(options.language);
      const fits = async (what: string) => {
        for (const width of [270, 320]) {
          await page.setViewportSize({ width, height: 720 });
          expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([width, width]);
          expect([width, await countLines(page)]).toEqual([width, what === "settings" ? 0 : 1]);
          await saveScreenshot(page, `taskpane-${what}-${name}-${width}`);
        }
        await checkAccess(page);
      };
      await waitUntilConnected(page);
      for (const [part, label] of Object.entries(texts.parts)) {
        await openTab(page, label);
        await page.getByRole("tabpanel", { name: label, exact: true }).waitFor();
        await fits(part);
      }
      await page.getByRole("button", { name: texts.ofCommands.more }).click();
      await fits("menu");
      await page.getByRole("button", { name: texts.ofHead.settings, exact: true }).click();
      await page.getByRole("heading", { name: texts.ofHead.settings }).waitFor();
      await fits("settings");
      await close();
    },
  );

  it("returns to the last tab", async () => {
    await openTab(page, "Changes");
    await page.reload();
    await page.getByRole("tabpanel", { name: "Changes" }).waitFor();
  });
});
