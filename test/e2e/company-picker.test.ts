import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { TEMPLATES } from "../../src/session/persisted-settings";
import { toTexts } from "../../src/taskpane/texts";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkAccess } from "../support/page-access";
import { waitUntilConnected } from "../support/pane-page";
import { clearWorkbook, openPlayground, pane, readSettled, type } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
});
afterEach(() => page.close());
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

async function open(query = "", scheme: "light" | "dark" = "light"): Promise<Frame> {
  ({ page } = await openPlayground(browser, `${companion.origin}/playground.html${query}`, scheme));
  await clearWorkbook(page);
  const frame = pane(page);
  await waitUntilConnected(frame);
  return frame;
}

/** Presses Tab until an element with this role and name has the focus. */
async function tabTo(frame: Frame, role: "combobox" | "button" | "tab" | "radio", name: string): Promise<void> {
  const wanted = frame.getByRole(role, { name });
  for (let presses = 0; presses < 40; presses++) {
    if (await wanted.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach "${name}"`);
}

const readFocus = (frame: Frame) => frame.evaluate(() => document.activeElement?.textContent ?? "");

describe.each([
  { language: "en-US", query: "", scheme: "light", name: "Sakura", typo: "Sakura Foodz" },
  { language: "ja-JP", query: "?lang=ja", scheme: "dark", name: "さくら", typo: "さくら食料" },
] as const)("a company chosen by keyboard alone, $language", ({ language, query, scheme, name, typo }) => {
  const texts = toTexts(language);
  const shoot = (step: string) => saveScreenshot(page, `company-picker-${language}-${step}`);

  it("is found by a part of its name: an arrow, Enter, and its card opens", async () => {
    const frame = await open(query, scheme);
    await frame.getByRole("combobox", { name: texts.ofFind.company }).focus();
    await page.keyboard.type(name);
    const second = frame.getByRole("option").nth(1);
    await second.waitFor();
    await frame.locator('[role="option"][data-active]').first().waitFor();
    await shoot("found");
    await page.keyboard.press("ArrowDown");
    await frame.locator('[role="option"]:nth-child(2)[data-active]').waitFor();
    const text = await second.innerText();
    await page.keyboard.press("Enter");
    await frame.waitForFunction(() => document.activeElement?.tagName === "H2");
    expect(text).toContain(await readFocus(frame));
    await checkAccess(frame);
  });

  it("is a chip of a pasted list; a doubtful one is resolved by its candidates", async () => {
    const frame = await open(query, scheme);
    await frame.getByRole("tab", { name: texts.parts.sheets }).focus();
    await page.keyboard.press("Enter");
    await tabTo(frame, "radio", texts.ofSheets.templates.ranking);
    for (let at = TEMPLATES.indexOf("ranking"); TEMPLATES[at] !== "comparison"; at++)
      await page.keyboard.press("ArrowDown");
    await tabTo(frame, "combobox", texts.ofSheets.companies);
    const lines = ["2730196982816", typo, "qqqq", "1111111", "2222222"];
    await frame.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, lines.join("\n"));
    await frame.getByText(texts.ofPicker.chosenCount(5, 2)).waitFor();
    await tabTo(frame, "button", texts.ofPicker.choose(typo));
    await page.keyboard.press("Enter");
    await frame.waitForFunction(() => document.activeElement?.getAttribute("role") === "listbox");
    await shoot("candidates");
    await checkAccess(frame);
    await page.keyboard.press("Enter");
    await frame.getByText(texts.ofPicker.chosenCount(5, 1)).waitFor();
    expect(await readFocus(frame)).toMatch(/(Sakura|さくら).* ×$/);
    await shoot("chips");
    expect(await page.evaluate(() => window.playground.save().sheets.length)).toBe(1);
  });

  it("gives a formula's name its company, from the cell's error", async () => {
    const frame = await open(query, scheme);
    await type(page, ["A1", `=FEED.COMPANY.ID("${name}")`]);
    expect((await readSettled(page, "A1", 20_000)).value).toBe("#VALUE!");
    await frame.getByRole("tab", { name: texts.parts.cell }).click();
    await frame.getByRole("button", { name: texts.ofPicker.chooseInFind }).click();
    await frame.getByText(texts.ofPicker.choosing(name)).waitFor();
    await frame.locator('[role="option"][data-active]').first().waitFor();
    await shoot("named");
    await page.keyboard.press("Enter");
    const use = frame.getByRole("button", { name: texts.ofPicker.use(name) });
    await use.waitFor();
    await shoot("card");
    await use.click();
    await page.waitForFunction(() => /^[0-9a-f-]{36}$/.test(String(window.playground.get("A1").value)));
    await frame.getByRole("tab", { name: texts.parts.cell }).click();
    await frame.getByText(texts.ofProvenance.resolved(name, "", "").slice(0, 12)).waitFor();
    await shoot("cell");
  });
});
