import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../support/until";
import { clearWorkbook, openPlayground, read, type } from "./playground-page";
import { createToyPages } from "./surroundings";

const PANE = '<!doctype html><title>Pane</title><button id="first">First</button><input id="second">';

const at = createToyPages({ "/playground-pane.html": PANE });
const open = (scheme?: "dark") => openPlayground(at.browser, `${at.origin}/playground.html?lang=en`, scheme);
let page: Page;

beforeAll(async () => {
  ({ page } = await open());
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

describe("the grid in dark colours", () => {
  it("is dark, has 200 columns and 5,000 rows at first, and takes clicks and texts", async () => {
    const dark = await open("dark");
    expect(await readSize(dark.page)).toEqual({ cols: 200, rows: 5000 });
    await clickGrid(dark.page);
    await dark.page.keyboard.type("seen");
    await dark.page.keyboard.press("Enter");
    expect(await readTyped(dark.page)).toEqual(["seen"]);
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
