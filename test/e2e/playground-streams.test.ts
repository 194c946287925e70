import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openDemo, read, readRange, readSettled, type, waitFor } from "./playground-page";

const RANKING_ALL = '=FEED.RANKING("2024-01-01","2024-01-31","all")';
const RANKING_NOT_ASKED_YET = '=FEED.RANKING("2024-03-01","2024-03-31","all")';
const FIGURE = '=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",2023,"Revenue")';
/** Much longer than a query outlives its cell. */
const LONG_MS = 10_000;

let browser: Browser;
let companion: RunningCompanion;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  page = (await openDemo(browser, companion.origin)).page;
});
afterEach(() => companion.controls.reset());
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Leaves an empty sheet without pending queries. */
async function clear(): Promise<void> {
  await clearWorkbook(page);
  companion.controls.reset();
}

/** The pane records in the workbook which provider its values came from. */
const untilProviderIsRecorded = () =>
  page.waitForFunction(() => "feed" in window.playground.save().documentSettings, null, { polling: 100 });

/** The latency of every page of a ranking but the first. */
function delayLaterPages(latencyMs: number): void {
  const { controls } = companion;
  controls.latencyMsOf = {
    get rankCompanies() {
      return controls.count("rankCompanies") > 1 ? latencyMs : 0;
    },
  };
}

describe("a workbook", () => {
  it("is restored completely from its saved form: formulas, values and styles", async () => {
    await untilProviderIsRecorded();
    const before = await readRange(page, "Model!A1:H36");
    const saved = await page.evaluate(() => window.playground.save());
    await clearWorkbook(page);
    await page.evaluate((snapshot) => window.playground.load(snapshot), saved);
    await page.waitForFunction(() => typeof window.playground.get("Model!G36").value === "number");
    await waitFor(page, "Ranking!A30", 25);
    expect(await readRange(page, "Model!A1:H36")).toEqual(before);
    expect(await page.evaluate(() => window.playground.save())).toEqual(saved);
  });
});

describe("a ranking of all companies", () => {
  beforeEach(clear);

  it("shows its first page before later ones are requested, then 4,000 rows and a header", async () => {
    delayLaterPages(2_000);
    await type(page, ["A1", RANKING_ALL]);
    await waitFor(page, "A2", 1);
    const requestsAtFirst = companion.controls.count("rankCompanies");
    expect((await read(page, "A4001")).value).toBeNull();
    companion.controls.latencyMsOf = {};
    await waitFor(page, "A4001", 4000);
    expect(companion.controls.count("rankCompanies")).toBeGreaterThan(requestsAtFirst);
    const ranks = (await readRange(page, "A1:A4002")).flat();
    expect(ranks).toEqual(["Rank", ...Array.from({ length: 4000 }, (_, index) => index + 1), null]);
  });

  it("requests no further page once its cell is deleted, and cancels the pending one", async () => {
    delayLaterPages(LONG_MS);
    const givenUp = page.waitForEvent("requestfailed", (request) => request.url().includes("page=2&"));
    await type(page, ["A1", RANKING_NOT_ASKED_YET]);
    await waitFor(page, "A2", 1);
    await type(page, ["A1", ""]);
    await page.waitForFunction(() => window.playground.live() === 0);
    await givenUp;
    const requestsBefore = companion.controls.count("rankCompanies");
    expect(requestsBefore).toBeLessThanOrEqual(2);
    companion.controls.latencyMsOf = {};
    await type(page, ["A1", '=FEED.RANKING("2024-02-01","2024-02-29",1)']);
    await waitFor(page, "A2", 1);
    expect(companion.controls.count("rankCompanies")).toBe(requestsBefore + 1);
  });

  it("shows every hostile name as text and runs nothing", async () => {
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await type(page, ["A1", RANKING_ALL]);
    await waitFor(page, "A4001", 4000);
    const names = (await readRange(page, "B2:B4001")).map(([name], index) => ({ name: String(name), row: index + 2 }));
    const hostile = names.filter(({ name }) => /^[=+@-]|[<>]/.test(name));
    expect(hostile.some(({ name }) => name.startsWith("=HYPERLINK("))).toBe(true);
    expect(hostile.some(({ name }) => name.includes("<img"))).toBe(true);
    const column = await page.evaluate(
      (rows) => rows.map(({ row }) => window.playground.formula(`B${row}`)),
      hostile.slice(0, 50),
    );
    expect(new Set(column)).toEqual(new Set([""]));
    expect(await page.locator("[onerror]").count()).toBe(0);
    expect(dialogs).toEqual([]);
  });
});

describe("a figure", () => {
  beforeEach(clear);

  it("is shown for a typed formula, and removed by one undo", async () => {
    await page.click(".o-grid-overlay", { position: { x: 40, y: 12 } });
    await page.keyboard.type(FIGURE);
    await page.keyboard.press("Enter");
    const { value } = await readSettled(page, "A1");
    expect(value).toBeGreaterThan(0);
    expect(await page.evaluate(() => window.playground.formula("A1").replaceAll(" ", ""))).toBe(FIGURE);
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => window.playground.live() === 0);
    expect((await read(page, "A1")).value).toBeNull();
  });
});
