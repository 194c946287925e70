import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openDemo, pane, read, readRange, readSettled, type, waitFor } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
});
afterAll(async () => {
  await browser.close();
  await companion.close();
});

async function open(options: Parameters<typeof openDemo>[2]): Promise<Page> {
  const { page, errors } = await openDemo(browser, companion.origin, options);
  expect(errors).toEqual([]);
  return page;
}

declare global {
  interface Window {
    results: { name: string; value: unknown }[];
  }
}

/** Wraps the built functions for the playground, and records the values they set. */
const LISTENING = `
window.results = [];
let customFunctions;
const listen = (name, run) => (...given) => {
  const invocation = given.at(-1);
  const setResult = invocation.setResult;
  invocation.setResult = (value) => { results.push({ name, value }); setResult(value); };
  return run(...given);
};
Object.defineProperty(window, "CustomFunctions", {
  get: () => customFunctions,
  set: (given) => {
    customFunctions = { ...given, associate: (name, run) => given.associate(name, listen(name, run)) };
  },
});`;

describe("the demo workbook on the built functions and the embedded provider", () => {
  it("has a number in every cell of the model within five seconds, and no error or filler", async () => {
    const { page } = await openDemo(browser, companion.origin, { timeoutMs: 5_000 });
    for (const first of [6, 14, 22, 30]) {
      const figures = await readRange(page, `Model!C${first}:G${first + 5}`);
      expect(figures.flat().every((value) => typeof value === "number" && value !== 0)).toBe(true);
      const columns = figures[0]!.map((_, column) => figures.map((row) => Number(row[column])));
      for (const column of columns) {
        const sum = column.slice(0, 5).reduce((total, value) => total + value, 0);
        expect(column[5]).toBeCloseTo(sum, 6);
      }
    }
    const ranks = await readRange(page, "Ranking!A6:A30");
    expect(ranks.flat()).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    await saveScreenshot(page, "playground-light");
    await page.close();
  });

  it("shows a formula's error, and renders in dark mode and in Japanese", async () => {
    const page = await open({ query: "?lang=ja", colorScheme: "dark" });
    await page.evaluate(() => window.playground.set("J2", '=FEED.FINANCIAL("nobody",2023,"Revenue")'));
    await page.waitForFunction(() => window.playground.get("J2").value === "#N/A");
    await page.waitForFunction(() => document.getElementById("cell-error")?.textContent?.includes("FEED_NO_VALUE"));
    expect((await page.evaluate(() => window.playground.get("J2"))).error?.message).toContain("nobody");
    await saveScreenshot(page, "playground-dark-ja");
    await page.close();
  });
});

describe("the demo workbook in use", () => {
  let page: Page;
  beforeAll(async () => {
    page = await open({ script: LISTENING });
  });
  afterAll(() => page.close());

  it("opens at its beginning on a free cell, so that the pane can insert there", async () => {
    expect(await page.locator(".o-scrollbar.horizontal").evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
    const place = await pane(page).evaluate(() => window.feedPlaygroundWorkbook.write({ cells: [["first"]] }));
    expect(place).toEqual({ sheet: "Model", address: "J2" });
    expect(await readRange(page, "Model!J1:J2")).toEqual([["Scratch"], ["first"]]);
  });

  it("shows the currency from the provider, and the unit", async () => {
    expect(await readRange(page, "Model!B3:C3")).toEqual([["JPY", null]]);
    expect(await readRange(page, "Model!C2")).toEqual([["Figures in JPY m"]]);
    const { value } = await read(page, "Model!C6");
    await type(page, ["Model!B2", "k"]);
    await waitFor(page, "Model!C2", "Figures in JPY k");
    await type(page, ["Model!B2", "m"]);
    await waitFor(page, "Model!C2", "Figures in JPY m");
    await waitFor(page, "Model!C6", value);
  });

  it("follows its parameters: fewer rows, another unit", async () => {
    const inMillions = Number((await readRange(page, "Model!C6"))[0]?.[0]);
    await page.evaluate(() =>
      window.playground.setMany([
        ["Ranking!B3", "5"],
        ["Model!B2", "k"],
      ]),
    );
    await page.waitForFunction(
      () => window.playground.get("Ranking!A11").value === null && window.playground.get("Ranking!A10").value === 5,
    );
    await page.waitForFunction(
      (before) => Math.abs(Number(window.playground.get("Model!C6").value) / before - 1000) < 0.001,
      inMillions,
    );
  });

  it("keeps its streams without new calls when a row is inserted above them", async () => {
    const before = await page.evaluate(() => window.playground.live());
    const requests = companion.controls.count();
    const figures = await readRange(page, "Model!C6:G11");
    await page.evaluate(() => window.playground.insertRow(1));
    expect(await page.evaluate(() => window.playground.live())).toBe(before);
    expect(await readRange(page, "Model!C7:G12")).toEqual(figures);
    expect(companion.controls.count()).toBe(requests);
  });

  it("shows no 0 for a missing value: no function returns null", async () => {
    await clearWorkbook(page);
    const company = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
    await type(
      page,
      ["A1", '=FEED.RANKING("2024-01-01","2024-01-31",500)'],
      ["K1", company],
      ["K3", "nobody"],
      ["L1", '=FEED.FINANCIAL(K1:K3,"1990:2024","Inventory")'],
    );
    await waitFor(page, "A501", 500);
    await readSettled(page, "L1");
    const handed = await pane(page).evaluate(() =>
      window.results.map(({ name, value }) => ({ name, cells: Array.isArray(value) ? value.flat() : [value] })),
    );
    expect(new Set(handed.map(({ name }) => name))).toEqual(new Set(["FINANCIAL", "RANKING"]));
    expect(handed.flatMap(({ cells }) => cells).filter((cell) => cell == null || Number.isNaN(cell))).toEqual([]);
    const engagement = (await readRange(page, "H2:H501")).flat();
    expect(engagement.filter((value) => value === "").length).toBeGreaterThan(0);
    expect(engagement).not.toContain(0);
  });
});

describe("a sheet made by +", () => {
  it("takes the whole taxonomy, and a ranking with all rows", async () => {
    const page = await open({});
    await page.click(".o-add-sheet");
    await type(page, ["A1", "=FEED.TAXONOMY()"], ["L1", '=FEED.RANKING("2024-01", , "all")']);
    await waitFor(page, "L1", "Rank");
    await waitFor(page, "L4001", 4_000);
    const [classes, rows] = [await readRange(page, "A1:A5000"), await readRange(page, "L1:L5000")];
    const count = (cells: unknown[][]) => cells.flat().filter((value) => value !== null).length;
    expect([count(classes), count(rows)]).toEqual([201, 4_001]);
  }, 60_000);

  it("says in the page's language why a table does not spill", async () => {
    const page = await open({ query: "?lang=ja" });
    await page.click(".o-add-sheet");
    await type(page, ["A1", '=FEED.TAXONOMY("sector")'], ["A3", "mine"]);
    await waitFor(page, "A1", "#SPILL!");
    expect((await read(page, "A1")).error?.message).toMatch(/^ほかのセルに内容があるため/);
  }, 60_000);
});
