import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { until } from "../support/until";
import { listAnswers } from "./persisted-answers";
import { clearWorkbook, openPlayground, pane, readRange, readSettled, type } from "./playground-page";
import { createSurroundings } from "./surroundings";

const YEARS = [2020, 2021, 2022, 2023];
const COMPANY = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
const FIGURES = YEARS.map((year, index): [cell: string, text: string] => [
  `K${index + 1}`,
  `=FEED.FINANCIAL("${COMPANY}",${year},"Revenue")`,
]);
const RANKING = '=FEED.RANKING("2024-01-01","2024-01-31",5)';
const CELLS = "A1:K6";

const at = createSurroundings();
/** A browser context with empty storage. */
let fresh: BrowserContext;
/** A context in which one window has filled the cells, and stays open. */
let used: BrowserContext;
let first: Page;
const errors: string[][] = [];
/** The cells with empty storage. */
let expected: unknown[][];

beforeAll(async () => {
  used = await at.browser.newContext();
  first = await open(used);
  expected = await fill(first);
});
beforeEach(async () => {
  fresh = await at.browser.newContext();
});
afterEach(async () => {
  await fresh.close();
  expect(errors.flat()).toEqual([]);
});

/** Opens the playground in another window with the same storage. */
async function open(context: BrowserContext): Promise<Page> {
  const opened = await openPlayground(context, `${at.companion.origin}/playground.html?lang=en`);
  errors.push(opened.errors);
  return opened.page;
}

/** Enters the formulas into an empty workbook and gives their values once each has one. */
async function fill(page: Page): Promise<unknown[][]> {
  await clearWorkbook(page);
  await type(page, ["A1", RANKING], ...FIGURES);
  for (const cell of ["A6", ...FIGURES.map(([each]) => each)]) await readSettled(page, cell);
  return readRange(page, CELLS);
}

/** Waits until the ranking is persisted. */
async function waitUntilPersisted(page: Page): Promise<void> {
  await until(async () => (await listAnswers(page)).some((key) => key.includes("2024-01-31")));
}

/** Runs on a page of the origin that is not the add-in. */
async function prepare(context: BrowserContext, run: () => Promise<void>): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${at.companion.origin}/functions.json`);
  await page.evaluate(run);
  await page.close();
}

describe("cells show the right values", () => {
  it("if the database is of a newer version", async () => {
    await prepare(fresh, async () => {
      const opening = indexedDB.open("feed-answers", 99);
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      opening.result.close();
    });
    expect(await fill(await open(fresh))).toEqual(expected);
  });

  it("if every row is damaged", async () => {
    await waitUntilPersisted(first);
    await prepare(used, async () => {
      const opening = indexedDB.open("feed-answers");
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const transaction = opening.result.transaction("answers", "readwrite");
      transaction.objectStore("answers").openCursor().onsuccess = ({ target }) => {
        const { result: cursor } = target as IDBRequest<IDBCursorWithValue | null>;
        cursor?.update({ ...cursor.value, text: String(cursor.value.text).slice(0, -3) });
        cursor?.continue();
      };
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      opening.result.close();
    });
    at.companion.controls.reset();
    const page = await open(used);
    expect(await fill(page)).toEqual(expected);
    await page.close();
    expect(at.companion.controls.count("rankCompanies")).toBeGreaterThan(0);
  });

  it("if the browser's storage is full", async () => {
    const page = await open(fresh);
    const devTools = await fresh.newCDPSession(page);
    await devTools.send("Storage.overrideQuotaForOrigin", { origin: at.companion.origin, quotaSize: 1 });
    expect(await fill(page)).toEqual(expected);
    // A busy machine may delay the database until it is given up, which the pane reports.
    const warning = pane(page).getByText(/^This page keeps nothing \(storage (is full|does not answer)\)/);
    await warning.waitFor({ state: "attached" }); // its part of the pane may be hidden
    expect(await fill(await open(fresh))).toEqual(expected);
  });

  it("if the page was killed while it stored answers", async () => {
    const page = await open(fresh);
    const devTools = await fresh.newCDPSession(page);
    await fill(page);
    const crashed = new Promise((resolve) => page.once("crash", resolve));
    devTools.send("Page.crash").catch(() => {}); // nothing is left to answer
    await crashed;
    expect(await fill(await open(fresh))).toEqual(expected);
  });

  it("if the database is deleted while the workbook is open", async () => {
    await waitUntilPersisted(first);
    await first.evaluate(async () => {
      const deleting = indexedDB.deleteDatabase("feed-answers");
      await new Promise((resolve) => {
        deleting.onsuccess = resolve;
      });
    });
    await type(first, ["A10", RANKING.replace("01-31", "01-30")]);
    await readSettled(first, "A15");
    expect(await readRange(first, CELLS)).toEqual(expected);
    expect(await fill(await open(used))).toEqual(expected);
  });
});
