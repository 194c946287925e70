import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { toTexts } from "../../src/taskpane/texts";
import { checkAccess } from "../support/page-access";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { pressRibbon } from "./ribbon";
import { createOfficePane } from "./surroundings";

const at = createOfficePane();
beforeAll(() => at.open());

const said = (text: string) => at.page.getByRole("status").filter({ hasText: text }).waitFor();

async function selectFormula(): Promise<void> {
  at.host.workbook.enterFormula("B2", '=FEED.RANKING("2024-01",,1)', 42);
  await at.host.workbook.select("B2");
}

describe("the ribbon's commands, on the genuine Office.js", () => {
  it.each([
    ["refreshAll", "No cell asks for anything yet"],
    ["refreshSelection", "The selection holds no FEED formula."],
    ["freezeSelection", "The selection holds no FEED formula to freeze."],
    ["repair", "No FEED formula in this workbook needs repair"],
  ])("%s completes, and reports its result in the pane", async (command, words) => {
    await pressRibbon(at.page, command);
    await said(words);
  });

  it("lead to the help page of the selected formula, and replace it by its value once the person confirms", async () => {
    await selectFormula();
    await pressRibbon(at.page, "help");
    const link = at.page.getByRole("link", { name: "Open the help page on FEED.RANKING" });
    expect((await fetch((await link.getAttribute("href")) ?? "")).status).toBe(200);
    await pressRibbon(at.page, "freezeSelection");
    await said("1 FEED formula in the selection?");
    expect(at.host.workbook.cell("B2").formula).toContain("FEED.RANKING");
    await at.page.getByRole("button", { name: "Freeze 1 FEED formula" }).click();
    await said("1 formula is a value now.");
    expect(at.host.workbook.cell("B2")).toMatchObject({ value: 42, formula: null });
  });
});

describe("the whole pane", () => {
  it("returns to the last tab", async () => {
    await openTab(at.page, "Changes");
    await at.page.reload();
    await at.page.getByRole("tabpanel", { name: "Changes" }).waitFor();
  });

  it.each([
    { language: "en-US", theme: "light", context: {} },
    { language: "ja-JP", theme: "dark", context: {} },
    { language: "en-US", theme: "light", context: { forcedColors: "active" } },
  ] as const)(
    "has room for every tab on 270 and 320 pixels, and is accessible: $language, $theme, $context",
    async (look) => {
      const page = await at.open(look);
      const texts = toTexts(look.language);
      const fits = async (lines: number) => {
        for (const width of [270, 320]) {
          await page.setViewportSize({ width, height: 720 });
          const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
          expect([scrollWidth, await countLines(page)]).toEqual([width, lines]);
        }
        await checkAccess(page);
      };
      await waitUntilConnected(page);
      for (const label of Object.values(texts.parts)) {
        await openTab(page, label);
        await page.getByRole("tabpanel", { name: label, exact: true }).waitFor();
        await fits(1);
      }
      await page.getByRole("button", { name: texts.ofCommands.more }).click();
      await fits(1);
      await page.getByRole("button", { name: texts.ofHead.settings, exact: true }).click();
      await page.getByRole("heading", { name: texts.ofHead.settings }).waitFor();
      await fits(0);
    },
  );
});

/** The number of lines that the pane's tabs take; none while the settings are open. */
async function countLines(page: Page): Promise<number> {
  const tabs = page.getByRole("tablist", { name: "FEED for Excel" }).getByRole("tab");
  return new Set(await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))).size;
}
