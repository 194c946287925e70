import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { PAGE_TYPES } from "../../src/contract/parameter-values";
import { COMPANIES } from "../../src/playground/sample-workbook";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openDemo, readRange, readSettled, type } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  page = await open("");
});
beforeEach(() => clear(page));
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const open = async (query: string) => (await openDemo(browser, companion.origin, { query })).page;

/** Clears the workbook and selects A1. */
async function clear(target: Page): Promise<void> {
  await clearWorkbook(target);
  await target.click(".o-grid-overlay", { position: { x: 40, y: 12 } });
}

const quote = (values: readonly string[]) => values.map((value) => `"${value}"`);

/** Waits until the cell editor has a text with the caret at its end, and suggests exactly these; null for any. */
async function waitForProposals(text: string, proposals: readonly string[] | null, target = page): Promise<void> {
  await target.waitForFunction(
    ([wanted, values]) => {
      const editor = document.querySelector(".o-grid .o-composer");
      const selection = getSelection();
      if (!editor || !selection?.focusNode || !editor.contains(selection.focusNode)) return false;
      const before = document.createRange();
      before.setStart(editor, 0);
      before.setEnd(selection.focusNode, selection.focusOffset);
      const shown = [...document.querySelectorAll<HTMLElement>(".o-autocomplete-value")].map((each) => each.innerText);
      const isTyped = before.toString() === wanted && editor.textContent === wanted;
      return isTyped && (values === null || JSON.stringify(shown) === JSON.stringify(values));
    },
    [text, proposals] as const,
  );
}

const readAssistant = async (target = page) =>
  (await target.locator(".o-composer-assistant").innerText()).replace(/\s+/g, " ");

/** Presses a key and releases it when the page shows its effect, since the engine reads the caret on release. */
async function hold(key: string, untilShown: () => Promise<void>, target = page): Promise<void> {
  await target.keyboard.down(key);
  await untilShown();
  await target.keyboard.up(key);
}

/** Types more text, at the speed of what the editor shows. */
async function write(more: string, written = "", target = page): Promise<void> {
  for (let count = 1; count <= more.length; count++) {
    const text = written + more.slice(0, count);
    await hold(text.slice(-1), () => waitForProposals(text, null, target), target);
  }
}

const moveTo = (proposal: string) =>
  hold("ArrowDown", () => page.locator(".o-autocomplete-value-focus", { hasText: proposal }).waitFor());

const take = (text: string) => hold("Tab", () => waitForProposals(text, []));

describe("a formula typed by keyboard", () => {
  it("is suggested by name, and its page types with their meaning, beside argument help", async () => {
    await write("=FEED.RA");
    await waitForProposals("=FEED.RA", [
      "FEED.RANKING",
      "FEED.RANKING.PAGES",
      "FEED.RANKING.TREND",
      "FEED.RANKING.MOVERS",
      "FEED.RANKING.INDUSTRIES",
    ]);
    await moveTo("FEED.RANKING.PAGES");
    await take("=FEED.RANKING.PAGES(");
    await write('"2024-01",,', "=FEED.RANKING.PAGES(");
    await waitForProposals('=FEED.RANKING.PAGES("2024-01",,', quote(PAGE_TYPES));
    expect(await readAssistant()).toContain("Company overview");
    expect(await readAssistant()).toContain("One type of page");
    await saveScreenshot(page, "playground-ranking-pages-typed");
    await write('"NEW', '=FEED.RANKING.PAGES("2024-01",,');
    await waitForProposals('=FEED.RANKING.PAGES("2024-01",,"NEW', quote(["NEWS"]));
    await take('=FEED.RANKING.PAGES("2024-01",,"NEWS"');
    await page.keyboard.type(",20)");
    await page.keyboard.press("Enter");
    expect((await readSettled(page, "A1")).value).toBe("Rank");
    expect((await readRange(page, "A2:A21")).flat()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    await saveScreenshot(page, "playground-ranking-pages");
  });

  it("suggests the layouts of a financials table, and shows statements", async () => {
    await type(page, ["A1", COMPANIES[0]?.id ?? ""]);
    await page.keyboard.press("ArrowDown");
    await write("=FEED.FINANCIALS(A1,,,");
    await waitForProposals("=FEED.FINANCIALS(A1,,,", quote(["wide", "statement", "long"]));
    await moveTo("statement");
    await saveScreenshot(page, "playground-financials-typed");
    await take('=FEED.FINANCIALS(A1,,,"statement"');
    await page.keyboard.type(")");
    await page.keyboard.press("Enter");
    expect((await readSettled(page, "A2")).error).toBeUndefined();
    expect((await readRange(page, "A2:A40")).flat()).toContain("Revenue");
    await saveScreenshot(page, "playground-financials-statement");
  });

  it("accepts a value that is not suggested", async () => {
    await page.keyboard.type('=FEED.RANKING("2024-01",,3,"companyName,rank")');
    await page.keyboard.press("Enter");
    await readSettled(page, "A1");
    expect(await readRange(page, "A1:B1")).toEqual([["Company", "Rank"]]);
  });

  it("is explained in Japanese on a Japanese page", async () => {
    const japanese = await open("?lang=ja");
    await clear(japanese);
    await write('=FEED.RANKING.PAGES("2024-01",,', "", japanese);
    await waitForProposals('=FEED.RANKING.PAGES("2024-01",,', quote(PAGE_TYPES), japanese);
    expect(await readAssistant(japanese)).toContain("企業概要");
    expect(await readAssistant(japanese)).toContain("ページ種別 1 つ");
    await saveScreenshot(japanese, "playground-ranking-pages-ja");
    await japanese.close();
  });
});
