import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Frame } from "playwright-core";
import { PLAYGROUND_WORKBOOK, type Workbook } from "../../src/contract/workbook";
import { waitUntilConnected } from "../support/pane-page";
import { clearWorkbook, pane, read, readRange, readSettled, type, waitFor } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

declare global {
  interface Window {
    [PLAYGROUND_WORKBOOK]: Workbook;
  }
}

const FIGURE = '=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",2023,"Revenue")';
const [WHITE, DARK] = ["rgb(255, 255, 255)", "rgb(41, 41, 41)"];

const at = createPlaygroundPage();
beforeEach(async () => {
  if (!(await isShown())) await press("FEED pane");
});

const isShown = () => at.page.locator("#panel").isVisible();
const press = (name: string) => at.page.locator("header").getByRole("button", { name, exact: true }).click();
const clickA3 = (button: "left" | "right" = "left") =>
  at.page.click(".o-grid-overlay", { position: { x: 40, y: 60 }, button });
const waitForGround = (frame: Frame, colour: string) =>
  frame.waitForFunction((expected) => {
    const [themed] = document.getElementsByClassName("fui-FluentProvider");
    return themed !== undefined && getComputedStyle(themed).backgroundColor === expected;
  }, colour);

describe("the page of the playground", () => {
  it("compiles no code, whatever a script requests", async () => {
    // In a separate task, since code evaluated by the test driver is exempt.
    const tried = await at.page.evaluate(() => {
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
  it("is the same as in Excel: it connects, and formulas run in its page, while it is hidden too", async () => {
    await waitUntilConnected(at.frame);
    const sources = await at.frame
      .locator("script[src]")
      .evaluateAll((all) => all.map((each) => each.getAttribute("src")));
    expect(sources).toEqual(["/playground-pane.js", "/functions.js", "/taskpane.js"]);
    expect(await at.page.locator('script[src="/functions.js"]').count()).toBe(0);
    await press("FEED pane");
    expect(await isShown()).toBe(false);
    await type(at.page, ["A1", FIGURE]);
    const before = Number((await readSettled(at.page, "A1")).value);
    at.companion.controls.perturb = (value) => value * 2;
    await press("Refresh all");
    await waitFor(at.page, "A1", before * 2);
  });

  it("writes formulas and texts into the grid, and is refused while a cell is edited", async () => {
    const place = await at.frame.evaluate(
      (formula) => window.feedPlaygroundWorkbook.write({ cells: [["=1+1", { formula }]] }),
      FIGURE,
    );
    expect(place).toEqual({ sheet: "Empty", address: "A1:B1" });
    expect(typeof (await readSettled(at.page, "B1")).value).toBe("number");
    expect((await read(at.page, "A1")).value).toBe("=1+1");
    await clickA3();
    await at.page.keyboard.type("=FEED.");
    const fault = await at.frame.evaluate(() =>
      window.feedPlaygroundWorkbook.write({ cells: [["x"]] }).catch((error) => error.fault),
    );
    expect(fault).toBe("editing");
    await at.page.keyboard.press("Escape");
    expect(await at.frame.evaluate(() => window.feedPlaygroundWorkbook.readSelection())).toMatchObject({ cell: "A3" });
  });

  it("is in Japanese on a Japanese page, as are its button and badge, and follows the page's dark mode", async () => {
    const page = await at.open({ query: "?lang=ja", scheme: "dark" });
    await pane(page).getByRole("tab", { name: "検索" }).waitFor();
    expect(await pane(page).evaluate(() => document.documentElement.lang)).toBe("ja-JP");
    expect(await page.getByRole("button", { name: "FEED ウィンドウ" }).getAttribute("aria-expanded")).toBe("true");
    expect(await page.locator("iframe").getAttribute("title")).toBe("FEED ウィンドウ");
    expect([await page.textContent("#sample"), await page.getAttribute("html", "lang")]).toEqual([
      "サンプルデータ",
      "ja",
    ]);
    await waitForGround(pane(page), DARK as string);
    await page.emulateMedia({ colorScheme: "light" });
    await waitForGround(pane(page), WHITE as string);
    await clearWorkbook(page);
    await type(page, ["A1", FIGURE.replace("2023", "1901")]);
    expect((await readSettled(page, "A1")).error?.message).toContain("会計年度 1901 はありません");
  });

  it("overlays the grid of a narrow screen, and only on demand", async () => {
    const narrow = await at.browser.newPage({ viewport: { width: 800, height: 700 } });
    await narrow.goto(`${at.companion.origin}/playground.html`);
    await narrow.evaluate(() => window.playground.ready);
    const width = () => narrow.locator("#workbook").evaluate((grid) => grid.getBoundingClientRect().width);
    expect([await narrow.locator("#panel").isVisible(), await width()]).toEqual([false, 800]);
    const button = narrow.getByRole("button", { name: "FEED pane" });
    await button.focus();
    await narrow.keyboard.press("Enter");
    expect([await narrow.locator("#panel").isVisible(), await width()]).toEqual([true, 800]);
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await pane(narrow).getByRole("tab").first().waitFor();
    await narrow.goto(`${at.companion.origin}/playground-pane.html`);
    await narrow.waitForURL("**/playground.html"); // cannot be framed elsewhere: alone it redirects
    await narrow.close();
  });
});

describe("the add-in's commands", () => {
  it("are in the strip, some behind a button, and apply to the selection", async () => {
    await type(at.page, ["A1", '=FEED.RANKING("2024-01",,3)']);
    await waitFor(at.page, "A4", 3);
    const before = await readRange(at.page, "A1:I4");
    await clickA3();
    await at.page.locator("header").getByText("More", { exact: true }).click();
    await press("Freeze to values");
    expect(await at.page.locator("#more").getAttribute("open")).toBeNull();
    await at.frame.getByRole("button", { name: /^Freeze 1 / }).click();
    await at.page.waitForFunction(() => window.playground.live() === 0);
    expect(await at.page.evaluate(() => window.playground.formula("A1"))).toBe("Rank");
    const kept = before.map((row) => row.map((value) => (value === "" ? null : value)));
    expect(await readRange(at.page, "A1:I4")).toEqual(kept);
  });

  it("are in the menu of a cell, and show the pane", async () => {
    await press("FEED pane");
    await clickA3("right");
    await at.page.hover(".o-menu-item[data-name='feed']");
    await at.page.click(".o-menu-item[data-name='feed_refreshSelection']");
    await at.frame.getByText("The selection holds no FEED formula.").waitFor();
    expect(await isShown()).toBe(true);
  });

  it("close with Escape, and with a click into the grid or the pane", async () => {
    const tab = at.frame.getByRole("tab", { name: "Changes" });
    await tab.waitFor();
    const more = at.page.locator("#more summary");
    const isOpen = () => at.page.locator("#more").evaluate((fold) => (fold as HTMLDetailsElement).open);
    await more.focus();
    await at.page.keyboard.press("Enter");
    expect(await isOpen()).toBe(true);
    await at.page.keyboard.press("Escape");
    expect([await isOpen(), await more.evaluate((element) => element === document.activeElement)]).toEqual([
      false,
      true,
    ]);
    await more.click();
    await clickA3();
    expect(await isOpen()).toBe(false);
    await more.click();
    await tab.click();
    expect(await isOpen()).toBe(false);
  });
});
