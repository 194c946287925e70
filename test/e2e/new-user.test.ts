import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { type Texts, toTexts } from "../../src/taskpane/texts";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkAccess } from "../support/page-access";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { clearWorkbook, openPlayground, pane, read, readSettled } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
});
beforeEach(() => companion.controls.reset());
afterEach(() => page.close());
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const LOOKS = [
  { name: "en-light", query: "", language: "en-US", scheme: "light" },
  { name: "en-dark", query: "", language: "en-US", scheme: "dark" },
  { name: "ja-light", query: "?lang=ja", language: "ja-JP", scheme: "light" },
] as const;

const press = (place: Frame | Page, name: string) => place.getByRole("button", { name, exact: true }).click();
const receive = (frame: Frame, text: string) => frame.getByRole("status").filter({ hasText: text }).waitFor();

/** From the pane's first page to the company's card, by a name in any script. */
async function findSakura(frame: Frame, texts: Texts, shoot: (step: string) => Promise<string>): Promise<void> {
  await waitUntilConnected(frame);
  await shoot("1-connected");
  await frame.getByRole("combobox", { name: texts.ofFind.company }).fill("Sakura");
  await frame.getByRole("option").first().waitFor();
  await shoot("2-found");
  await page.keyboard.press("Enter");
  await frame.getByRole("img").first().waitFor();
  await shoot("3-card");
}

/** Inserts the latest revenue into the selected cell, then another year in its place. */
async function insertAndChangeYear(
  frame: Frame,
  texts: Texts,
  shoot: (step: string) => Promise<string>,
): Promise<void> {
  await press(frame, texts.ofFind.insertRevenue);
  await receive(frame, texts.inserted("Empty!A1"));
  expect(await page.evaluate(() => window.playground.formula("A1"))).toMatch(
    /^=FEED\.FINANCIAL\("[^"]+","FY0","Revenue"\)$/,
  );
  const latest = (await readSettled(page, "A1")).value;
  await shoot("4-inserted");
  await openTab(frame, texts.parts.build);
  const year = frame.getByRole("combobox", { name: texts.ofBuild.labels.year as string });
  await year.fill("2022");
  await year.press("Enter");
  await press(frame, texts.ofBuild.replaceIn("Empty!A1"));
  await page.waitForFunction(() => window.playground.formula("A1").includes("2022"));
  const figure = (await readSettled(page, "A1")).value;
  expect([typeof latest, typeof figure, figure === latest]).toEqual(["number", "number", false]);
  await shoot("5-year");
}

/** Creates a ranking sheet, refreshes it to other values, and freezes all of them. */
async function rankRefreshFreeze(frame: Frame, texts: Texts, shoot: (step: string) => Promise<string>): Promise<void> {
  await openTab(frame, texts.parts.sheets);
  await press(frame, texts.ofSheets.make);
  await page.waitForFunction(() => window.playground.save().sheets.length === 2);
  const sheet = await page.evaluate(() => window.playground.save().sheets[1]?.name);
  await readSettled(page, `${sheet}!A13`);
  await shoot("6-ranking");
  const before = (await read(page, "Empty!A1")).value as number;
  companion.controls.perturb = (value) => value + 1000;
  await press(page, texts.ofCommands.commands.refreshAll);
  await page.waitForFunction((value) => window.playground.get("Empty!A1").value === value, before + 1000);
  await shoot("7-refreshed");
  await frame.getByRole("button", { name: texts.ofCommands.more, expanded: false }).click();
  await press(frame, texts.ofCommands.commands.freezeWorkbook);
  await press(frame, texts.ofCommands.freezeNow(3)); // the figure, the ranking and its "as of"
  await page.waitForFunction(
    (value) => window.playground.formula("Empty!A1") === value,
    (before + 1000).toLocaleString("en"),
  );
  await shoot("8-frozen");
  expect(await page.evaluate(() => window.playground.live())).toBe(0);
}

describe("a new user", () => {
  it.each(LOOKS)(
    "gets a live figure, a ranking sheet and frozen values ($name)",
    async (look) => {
      ({ page, errors } = await openPlayground(
        browser,
        `${companion.origin}/playground.html${look.query}`,
        look.scheme,
      ));
      await clearWorkbook(page);
      const frame = pane(page);
      const texts = toTexts(look.language);
      const shoot = (step: string) => saveScreenshot(page, `new-user-${look.name}-${step}`);
      await findSakura(frame, texts, shoot);
      await insertAndChangeYear(frame, texts, shoot);
      await rankRefreshFreeze(frame, texts, shoot);
      await checkAccess(frame);
      expect(errors).toEqual([]);
    },
    120_000,
  );
});
