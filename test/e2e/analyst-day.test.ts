import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { type Texts, toTexts } from "../../src/taskpane/texts";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkAccess } from "../support/page-access";
import { waitUntilConnected } from "../support/pane-page";
import { createKeyboard, createMouse, type Hands } from "./hands";
import { openPlayground, pane, readRange, readSettled, type } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let frame: Frame;
let errors: string[];
let texts: Texts;
let hands: Hands;
let shoot: (step: string) => Promise<void>;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
});
afterEach(async () => {
  companion.controls.reset();
  await page.context().close();
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const LOOKS = [
  { name: "en-light", query: "?lang=en", language: "en-US", scheme: "light", createHands: createMouse },
  { name: "en-dark", query: "?lang=en", language: "en-US", scheme: "dark", createHands: createKeyboard },
  { name: "ja-light", query: "?lang=ja", language: "ja-JP", scheme: "light", createHands: createMouse },
] as const;

/** Widths of the pane in pixels: of Excel for Mac, and of a pane that was widened. */
const WIDTHS = [270, 400];

/** A company by its full name, since a listed one has the same without its legal form. */
const COMPANY = "Sakura Bakery Co., Ltd.";

/** Companies with financials, as an analyst writes them. */
const WRITTEN = ["Yuzuriha Energy", "Komorebi Education", "Inaho Logistics", "Sakura Bakery", "Hidamari"];

async function open({ name, query, language, scheme, createHands }: (typeof LOOKS)[number]): Promise<void> {
  const opened = await openPlayground(browser, `${companion.origin}/playground.html${query}`, scheme);
  ({ page, errors } = opened);
  texts = toTexts(language);
  hands = createHands(page);
  shoot = async (step) => {
    for (const width of WIDTHS) {
      await page.evaluate((px) => document.body.style.setProperty("--pane-width", `${px}px`), width);
      await saveScreenshot(page, `day-${name}-${step}-${width}`);
    }
    await checkAccess(frame);
  };
}

const button = (name: string) => frame.getByRole("button", { name, exact: true });
const tab = (name: string) => frame.getByRole("tab", { name, exact: true });
const waitForSheets = (count: number) =>
  page.waitForFunction((wanted) => window.playground.save().sheets.length === wanted, count);

/** Waits until every cell of a range is a number. */
const waitForNumbers = (range: string) =>
  page.waitForFunction(
    (reference) =>
      window.playground
        .range(reference)
        .flat()
        .every((value) => typeof value === "number"),
    range,
  );

/** Begins a workbook with an empty sheet. */
async function beginWorkbook(): Promise<void> {
  await pressMenu(NEW);
  await waitForSheets(1);
  frame = pane(page);
  await waitUntilConnected(frame);
}

/** A name typed into Find opens the company, whose revenue and peers go into cells. */
async function findCompany(): Promise<void> {
  await hands.select(0, 0);
  await hands.press(tab(texts.parts.find));
  await hands.write(frame.getByRole("combobox", { name: texts.ofFind.company, exact: true }), COMPANY);
  await frame.getByRole("img").first().waitFor();
  await shoot("1-company");
  await hands.press(button(texts.ofFind.insertRevenue));
  const { value, text } = await readSettled(page, "A1");
  expect(text).toBe((value as number).toLocaleString("en"));
  await hands.select(0, 2);
  await hands.press(button(texts.ofFind.insertPeers));
  await readSettled(page, "A4");
  const industries = (await readRange(page, "I4:I40")).flat().filter((value) => value !== null && value !== "");
  expect(new Set(industries).size).toBe(1);
  await shoot("2-peers");
}

/** The same name in a formula gives the same figure; the pane tells what stands behind it. */
async function typeFormula(): Promise<void> {
  await type(page, ["C1", `=FEED.FINANCIAL("${COMPANY}", "FY0", "Revenue")`]);
  expect((await readSettled(page, "C1")).value).toBe((await readSettled(page, "A1")).value);
  await hands.select(2, 0);
  await hands.press(tab(texts.parts.cell));
  await frame.getByText(/(Sakura Bakery|さくらベーカリー).* · (Revenue · FY20|売上高 · 20)/).waitFor();
  await shoot("3-this-cell");
}

/** Five companies picked by name make a table without gaps. */
async function compareCompanies(): Promise<void> {
  await hands.press(tab(texts.parts.sheets));
  await hands.press(frame.getByRole("radio", { name: texts.ofSheets.templates.comparison }));
  for (const name of WRITTEN) {
    await hands.write(frame.getByRole("combobox", { name: texts.ofSheets.companies, exact: true }), name);
  }
  await shoot("4-companies");
  await hands.press(button(texts.ofSheets.make));
  await waitForSheets(2);
  await waitForNumbers("D16:H20");
  await waitForNumbers("D12:H15");
  await shoot("5-comparison");
}

async function makeStatement(): Promise<void> {
  await hands.press(frame.getByRole("radio", { name: texts.ofSheets.templates.statement }));
  await hands.write(frame.getByRole("combobox", { name: texts.ofSheets.company, exact: true }), "Komorebi Education");
  await hands.press(button(texts.ofSheets.make));
  await waitForSheets(3);
  await waitForNumbers("C18:G18");
  await shoot("6-statement");
}

async function makeRanking(): Promise<void> {
  await hands.press(frame.getByRole("radio", { name: new RegExp(`^${texts.ofSheets.templates.ranking}`) }));
  const schedule = frame.getByLabel(texts.ofSheets.schedule, { exact: true });
  await hands.choose(schedule, texts.ofSheets.schedules.weekly);
  expect(await schedule.inputValue()).toBe("weekly");
  await hands.press(button(texts.ofSheets.make));
  await waitForSheets(4);
  await waitForNumbers("A14:A38");
  await shoot("7-ranking");
}

/** Freezing puts values in the place of all formulas, and thawing brings the same formulas back. */
async function freezeAndThaw(): Promise<void> {
  const before = await readFormulas();
  const { commands, more } = texts.ofCommands;
  for (const [command, isLive] of [
    [commands.freezeWorkbook, false],
    [commands.thawWorkbook, true],
  ] as const) {
    await hands.press(button(more));
    await hands.press(button(command));
    await hands.press(frame.getByRole("button", { name: isLive ? THAW : FREEZE }).first());
    await page.waitForFunction((live) => window.playground.live() > 0 === live, isLive);
    await shoot(isLive ? "9-thawed" : "8-frozen");
  }
  expect(await readFormulas()).toEqual(before);
}

/** The button that confirms, with the number of formulas. */
const [FREEZE, THAW] = [/^Freeze \d+ |個の数式を固定$/, /^Thaw \d+ |個の数式に戻す$/];

const readFormulas = () =>
  page.evaluate(() =>
    window.playground.save().sheets.map(({ name, cells }) => [
      name,
      Object.entries(cells as Record<string, unknown>)
        .filter(([, content]) => String(content).includes("FEED."))
        .map(([cell]) => [cell, window.playground.formula(`'${name}'!${cell}`)]),
    ]),
  );
/** The values of all sheets but for the times of their data: a sheet's counts more formulas until it has been read. */
const readValues = () =>
  page.evaluate(
    (asOf) =>
      window.playground
        .save()
        .sheets.map(({ name }) =>
          window.playground.range(`'${name}'!A1:I40`).map((row) => (row[0] === asOf ? [asOf] : row)),
        ),
    texts.ofSheets.sheet.asOf,
  );

/** After a reload all sheets stand there, with the same formulas and values. */
async function reload(before: Awaited<ReturnType<typeof readDay>>): Promise<void> {
  await page.locator("#save-state", { hasText: /^Saved|保存/ }).waitFor();
  await page.reload();
  await page.evaluate(() => window.playground.ready);
  frame = pane(page);
  await waitForDay(before);
  await shoot("10-reloaded");
}

const readDay = async () => ({ formulas: await readFormulas(), values: await readValues() });

/** Waits until the workbook has the same values again, and compares its formulas with those before. */
async function waitForDay({ formulas, values }: Awaited<ReturnType<typeof readDay>>): Promise<void> {
  const expected = JSON.stringify(values);
  const endMs = Date.now() + 10_000;
  while (JSON.stringify(await readValues()) !== expected && Date.now() < endMs);
  expect(await readValues()).toEqual(values);
  expect(await readFormulas()).toEqual(formulas);
}

/** The workbook goes out as a file of Excel, and comes in again with the same formulas and values. */
async function downloadAndUpload(before: Awaited<ReturnType<typeof readDay>>): Promise<void> {
  const [downloading] = [page.waitForEvent("download"), await pressMenu(DOWNLOAD)];
  const buffer = readFileSync(await (await downloading).path());
  const [choosing] = [page.waitForEvent("filechooser"), await pressMenu(UPLOAD)];
  await (await choosing).setFiles({ name: "Day.xlsx", mimeType: "", buffer });
  await page.locator("#workbook-name", { hasText: "Day" }).waitFor();
  await waitForDay(before);
  await shoot("11-uploaded");
}

/** Places of the commands in the workbook's menu. */
const [NEW, UPLOAD, DOWNLOAD] = [0, 3, 6];

async function pressMenu(place: number): Promise<void> {
  await hands.press(page.locator("#workbooks summary"), "strip");
  await hands.press(page.locator("#workbooks-list button:not([hidden])").nth(place), "strip");
}

describe("an analyst's day", () => {
  it.each(LOOKS)(
    "goes from a typed name to a workbook that stays ($name)",
    async (look) => {
      await open(look);
      await beginWorkbook();
      await findCompany();
      await typeFormula();
      await compareCompanies();
      await makeStatement();
      await makeRanking();
      await freezeAndThaw();
      const day = await readDay();
      await reload(day);
      await downloadAndUpload(day);
      for (const name of [texts.parts.build, texts.parts.changes]) {
        await hands.press(tab(name));
        await shoot(name === texts.parts.build ? "12-build" : "13-changes");
      }
      expect(errors).toEqual([]);
    },
    180_000,
  );
});
