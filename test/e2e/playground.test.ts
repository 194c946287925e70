import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { strFromU8, unzipSync } from "fflate";
import type { Page } from "playwright-core";
import ofBefore from "../playground/workbooks-of-before.json";
import { until } from "../support/until";
import {
  chooseInMenu,
  clearWorkbook,
  openPlayground,
  read,
  readDownload,
  readRange,
  reload,
  type,
  waitFor,
  waitForName,
  waitUntilSaved,
} from "./playground-page";
import { createOpening, createToyPages } from "./surroundings";
import type { Toy } from "./toy-functions";

declare global {
  interface Window {
    toy: Toy;
  }
}

const at = createToyPages();
const openIn = createOpening(() => at.origin);
let page: Page;

beforeAll(async () => {
  page = await openIn(at.browser);
});
/** An empty workbook without any calls. */
beforeEach(async () => {
  await page.keyboard.press("Escape"); // what the previous test was typing
  await clearWorkbook(page);
  await waitForStreams(0);
  await page.evaluate(() => window.toy.calls.splice(0));
});

const push = (key: string, value: unknown) =>
  page.evaluate(([name, result]) => window.toy.streams[name as string]?.setResult(result), [key, value] as const);
const waitForStreams = (count: number) => page.waitForFunction((wanted) => window.playground.live() === wanted, count);
const readCalls = () => page.evaluate(() => window.toy.calls);
const selectA3 = () => page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });

describe("a formula", () => {
  it("is busy first, then shows its value, and dependent formulas follow", async () => {
    await type(page, ["A1", "=FEED.LIVE(1)"], ["B1", "=A1*2"]);
    expect(await readRange(page, "A1:B1")).toEqual([["#BUSY!", "#BUSY!"]]);
    await push("1", 21);
    await waitFor(page, "B1", 42);
    await push("1", 50);
    await waitFor(page, "B1", 100);
  });

  it("spills its table, grows and shrinks", async () => {
    await type(page, ["A1", '=FEED.LIVE("t")'], ["E1", "=SUM(A1:B9)"]);
    const grown = [
      [1, 2],
      [3, null],
    ];
    await push("t", [[1, 2]]);
    await waitFor(page, "E1", 3);
    await push("t", grown);
    await waitFor(page, "E1", 6);
    expect(await readRange(page, "A1:B3")).toEqual([
      [1, 2],
      [3, 0],
      [null, null],
    ]);
    await push("t", 9);
    await waitFor(page, "E1", 9);
    expect((await read(page, "A2")).value).toBeNull();
  });

  it("shows its error with the sentence, on hover and in the strip", async () => {
    await type(page, ["A1", '=FEED.FAIL("N/A","No such company; check the id")']);
    await waitFor(page, "A1", "#N/A");
    expect((await read(page, "A1")).error).toEqual({ code: "#N/A", message: "No such company; check the id" });
    expect(await page.textContent("#cell-error")).toContain("No such company; check the id");
    await page.hover(".o-grid-overlay", { position: { x: 40, y: 12 } });
    await page.locator(".o-error-tooltip", { hasText: "No such company" }).waitFor();
  });
});

describe("streams", () => {
  it("move with their cells when a row is inserted above, without a new call", async () => {
    await type(page, ["A1", "=FEED.LIVE(1)"], ["A2", "=FEED.LIVE(2)"]);
    await push("1", 10);
    await waitFor(page, "A1", 10);
    await page.evaluate(() => window.playground.insertRow(1));
    await push("1", 11);
    await waitFor(page, "A2", 11);
    expect(await readCalls()).toEqual(["call 1", "call 2"]);
    await waitForStreams(2);
  });

  it("end when their formula is deleted, replaced or has other arguments, and all with one undo", async () => {
    await type(page, ["A1", "=FEED.LIVE(1)"], ["A2", "=FEED.LIVE(2)"], ["A3", "=FEED.LIVE(B3)"], ["B3", "3"]);
    await waitForStreams(3);
    await type(page, ["A1", ""]);
    await type(page, ["A2", "=1+1"]);
    await type(page, ["B3", "4"]);
    await waitForStreams(1);
    expect((await readCalls()).slice(3)).toEqual(["cancel 1", "cancel 2", "call 4", "cancel 3"]);
    await type(page, ["A4", "=FEED.LIVE(5)"], ["A5", "=FEED.LIVE(6)"]);
    await waitForStreams(3);
    await page.evaluate(() => window.playground.undo());
    await waitForStreams(1);
    expect((await read(page, "A4")).value).toBeNull();
  });

  it("are not started while a formula is being typed", async () => {
    await selectA3();
    await page.keyboard.type("=FEED.LIVE(7)");
    await page.locator(".o-composer.active", { hasText: "=FEED.LIVE(7)" }).first().waitFor();
    expect([await readCalls(), await page.evaluate(() => window.playground.live())]).toEqual([[], 0]);
    await page.keyboard.press("Enter");
    await waitForStreams(1);
  });

  it("are not started by a conditional format", async () => {
    await page.evaluate(() => {
      const rule = { type: "CellIsRule", operator: "customFormula", values: ["=FEED.LIVE(9)"], style: { bold: true } };
      const sheet = { id: "s", name: "S", colNumber: 9, rowNumber: 9, cells: { A1: "text" } };
      const { version } = window.playground.save();
      const conditionalFormats = [{ id: "rule", ranges: ["A1"], rule }];
      return window.playground.load({ version, sheets: [{ ...sheet, conditionalFormats }] });
    });
    await type(page, ["A2", "=FEED.LIVE(1)"]);
    await waitForStreams(1);
    expect(await readCalls()).toEqual(["call 1"]);
  });

  it("restart when a saved workbook is loaded, after the old ones have ended", async () => {
    await type(page, ["A1", "=FEED.LIVE(1)"]);
    await waitForStreams(1);
    await page.evaluate(() => window.playground.load(window.playground.save()));
    await waitForStreams(1);
    expect(await readCalls()).toEqual(["call 1", "cancel 1", "call 1"]);
    expect(await page.evaluate(() => window.playground.formula("A1"))).toBe("=FEED.LIVE(1)");
  });
});

describe("the page", () => {
  it("opens an empty workbook, without the badge, on a provider's data", async () => {
    expect((await readRange(page, "A1:C3")).flat().filter((value) => value !== null)).toEqual([]);
    expect(await page.isVisible("#sample")).toBe(false);
    expect(await page.textContent("#provider")).toBe("Provider: provider.example");
  });

  it("draws its icons with the one font format that is built", async () => {
    const fonts = await page.evaluate(async () => {
      const loaded = await document.fonts.load("16px FontAwesome");
      return loaded.map(({ family, status }) => `${family} ${status}`);
    });
    expect(fonts).toEqual(["FontAwesome loaded"]);
    const resources = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    expect(resources.filter((name) => name.includes("webfont"))).toHaveLength(1);
  });

  it("shows optional arguments alone in brackets while a formula is typed", async () => {
    await selectA3();
    await page.keyboard.type("=FEED.FINANCIAL(");
    const head = page.locator(".o-formula-assistant-head").first();
    await head.waitFor();
    expect((await head.innerText()).replace(/\s/g, "")).toBe("FEED.FINANCIAL(company,year,metric,[basis],[unit])");
  });

  it("says what to do if the functions or the companion are missing", async () => {
    const context = await at.browser.newContext({ serviceWorkers: "block" }); // their requests bypass routes
    for (const file of ["functions.js", "companion/config"])
      await context.route(`**/${file}`, (route) => route.fulfill({ status: 404 }));
    const broken = await openIn(context);
    const trouble = await broken.textContent("#trouble");
    expect(trouble).toContain("The FEED functions could not be loaded.");
    expect(trouble).toContain("The companion does not answer.");
    await type(broken, ["A1", "=FEED.LIVE(1)"]);
    expect((await read(broken, "A1")).value).toBe("#NAME?");
  });
});

const PANE = '<!doctype html><title>Pane</title><button id="first">First</button><input id="second">';

describe("the workbook that the browser keeps", () => {
  const ask = (page: Page) => page.getByRole("dialog");
  const answer = (page: Page, name: string) => ask(page).getByRole("button", { name, exact: true }).click();
  const open = async () => {
    const context = await at.browser.newContext();
    return (await openPlayground(context, `${at.origin}/playground.html`)).page;
  };

  it("is replaced by a new one only when that is confirmed, and can be downloaded first", async () => {
    const page = await open();
    await type(page, ["A1", "first"]);
    await waitUntilSaved(page);
    await chooseInMenu(page, "New");
    await page.keyboard.press("Escape");
    await ask(page).waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
    expect((await read(page, "A1")).value).toBe("first");
    await chooseInMenu(page, "New");
    const downloading = page.waitForEvent("download");
    await answer(page, "Download it first");
    expect((await downloading).suggestedFilename()).toBe("Workbook.xlsx");
    await waitFor(page, "A1", null);
    await type(page, ["A1", "second"]);
    await waitUntilSaved(page);
    await reload(page);
    await waitFor(page, "A1", "second");
    expect(await page.title()).toBe("Workbook – FEED playground");
    await page.context().close();
  });

  it("is the last of those that an earlier version kept, whose others are downloads until they are deleted", async () => {
    const page = await open();
    await page.evaluate(storeWorkbooks, ofBefore);
    await reload(page);
    await waitForName(page, "Notes");
    expect((await read(page, "A1")).value).toBe("last notes");
    const others = page.locator("#others button");
    expect(await others.allInnerTexts()).toEqual(["Model", "Budget 100%", "Delete the others…"]);
    for (const [name, text] of [
      ["Model", "model"],
      ["Budget 100%", "_xldudf_FEED_LIVE(7)"],
    ] as const) {
      const downloading = page.waitForEvent("download");
      await others.filter({ hasText: name }).click();
      const file = unzipSync(await readDownload(await downloading));
      expect(
        Object.values(file)
          .map((part) => strFromU8(part))
          .join(),
      ).toContain(text);
    }
    expect(await page.evaluate(() => window.toy.calls)).toEqual([]);
    await others.last().click();
    await answer(page, "Delete");
    await page.locator("#others").waitFor({ state: "hidden" });
    await reload(page);
    expect((await read(page, "A1")).value).toBe("last notes");
    expect(await page.isVisible("#others")).toBe(false);
    await page.context().close();
  });
});

/** Replaces what the browser keeps by a stored form, in the page. */
async function storeWorkbooks({ workbooks, snapshots, remains }: typeof ofBefore): Promise<void> {
  const opening = indexedDB.open("feed-playground");
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const transaction = opening.result.transaction(["workbooks", "snapshots", "remains"], "readwrite");
  for (const each of workbooks) transaction.objectStore("workbooks").put(each);
  for (const [id, snapshot] of Object.entries(snapshots)) transaction.objectStore("snapshots").put(snapshot, id);
  for (const each of remains) transaction.objectStore("remains").put(each);
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  opening.result.close();
}

it("leaving the page asks first where the browser's storage is full", async () => {
  const context = await at.browser.newContext();
  const { page } = await openPlayground(context, `${at.origin}/playground.html`);
  await page.click(".o-grid-overlay", { position: { x: 40, y: 60 } }); // browsers ask those alone who have used the page
  const devTools = await context.newCDPSession(page);
  await devTools.send("Storage.overrideQuotaForOrigin", { origin: at.origin, quotaSize: 1 });
  await type(page, ["A1", "1"]);
  await page.locator("#save-state", { hasText: "Not saved: the browser’s storage is full" }).waitFor();
  const asked = page.waitForEvent("dialog");
  const leaving = page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
  await leaving;
  await context.close();
});

describe("the grid", () => {
  const at = createToyPages({ "/playground-pane.html": PANE });
  const openIn = createOpening(() => at.origin);
  let page: Page;

  beforeAll(async () => {
    page = await openIn(at.browser);
  });
  beforeEach(() => clearWorkbook(page));

  const readSize = (on = page) =>
    on.evaluate(() => {
      const { colNumber, rowNumber } = window.playground.save().sheets[0] as { colNumber: number; rowNumber: number };
      return { cols: colNumber, rows: rowNumber };
    });
  const clickGrid = (on = page) => on.click(".o-grid-overlay", { position: { x: 40, y: 60 } });
  const readTyped = (on = page) => on.evaluate(() => window.playground.range("A1:A5").flat().filter(Boolean));

  describe("a sheet", () => {
    it("has a formula bar as wide as its grid", async () => {
      await page.waitForFunction(() => {
        const [bar = 0, grid = 0] = [".o-topbar-composer-container", ".o-grid"].map(
          (each) => document.querySelector(each)?.clientWidth,
        );
        return grid > 0 && bar > grid - 40;
      });
    });

    it("grows as the selection comes near its edge; an undo takes that back, and then what was typed", async () => {
      expect(await readSize()).toEqual({ cols: 26, rows: 5000 });
      await type(page, ["A1", "typed"]);
      await clickGrid();
      await page.keyboard.press("Control+End");
      await until(async () => JSON.stringify(await readSize()) === '{"cols":52,"rows":6000}');
      for (let undone = 0; undone < 3; undone++) await page.keyboard.press("Control+z");
      expect((await read(page, "A1")).value).toBeNull();
      expect(await readSize()).toEqual({ cols: 26, rows: 5000 });
    });
  });

  describe("F6", () => {
    const readRegion = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        if (element?.tagName === "IFRAME")
          return `pane ${(element as HTMLIFrameElement).contentDocument?.activeElement?.id}`;
        return element?.closest("header") ? "strip" : element?.closest("#workbook") ? "grid" : "none";
      });
    const press = async (keys: string) => {
      await page.keyboard.press(keys);
      return readRegion();
    };

    it("moves from the grid to the pane, the strip and back, and the other way with Shift", async () => {
      await clickGrid();
      expect([await press("F6"), await press("F6"), await press("F6")]).toEqual(["pane first", "strip", "grid"]);
      expect([await press("Shift+F6"), await press("Shift+F6")]).toEqual(["strip", "pane first"]);
      await page.keyboard.press("Tab");
      expect([await press("F6"), await press("Shift+F6")]).toEqual(["strip", "pane second"]);
    });

    it("goes to the strip where the pane is hidden", async () => {
      await page.click("#panel-button");
      await clickGrid();
      expect([await press("F6"), await press("F6")]).toEqual(["strip", "grid"]);
      await page.click("#panel-button");
    });

    it("reaches the print preview, which leads back to the grid", async () => {
      await clickGrid();
      await page.keyboard.press("Control+P");
      await page.getByText("Print Preview").waitFor();
      expect(await press("F6")).toBe("grid");
      expect(await press("F6")).toMatch(/^pane /);
      expect([await press("F6"), await press("F6")]).toEqual(["strip", "grid"]);
      await page.keyboard.press("Enter"); // Cancel
      await page.locator(".o-grid").waitFor();
      expect(await readRegion()).toBe("grid");
    });

    it("leaves a cell after Escape, which gives up what was being typed", async () => {
      await clickGrid();
      await page.keyboard.type("half a th");
      expect(await press("F6")).toBe("grid");
      await page.keyboard.press("Escape");
      expect(await press("F6")).toMatch(/^pane /);
      await press("Shift+F6");
      await page.keyboard.type("back");
      await page.keyboard.press("Enter");
      expect(await readTyped()).toEqual(["back"]);
    });
  });

  it("is dark in dark colours, has 200 columns and 5,000 rows at first, and takes clicks and texts", async () => {
    const dark = await openIn(at.browser, { scheme: "dark" });
    expect(await readSize(dark)).toEqual({ cols: 200, rows: 5000 });
    await clickGrid(dark);
    await dark.keyboard.type("seen");
    await dark.keyboard.press("Enter");
    expect(await readTyped(dark)).toEqual(["seen"]);
    const shot = await dark.locator(".o-grid > canvas").screenshot();
    const brightness = await page.evaluate(async (encoded) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(encoded), (each) => each.charCodeAt(0))]));
      const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0, 1, 1);
      return context.getImageData(0, 0, 1, 1).data[0] ?? 255;
    }, shot.toString("base64"));
    expect(brightness).toBeLessThan(80);
    await dark.close();
  });
});
