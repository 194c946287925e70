import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { clearWorkbook, openPlayground, read, servePages, type } from "./playground-page";
import { TOY_BUNDLE, TOY_METADATA } from "./toy-functions";

const PANE = '<!doctype html><title>Pane</title><button id="first">First</button><input id="second">';
const ANSWERS = {
  "/functions.js": TOY_BUNDLE,
  "/functions.json": JSON.stringify(TOY_METADATA),
  "/companion/config": JSON.stringify({ sample: false, baseUrl: "https://provider.example/api" }),
  "/playground-pane.html": PANE,
};

let browser: Browser;
let pages: Awaited<ReturnType<typeof servePages>>;
let page: Page;

beforeAll(async () => {
  [browser, pages] = await Promise.all([launchBrowser(), servePages(ANSWERS)]);
  ({ page } = await openPlayground(browser, `${pages.origin}/playground.html?lang=en`));
});
beforeEach(() => clearWorkbook(page));
afterAll(async () => {
  await browser?.close();
  await pages?.close();
});

const readSize = (on = page) =>
  on.evaluate(() => {
    const { colNumber, rowNumber } = window.playground.save().sheets[0] as { colNumber: number; rowNumber: number };
    return { cols: colNumber, rows: rowNumber };
  });
const waitForSize = (cols: number, rows: number) =>
  page.waitForFunction(
    ([expectedCols, expectedRows]) => {
      const sheet = window.playground.save().sheets[0];
      return sheet?.colNumber === expectedCols && sheet.rowNumber === expectedRows;
    },
    [cols, rows] as const,
  );
const clickGrid = () => page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });

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
    await waitForSize(52, 6000);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
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

  it("leaves a cell after Escape, which gives up what was being typed", async () => {
    await clickGrid();
    await page.keyboard.type("half a th");
    expect(await press("F6")).toBe("grid");
    await page.keyboard.press("Escape");
    expect(await press("F6")).toMatch(/^pane /);
    await press("Shift+F6");
    await page.keyboard.type("back");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => window.playground.range("A1:A5").flat().filter(Boolean))).toEqual(["back"]);
  });
});

describe("the grid in dark colours", () => {
  it("is dark, has 200 columns and 5,000 rows at first, and takes clicks and texts", async () => {
    const dark = await openPlayground(browser, `${pages.origin}/playground.html?lang=en`, "dark");
    expect(await readSize(dark.page)).toEqual({ cols: 200, rows: 5000 });
    await dark.page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });
    await dark.page.keyboard.type("seen");
    await dark.page.keyboard.press("Enter");
    expect(await dark.page.evaluate(() => window.playground.range("A1:A5").flat().filter(Boolean))).toEqual(["seen"]);
    const shot = await dark.page.locator(".o-grid > canvas").screenshot();
    const brightness = await page.evaluate(async (encoded) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(encoded), (each) => each.charCodeAt(0))]));
      const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0, 1, 1);
      return context.getImageData(0, 0, 1, 1).data[0] ?? 255;
    }, shot.toString("base64"));
    expect(brightness).toBeLessThan(80);
    expect(dark.errors).toEqual([]);
    await dark.page.close();
  });
});
