import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { PLAYGROUND_WORKBOOK } from "../../src/contract/workbook";
import { toTexts } from "../../src/taskpane/texts";
import { matchTexts } from "../../src/taskpane/texts/match";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { clearWorkbook, openPlayground, pane, readRange, type as typeCells, waitFor } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;
const pages: Page[] = [];

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const ABSENT = "Qqzzxv Umezawa";

/** Opens the playground on the Match tab. */
async function open(language: "en" | "ja", load: (page: Page) => Promise<void>) {
  const { page, errors } = await openPlayground(browser, `${companion.origin}/playground.html?lang=${language}`);
  pages.push(page);
  await load(page);
  const frame = pane(page);
  await waitUntilConnected(frame);
  const texts = toTexts(language);
  await openTab(frame, texts.parts.find);
  await frame.getByRole("tab", { name: texts.ofFind.kinds.match, exact: true }).click();
  const ofMatch = matchTexts[language];
  const button = (name: string | RegExp) => frame.getByRole("button", { name, exact: true });
  await button(ofMatch.match).waitFor();
  return { page, frame, errors, texts, ofMatch, button };
}

const select = (frame: Frame, address: string) =>
  frame.evaluate(([key, wanted]) => window[key].show({ sheet: "Empty", address: wanted }), [
    PLAYGROUND_WORKBOOK,
    address,
  ] as const);

/** Two names of listed companies that no other has. */
async function readNames(page: Page): Promise<string[]> {
  await typeCells(page, ["H1", '=FEED.RANKING("2024-01", , 60, "companyName", , FALSE)']);
  await page.waitForFunction(() => typeof window.playground.get("H40").value === "string");
  const names = (await readRange(page, "H1:H60")).flat().map(String);
  await typeCells(page, ["H1", ""]);
  return names.filter((name) => / (Tokyo|Osaka|Nagoya|Fukuoka)/.test(name)).slice(0, 2);
}

describe("names matched on one day, and another day", () => {
  it.each(["en", "ja"] as const)(
    "keep decisions, cells and undo through changes of the sheet (%s)",
    async (language) => {
      const { page, frame, errors, texts, ofMatch, button } = await open(language, clearWorkbook);
      const [one = "", other = ""] = await readNames(page);
      await typeCells(page, ["A1", "Company"], ["A2", one], ["A3", other], ["A5", ABSENT], ["B3", "mine"]);
      await typeCells(page, ["D2", '=FEED.COMPANY.MATCH(A2:A5, , , "state,reason", FALSE)']);
      await waitFor(page, "D5", "none");
      expect(await readRange(page, "E5")).toEqual([[language === "ja" ? "似た名称なし" : "no similar name"]]);

      await select(frame, "A1:A5");
      await button(ofMatch.match).click();
      await button(ofMatch.accept(2)).click();
      await frame.getByText(new RegExp(ofMatch.headings(1).replace(/[.。]/g, "."))).waitFor();
      await button(ofMatch.noneOfThese).click();
      await frame.getByText(ofMatch.allDecided, { exact: true }).waitFor();
      await waitFor(page, "E5", language === "ja" ? "ブックでの選択" : "workbook");
      expect(await readRange(page, "D2:D5")).toEqual([["exact"], ["exact"], [""], ["none"]]);

      await button(ofMatch.ids("B2:B5")).click();
      await frame.getByText(ofMatch.occupied(1, "Empty!B2:B5")).waitFor();
      expect(await readRange(page, "B2:B5")).toEqual([[null], ["mine"], [null], [null]]);
      await button(texts.replace).click();
      await frame.getByText(ofMatch.written.ids(2, "Empty!B2:B5")).waitFor();
      await saveScreenshot(page, `match-other-day-${language}`);
      const [[first], [second], ...rest] = (await readRange(page, "B2:B5")) as [[string], [string], ...unknown[][]];
      expect([first, second].every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
      expect(rest).toEqual([[null], [null]]);

      const saved = await page.evaluate(() => {
        window.playground.insertRow(2);
        return window.playground.save();
      });
      await button(ofMatch.ids("B2:B5")).click();
      await frame.getByText(ofMatch.changed).waitFor();
      await button(ofMatch.undo).click();
      await button(ofMatch.undo).waitFor({ state: "detached" });
      expect(await readRange(page, "B2:B6")).toEqual([[null], [null], ["mine"], [null], [null]]);
      expect(errors).toEqual([]);

      const next = await open(language, async (fresh) => {
        await fresh.evaluate((workbook) => window.playground.load(workbook), saved);
        await pane(fresh).evaluate(() => location.reload()); // as Excel, which starts a page for each workbook
        await pane(fresh).waitForLoadState();
      });
      await next.button(/A2:A5/).click();
      await next.frame.getByRole("tab", { name: ofMatch.step.decided(2), exact: true }).waitFor();
      expect(next.errors).toEqual([]);
    },
    120_000,
  );
});
