import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { clearWorkbook, openPlayground, read, servePages, type, waitFor } from "./playground-page";
import { TOY_BUNDLE, TOY_METADATA, type Toy } from "./toy-functions";

declare global {
  interface Window {
    toy: Toy;
  }
}

const BUNDLE = { "/functions.js": TOY_BUNDLE, "/functions.json": JSON.stringify(TOY_METADATA) };
const EMPTY = {
  ...BUNDLE,
  "/companion/config": JSON.stringify({ sample: false, baseUrl: "https://provider.example/api" }),
};
const SAMPLE = { ...BUNDLE, "/companion/config": JSON.stringify({ sample: true, baseUrl: "/sandbox" }) };

let browser: Browser;
/** The playground without the demo. */
let empty: { page: Page; errors: string[] };
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  empty = await open(EMPTY);
});
afterAll(async () => {
  await browser?.close();
  for (const close of closing) await close();
});

async function open(answers: Parameters<typeof servePages>[0], query = ""): Promise<{ page: Page; errors: string[] }> {
  const host = await servePages(answers);
  closing.push(host.close);
  return openPlayground(browser, `${host.origin}/playground.html${query}`);
}

/** An empty workbook without any calls, on a shared page. */
async function openEmpty(): Promise<Page> {
  const { page } = empty;
  await page.keyboard.press("Escape"); // what the previous test was typing
  await clearWorkbook(page);
  await page.waitForFunction(() => window.playground.live() === 0);
  await page.evaluate(() => window.toy.calls.splice(0));
  return page;
}

const push = (page: Page, key: string, value: unknown) =>
  page.evaluate(([name, result]) => window.toy.streams[name as string]?.setResult(result), [key, value] as const);

describe("a formula", () => {
  it("is busy first, then shows its value, and dependent formulas follow", async () => {
    const page = await openEmpty();
    await type(page, ["A1", "=FEED.LIVE(1)"], ["B1", "=A1*2"]);
    expect((await read(page, "A1")).value).toBe("#BUSY!");
    expect((await read(page, "B1")).value).toBe("#BUSY!");
    await push(page, "1", 21);
    await waitFor(page, "B1", 42);
    await push(page, "1", 50);
    await waitFor(page, "B1", 100);
  });

  it("spills its table, grows and shrinks", async () => {
    const page = await openEmpty();
    await type(page, ["A1", '=FEED.LIVE("t")'], ["E1", "=SUM(A1:B9)"]);
    await push(page, "t", [[1, 2]]);
    await waitFor(page, "E1", 3);
    await push(page, "t", [
      [1, 2],
      [3, null],
    ]);
    await waitFor(page, "E1", 6);
    expect(await page.evaluate(() => window.playground.range("A1:B3"))).toEqual([
      [1, 2],
      [3, 0],
      [null, null],
    ]);
    await push(page, "t", 9);
    await waitFor(page, "E1", 9);
    expect((await read(page, "A2")).value).toBeNull();
  });

  it("shows its error with the sentence, on hover and in the strip", async () => {
    const page = await openEmpty();
    await type(page, ["A1", '=FEED.FAIL("N/A","No such company; check the id")']);
    await waitFor(page, "A1", "#N/A");
    expect((await read(page, "A1")).error).toEqual({ code: "#N/A", message: "No such company; check the id" });
    expect(await page.textContent("#cell-error")).toContain("No such company; check the id");
    await page.hover(".o-grid-overlay", { position: { x: 40, y: 12 } });
    await page.waitForFunction(() =>
      document.querySelector(".o-error-tooltip")?.textContent?.includes("No such company"),
    );
  });

  it("gets a referenced blank cell as 0, or as null if configured", async () => {
    const page = await openEmpty();
    await type(page, ["A1", "=FEED.SAME(Z9)"]);
    await waitFor(page, "A1", "number 0");
    await page.evaluate(() => window.playground.blankCells("null"));
    await type(page, ["A2", "=FEED.SAME(Z9)"]);
    await waitFor(page, "A2", "null");
  });

  it("is #VALUE! without a call for a missing argument or a text in place of a number", async () => {
    const page = await openEmpty();
    await type(page, ["A1", "=FEED.LIVE()"], ["A2", '=FEED.ADD("x",1)'], ["A3", "=FEED.ADD(1,2)"]);
    await waitFor(page, "A3", 3);
    expect((await read(page, "A1")).error).toEqual({
      code: "#VALUE!",
      message: "The argument key is missing; this formula needs key.",
    });
    expect((await read(page, "A2")).error).toEqual({ code: "#VALUE!", message: "" });
    expect(await page.evaluate(() => window.toy.calls)).toEqual([]);
  });

  it("gets another cell's error if functions.json allows it, else passes it on", async () => {
    const page = await openEmpty();
    await type(page, ["A1", "=1/0"], ["A2", "=FEED.SAME(A1)"], ["A3", "=FEED.ADD(A1,1)"]);
    await waitFor(page, "A2", "error #DIV/0!");
    expect((await read(page, "A3")).value).toBe("#DIV/0!");
  });
});

describe("streams", () => {
  it("move with their cells when a row is inserted above, without a new call", async () => {
    const page = await openEmpty();
    await type(page, ["A1", "=FEED.LIVE(1)"], ["A2", "=FEED.LIVE(2)"]);
    await push(page, "1", 10);
    await waitFor(page, "A1", 10);
    await page.evaluate(() => window.playground.insertRow(1));
    await push(page, "1", 11);
    await waitFor(page, "A2", 11);
    expect(await page.evaluate(() => window.toy.calls)).toEqual(["call 1", "call 2"]);
    expect(await page.evaluate(() => window.playground.live())).toBe(2);
  });

  it("end when their formula is deleted, replaced or has other arguments", async () => {
    const page = await openEmpty();
    await type(page, ["A1", "=FEED.LIVE(1)"], ["A2", "=FEED.LIVE(2)"], ["A3", "=FEED.LIVE(B3)"], ["B3", "3"]);
    await page.waitForFunction(() => window.playground.live() === 3);
    await type(page, ["A1", ""]);
    await type(page, ["A2", "=1+1"]);
    await type(page, ["B3", "4"]);
    await page.waitForFunction(() => window.playground.live() === 1);
    expect((await page.evaluate(() => window.toy.calls)).slice(3)).toEqual([
      "cancel 1",
      "cancel 2",
      "call 4",
      "cancel 3",
    ]);
  });

  it("of many entries end with one undo", async () => {
    const page = await openEmpty();
    await type(page, ["A1", "=FEED.LIVE(1)"], ["A2", "=FEED.LIVE(2)"]);
    await page.waitForFunction(() => window.playground.live() === 2);
    await page.evaluate(() => window.playground.undo());
    await page.waitForFunction(() => window.playground.live() === 0);
    expect((await read(page, "A1")).value).toBeNull();
  });

  it("are not started while a formula is being typed", async () => {
    const page = await openEmpty();
    await page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });
    await page.keyboard.type("=FEED.LIVE(7)");
    await page.waitForFunction(() => document.querySelector(".o-composer.active")?.textContent === "=FEED.LIVE(7)");
    expect(await page.evaluate(() => [window.playground.live(), window.toy.calls.length])).toEqual([0, 0]);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.playground.live() === 1);
  });

  it("are not started by a conditional format", async () => {
    const page = await openEmpty();
    await page.evaluate(() => {
      const rule = { type: "CellIsRule", operator: "customFormula", values: ["=FEED.LIVE(9)"], style: { bold: true } };
      const sheet = { id: "s", name: "S", colNumber: 9, rowNumber: 9, cells: { A1: "text" } };
      const { version } = window.playground.save();
      const conditionalFormats = [{ id: "rule", ranges: ["A1"], rule }];
      return window.playground.load({ version, sheets: [{ ...sheet, conditionalFormats }] });
    });
    await type(page, ["A2", "=FEED.LIVE(1)"]);
    await page.waitForFunction(() => window.playground.live() > 0);
    expect(await page.evaluate(() => window.toy.calls)).toEqual(["call 1"]);
  });

  it("restart when a saved workbook is loaded, after the old ones have ended", async () => {
    const page = await openEmpty();
    await type(page, ["A1", "=FEED.LIVE(1)"]);
    await page.waitForFunction(() => window.playground.live() === 1);
    await page.evaluate(() => window.playground.load(window.playground.save()));
    await page.waitForFunction(() => window.playground.live() === 1);
    expect(await page.evaluate(() => window.toy.calls)).toEqual(["call 1", "cancel 1", "call 1"]);
    expect(await page.evaluate(() => window.playground.formula("A1"))).toBe("=FEED.LIVE(1)");
  });

  it("of thousands of cells start in one calculation and are all answered", async () => {
    const page = await openEmpty();
    await page.evaluate(() => {
      const entries = Array.from(
        { length: 5000 },
        (_, index) => [`${"ABCDEFGHIJ"[index % 10]}${1 + Math.floor(index / 10)}`, `=FEED.SAME(${index})`] as const,
      );
      window.playground.setMany(entries);
    });
    await waitFor(page, "J500", "number 4999");
    expect(
      await page.evaluate(() =>
        window.playground
          .range("A1:J500")
          .flat()
          .every((value, index) => value === `number ${index}`),
      ),
    ).toBe(true);
  });
});

describe("the page", () => {
  it("opens the demo workbook on sample data, every cell filled and none in error", async () => {
    const { page, errors } = await open(SAMPLE);
    await waitFor(page, "Ranking!A30", 25);
    await page.waitForFunction(() => typeof window.playground.get("Model!G36").value === "number");
    const cells = await page.evaluate(() =>
      [...window.playground.range("Model!A4:H36"), ...window.playground.range("Ranking!A1:I30")].flat(),
    );
    expect(cells.filter((value) => typeof value === "string" && value.startsWith("#"))).toEqual([]);
    expect(await page.textContent("#sample")).toBe("Sample data");
    expect(await page.isVisible("#sample")).toBe(true);
    expect(errors).toEqual([]);
    await saveScreenshot(page, "playground-toy");
  });

  it("opens an empty workbook, without the badge, on a provider's data", async () => {
    const page = await openEmpty();
    expect(
      await page.evaluate(() =>
        window.playground
          .range("A1:C3")
          .flat()
          .every((value) => value === null),
      ),
    ).toBe(true);
    expect(await page.isVisible("#sample")).toBe(false);
    expect(await page.textContent("#provider")).toBe("Provider: provider.example");
  });

  it("draws its icons with the one font format that is built", async () => {
    const page = await openEmpty();
    const fonts = await page.evaluate(async () => {
      const loaded = await document.fonts.load("16px FontAwesome");
      return loaded.map(({ family, status }) => `${family} ${status}`);
    });
    expect(fonts).toEqual(["FontAwesome loaded"]);
    const resources = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    expect(resources.filter((name) => name.includes("webfont"))).toHaveLength(1);
  });

  it("shows optional arguments alone in brackets while a formula is typed", async () => {
    const page = await openEmpty();
    await page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });
    await page.keyboard.type("=FEED.FINANCIAL(");
    const head = page.locator(".o-formula-assistant-head").first();
    await head.waitFor();
    expect((await head.innerText()).replace(/\s/g, "")).toBe("FEED.FINANCIAL(company,year,metric,[basis],[unit])");
  });

  it("lists the formulas of functions.json", async () => {
    const page = await openEmpty();
    await page.click("#formulas-label");
    expect(await page.textContent("#formulas-list")).toContain(
      "=FEED.FINANCIAL(company, year, metric, [basis], [unit])",
    );
  });

  it("is in Japanese on request", async () => {
    const { page } = await open(SAMPLE, "?lang=ja");
    expect(await page.textContent("#sample")).toBe("サンプルデータ");
    expect(await page.getAttribute("html", "lang")).toBe("ja");
  });

  it("says what to do if the functions or the companion are missing", async () => {
    const { page } = await open({
      "/functions.js": null,
      "/functions.json": BUNDLE["/functions.json"],
      "/companion/config": null,
    });
    const trouble = await page.textContent("#trouble");
    expect(trouble).toContain("The FEED functions could not be loaded.");
    expect(trouble).toContain("The companion does not answer.");
    await type(page, ["A1", "=FEED.LIVE(1)"]);
    expect((await read(page, "A1")).value).toBe("#NAME?");
  });
});
