import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Frame } from "playwright-core";
import { PAGE_TYPES } from "../../src/contract/parameter-values";
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
    await page.click("#workbooks summary");
    expect(await page.locator("#workbooks-list button").first().innerText()).toBe("新規");
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
    await at.frame.getByRole("button", { name: /^Freeze 1 .* in the selection/ }).click();
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

const select = (cell: "A1" | "A3") =>
  at.page.click(".o-grid-overlay", { position: { x: 40, y: cell === "A1" ? 12 : 60 } });
const waitForSentence = (shown: boolean) =>
  at.page.waitForFunction((hidden) => document.getElementById("cell-error")?.hidden === hidden, !shown);

const quote = (values: readonly string[]) => values.map((value) => `"${value}"`);

/** Waits until the cell editor has a text with the caret at its end, and suggests exactly these; null for any. */
async function waitForProposals(text: string, proposals: readonly string[] | null): Promise<void> {
  await at.page.waitForFunction(
    ([wanted, values]) => {
      const editor = document.querySelector(".o-grid .o-composer");
      const selection = getSelection();
      if (!editor || !selection?.focusNode || !editor.contains(selection.focusNode)) return false;
      const before = document.createRange();
      before.setStart(editor, 0);
      before.setEnd(selection.focusNode, selection.focusOffset);
      const shown = [...document.querySelectorAll<HTMLElement>(".o-autocomplete-value")].map((each) => each.innerText);
      const isTyped = before.toString() === wanted && editor.textContent === wanted;
      return isTyped && (values === null || JSON.stringify(shown) === JSON.stringify(values));
    },
    [text, proposals] as const,
  );
}

/** Presses a key and releases it when the page shows its effect, since the engine reads the caret on release. */
async function hold(key: string, untilShown: () => Promise<void>): Promise<void> {
  await at.page.keyboard.down(key);
  await untilShown();
  await at.page.keyboard.up(key);
}

/** Types more text, at the speed of what the editor shows. */
async function write(more: string, written = ""): Promise<void> {
  for (let count = 1; count <= more.length; count++) {
    const text = written + more.slice(0, count);
    await hold(text.slice(-1), () => waitForProposals(text, null));
  }
}

const take = (text: string) => hold("Tab", () => waitForProposals(text, []));

describe("a formula typed by keyboard", () => {
  beforeEach(() => select("A1"));

  it("is suggested by name, and its page types with their meaning, beside argument help", async () => {
    await write("=FEED.RA");
    const names = ["", ".PAGES", ".TREND", ".MOVERS", ".INDUSTRIES"].map((name) => `FEED.RANKING${name}`);
    await waitForProposals("=FEED.RA", names);
    const second = at.page.locator(".o-autocomplete-value-focus", { hasText: "FEED.RANKING.PAGES" });
    await hold("ArrowDown", () => second.waitFor());
    await take("=FEED.RANKING.PAGES(");
    await write('"2024-01",,', "=FEED.RANKING.PAGES(");
    await waitForProposals('=FEED.RANKING.PAGES("2024-01",,', quote(PAGE_TYPES));
    const help = (await at.page.locator(".o-composer-assistant").innerText()).replace(/\s+/g, " ");
    expect(help).toContain("Company overview");
    expect(help).toContain("One type of page");
    await write('"NEW', '=FEED.RANKING.PAGES("2024-01",,');
    await waitForProposals('=FEED.RANKING.PAGES("2024-01",,"NEW', quote(["NEWS"]));
    await take('=FEED.RANKING.PAGES("2024-01",,"NEWS"');
    await at.page.keyboard.type(",20)");
    await at.page.keyboard.press("Enter");
    await waitFor(at.page, "A21", 20);
    expect((await readRange(at.page, "A1:A1")).flat()).toEqual(["Rank"]);
  });

  it("accepts a value that is not suggested, and is removed by one undo", async () => {
    await at.page.keyboard.type('=FEED.RANKING("2024-01",,3,"companyName,rank")');
    await at.page.keyboard.press("Enter");
    await readSettled(at.page, "A1");
    expect(await readRange(at.page, "A1:B1")).toEqual([["Company", "Rank"]]);
    await at.page.keyboard.press("Control+z");
    await at.page.waitForFunction(() => window.playground.live() === 0);
    expect(await readRange(at.page, "A1:B1")).toEqual([[null, null]]);
  });
});

it.each([
  ["?lang=en", "Formulas"],
  ["?lang=ja", "数式一覧"],
])("the strip of %s links to the formulas' pages in that language", async (query, name) => {
  const page = await at.open({ query });
  const opening = page.context().waitForEvent("page");
  await page.getByRole("link", { name, exact: true }).click();
  const opened = await opening;
  await opened.locator('a[href="FINANCIAL.html"]').first().waitFor();
  expect(await opened.getAttribute("html", "lang")).toBe(query.slice(-2));
});

it("a menu of the strip closes with a click elsewhere, which also selects that cell", async () => {
  await select("A3");
  await type(at.page, ["A1", "=1/0"]);
  await waitForSentence(false);
  await at.page.click("#more summary");
  await select("A1");
  await waitForSentence(true);
  expect(await at.page.isVisible("#more div")).toBe(false);
});

it.each([800, 1440])("a long error sentence does not move the grid at a width of %d", async (width) => {
  await at.page.setViewportSize({ width, height: 900 });
  const readTop = () => at.page.evaluate(() => document.getElementById("workbook")?.getBoundingClientRect().top);
  await select("A1");
  await waitForSentence(false);
  const top = await readTop();
  await type(at.page, ["A1", `=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",1901,"Revenue")`]);
  await waitForSentence(true);
  expect(await readTop()).toBe(top);
  const message = (await read(at.page, "A1")).error?.message ?? "";
  expect(message.length).toBeGreaterThan(100);
  const line = await at.page.evaluate(() => {
    const element = document.getElementById("cell-error") as HTMLElement;
    getSelection()?.selectAllChildren(element);
    const { right } = element.getBoundingClientRect();
    const button = document.getElementById("formulas")?.getBoundingClientRect().left ?? 0;
    const isInPlace = right <= button && document.documentElement.scrollWidth <= innerWidth;
    return { title: element.title, selected: String(getSelection()), isInPlace };
  });
  expect(line).toEqual({ title: `#N/A ${message}`, selected: `#N/A ${message}`, isInPlace: true });
});
