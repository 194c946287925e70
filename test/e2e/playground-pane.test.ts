import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { PLAYGROUND_WORKBOOK, type Workbook } from "../../src/contract/workbook";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { waitUntilConnected } from "../support/pane-page";
import { clearWorkbook, openPlayground, pane, read, readRange, readSettled, type, waitFor } from "./playground-page";

const FIGURE = '=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",2023,"Revenue")';

declare global {
  interface Window {
    [PLAYGROUND_WORKBOOK]: Workbook;
    seen: string[];
  }
}

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let errors: string[];
/** The page shared by tests that open none of their own. */
let shared: { page: Page; errors: string[] };

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
  shared = await openPlayground(browser, `${companion.origin}/playground.html`);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

async function openAnew(query = "", colorScheme: "light" | "dark" = "light"): Promise<Frame> {
  ({ page, errors } = await openPlayground(browser, `${companion.origin}/playground.html${query}`, colorScheme));
  await clearWorkbook(page);
  return pane(page);
}

/** An empty workbook and a visible pane on the shared page. */
async function open(): Promise<Frame> {
  ({ page, errors } = shared);
  await clearWorkbook(page);
  if (!(await isShown())) await press("FEED pane");
  return pane(page);
}

const isShown = () => page.locator("#panel").isVisible();
const readGround = (frame: Frame) =>
  frame
    .locator(".fui-FluentProvider")
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);
const waitForGround = (frame: Frame, colour: string) =>
  frame.waitForFunction((expected) => {
    const [themed] = document.getElementsByClassName("fui-FluentProvider");
    return themed !== undefined && getComputedStyle(themed).backgroundColor === expected;
  }, colour);
const WHITE = "rgb(255, 255, 255)";
const DARK = "rgb(41, 41, 41)";
const press = (name: string) => page.locator("header").getByRole("button", { name, exact: true }).click();

describe("the page of the playground", () => {
  it("compiles no code, whatever a script requests", async () => {
    await open();
    // In a separate task, since code evaluated by the test driver is exempt.
    const tried = await page.evaluate(() => {
      const native = (() => {}).constructor as FunctionConstructor;
      const ofPromises = (async () => {}).constructor as FunctionConstructor;
      const attempts = [() => native("return 1")(), () => ofPromises("return 1")(), () => Function("return 1")()];
      const tryAll = () => attempts.map((attempt) => String(tryOne(attempt)));
      const tryOne = (attempt: () => unknown) => {
        try {
          return attempt();
        } catch (error) {
          return (error as Error).name;
        }
      };
      return new Promise<string[]>((resolve) => setTimeout(() => resolve(tryAll())));
    });
    expect(tried).toEqual(["EvalError", "EvalError", "EvalError"]);
  });
});

describe("the pane beside the grid", () => {
  it("is the same as in Excel: it connects, and formulas run in its page", async () => {
    const frame = await open();
    await waitUntilConnected(frame);
    expect(
      await frame.locator("script[src]").evaluateAll((all) => all.map((each) => each.getAttribute("src"))),
    ).toEqual(["/playground-pane.js", "/functions.js", "/taskpane.js"]);
    expect(await page.locator('script[src="/functions.js"]').count()).toBe(0);
    await type(page, ["A1", FIGURE]);
    expect(typeof (await readSettled(page, "A1")).value).toBe("number");
    expect(errors).toEqual([]);
  });

  it("writes formulas and texts into the grid, and is refused while a cell is edited", async () => {
    const frame = await open();
    const place = await frame.evaluate(
      (formula) => window.feedPlaygroundWorkbook.write({ cells: [["=1+1", { formula }]] }),
      FIGURE,
    );
    expect(place).toEqual({ sheet: "Empty", address: "A1:B1" });
    expect(typeof (await readSettled(page, "B1")).value).toBe("number");
    expect((await read(page, "A1")).value).toBe("=1+1");
    await page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });
    await page.keyboard.type("=FEED.");
    const fault = await frame.evaluate(() =>
      window.feedPlaygroundWorkbook.write({ cells: [["x"]] }).catch((error) => error.fault),
    );
    expect(fault).toBe("editing");
    await page.keyboard.press("Escape");
    expect(await frame.evaluate(() => window.feedPlaygroundWorkbook.readSelection())).toMatchObject({ cell: "A3" });
  });

  it("is notified of the selection in the grid", async () => {
    const frame = await open();
    await type(page, ["A3", "=1+1"]);
    await frame.evaluate(() => {
      const workbook = window.feedPlaygroundWorkbook;
      window.seen = [];
      workbook.onSelection(async () => {
        const { address, formula } = await workbook.readSelection();
        window.seen.push(`${address} ${formula}`);
      });
    });
    await page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });
    await frame.waitForFunction(() => window.seen.length > 0);
    await page.keyboard.press("Shift+ArrowRight");
    await frame.waitForFunction(() => window.seen.length > 1);
    expect(await frame.evaluate(() => window.seen)).toEqual(["A3 =1+1", "A3:B3 =1+1"]);
  });

  it("keeps its formulas running while it is hidden", async () => {
    await open();
    await press("FEED pane");
    expect(await isShown()).toBe(false);
    await type(page, ["A1", FIGURE]);
    const before = Number((await readSettled(page, "A1")).value);
    companion.controls.perturb = (value) => value * 2;
    await press("Refresh all");
    await waitFor(page, "A1", before * 2);
    companion.controls.reset();
    expect(errors).toEqual([]);
  });

  it("stores the workbook's settings in the workbook", async () => {
    const frame = await open();
    await frame.evaluate(
      () =>
        new Promise((resolve) => {
          const { settings } = Office.context.document;
          settings.set("feed", { country: "KOR" });
          settings.saveAsync(resolve);
        }),
    );
    const saved = await page.evaluate(() => window.playground.save());
    const readPersisted = () => frame.evaluate(() => Office.context.document.settings.get("feed"));
    await clearWorkbook(page);
    expect(await readPersisted()).toBeNull();
    await page.evaluate((snapshot) => window.playground.load(snapshot), saved);
    expect(await readPersisted()).toEqual({ country: "KOR" });
  });

  it("follows the page's dark mode", async () => {
    const frame = await openAnew("", "dark");
    await waitForGround(frame, DARK);
    await saveScreenshot(page, "playground-pane-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await waitForGround(frame, WHITE);
    expect(await readGround(frame)).toBe(WHITE);
  });

  it("is in Japanese on a Japanese page, as is its button", async () => {
    const frame = await openAnew("?lang=ja");
    await frame.getByRole("tab", { name: "検索" }).waitFor();
    expect(await frame.evaluate(() => document.documentElement.lang)).toBe("ja-JP");
    expect(await page.getByRole("button", { name: "FEED ウィンドウ" }).getAttribute("aria-expanded")).toBe("true");
    expect(await page.locator("iframe").getAttribute("title")).toBe("FEED ウィンドウ");
    await waitUntilConnected(frame);
    await saveScreenshot(page, "playground-pane-ja");
  });

  it("overlays the grid of a narrow screen, and only on demand", async () => {
    const narrow = await browser.newPage({ viewport: { width: 800, height: 700 } });
    await narrow.goto(`${companion.origin}/playground.html`);
    await narrow.evaluate(() => window.playground.ready);
    const width = () => narrow.locator("#workbook").evaluate((grid) => grid.getBoundingClientRect().width);
    expect([await narrow.locator("#panel").isVisible(), await width()]).toEqual([false, 800]);
    const button = narrow.getByRole("button", { name: "FEED pane" });
    await button.focus();
    await narrow.keyboard.press("Enter");
    expect([await narrow.locator("#panel").isVisible(), await width()]).toEqual([true, 800]);
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await pane(narrow).getByRole("tab").first().waitFor();
    await saveScreenshot(narrow, "playground-pane-narrow");
    await narrow.close();
  });

  it("cannot be framed elsewhere: alone it redirects to the playground", async () => {
    const alone = await browser.newPage();
    await alone.goto(`${companion.origin}/playground-pane.html`);
    await alone.waitForURL("**/playground.html");
    await alone.close();
  });
});

describe("the add-in's commands", () => {
  it("are in the strip, some behind a button, and apply to the selection", async () => {
    const frame = await open();
    await type(page, ["A1", '=FEED.RANKING("2024-01",,3)']);
    await waitFor(page, "A4", 3);
    const before = await readRange(page, "A1:I4");
    await page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });
    await page.locator("header").getByText("More", { exact: true }).click();
    await saveScreenshot(page, "playground-commands");
    await press("Freeze to values");
    expect(await page.locator("#more").getAttribute("open")).toBeNull();
    await frame.getByRole("button", { name: /^Freeze 1 / }).click();
    await page.waitForFunction(() => window.playground.live() === 0);
    expect(await page.evaluate(() => window.playground.formula("A1"))).toBe("Rank");
    expect(await readRange(page, "A1:I4")).toEqual(
      before.map((row) => row.map((value) => (value === "" ? null : value))),
    );
  });

  it("are in the menu of a cell, and show the pane", async () => {
    const frame = await open();
    await press("FEED pane");
    await page.click(".o-grid-overlay", { position: { x: 40, y: 60 }, button: "right" });
    await page.hover(".o-menu-item[data-name='feed']");
    await page.click(".o-menu-item[data-name='feed_refreshSelection']");
    await frame.getByText("The selection holds no FEED formula.").waitFor();
    expect(await isShown()).toBe(true);
  });

  it("close with Escape, and with a click into the grid or the pane", async () => {
    const frame = await open();
    await frame.getByRole("tab", { name: "Changes" }).waitFor();
    const more = page.locator("#more summary");
    const isOpen = () => page.locator("#more").evaluate((fold) => (fold as HTMLDetailsElement).open);
    await more.focus();
    await page.keyboard.press("Enter");
    expect(await isOpen()).toBe(true);
    await page.keyboard.press("Escape");
    expect([await isOpen(), await more.evaluate((element) => element === document.activeElement)]).toEqual([
      false,
      true,
    ]);
    await more.click();
    await page.click(".o-grid-overlay", { position: { x: 40, y: 60 } });
    expect(await isOpen()).toBe(false);
    await more.click();
    await frame.getByRole("tab", { name: "Changes" }).click();
    expect(await isOpen()).toBe(false);
  });
});
