import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import metadata from "../functions/functions.golden.json";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openDemo, read, type } from "./playground-page";

const EXAMPLES: Record<string, { formula: string }[]> = JSON.parse(
  readFileSync(join(__dirname, "../../dist/web/reference/examples.json"), "utf8"),
);

let browser: Browser;
let companion: RunningCompanion;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  page = (await openDemo(browser, companion.origin)).page;
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Clicks a cell of the model's first column. */
const select = (cell: "A1" | "A3") =>
  page.click(".o-grid-overlay", { position: { x: 40, y: cell === "A1" ? 12 : 60 } });
const waitForSentence = (shown: boolean) =>
  page.waitForFunction((hidden) => document.getElementById("cell-error")?.hidden === hidden, !shown);
const isHelpOpen = () => page.locator("#formulas-list").isVisible();
const readFocus = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

describe("the formula help", () => {
  it("has each formula's description and every argument with its text", async () => {
    await page.click("#formulas-label");
    const text = (await page.innerText("#formulas-list")).replace(/\s+/g, " ");
    for (const { description, parameters } of metadata.functions) {
      expect(text).toContain(description);
      for (const parameter of parameters) expect(text).toContain(`${parameter.name} ${parameter.description}`);
    }
    await saveScreenshot(page, "playground-help");
    await page.keyboard.press("Escape");
  });

  it("has the first example of each formula's reference, and a link to its page", async () => {
    await page.click("#formulas-label");
    const examples = await page.locator("#formulas-list code").allInnerTexts();
    expect(examples).toEqual(Object.values(EXAMPLES).map(([first]) => first?.formula));
    const pages = await page.locator("#formulas-list a").all();
    expect(pages).toHaveLength(metadata.functions.length);
    for (const [index, link] of pages.entries()) {
      const answer = await page.request.get(`${companion.origin}/${await link.getAttribute("href")}`);
      expect([answer.status(), await answer.text()]).toEqual([
        200,
        expect.stringContaining(`<h1>FEED.${metadata.functions[index]?.name}</h1>`),
      ]);
    }
    await page.keyboard.press("Escape");
  });

  it("selects a whole example by one click", async () => {
    await page.click("#formulas-label");
    const example = page.locator("#formulas-list code").first();
    await example.click();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(await example.innerText());
    await page.keyboard.press("Escape");
  });

  it("closes with Escape, which returns focus to its button", async () => {
    await page.click("#formulas-label");
    await page.click("#formulas-list h2");
    expect(await isHelpOpen()).toBe(true);
    await page.keyboard.press("Escape");
    expect([await isHelpOpen(), await readFocus()]).toEqual([false, "formulas-label"]);
  });

  it("closes with a click elsewhere, which also selects that cell", async () => {
    await select("A3");
    await type(page, ["A1", "=1/0"]);
    await waitForSentence(false);
    await page.click("#formulas-label");
    await select("A1");
    await waitForSentence(true);
    expect(await isHelpOpen()).toBe(false);
  });
});

describe("a long error sentence", () => {
  it.each([800, 1024, 1440])("does not move the grid at a width of %d", async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const readTop = () => page.evaluate(() => document.getElementById("workbook")?.getBoundingClientRect().top);
    await type(page, ["A1", "Financial model"]);
    await select("A1");
    await waitForSentence(false);
    const top = await readTop();
    await type(page, ["A1", `=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",1901,"Revenue")`]);
    await waitForSentence(true);
    expect(await readTop()).toBe(top);
    const message = (await read(page, "A1")).error?.message ?? "";
    expect(message.length).toBeGreaterThan(100);
    const line = await page.evaluate(() => {
      const element = document.getElementById("cell-error") as HTMLElement;
      getSelection()?.selectAllChildren(element);
      const { right } = element.getBoundingClientRect();
      const button = document.getElementById("formulas-label")?.getBoundingClientRect().left ?? 0;
      const isInPlace = right <= button && document.documentElement.scrollWidth <= innerWidth;
      return { title: element.title, selected: String(getSelection()), isInPlace };
    });
    expect(line).toEqual({ title: `#N/A ${message}`, selected: `#N/A ${message}`, isInPlace: true });
    await saveScreenshot(page, `playground-error-${width}`);
  });
});
