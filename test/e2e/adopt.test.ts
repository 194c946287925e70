import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser } from "playwright-core";
import type { CellState } from "../../src/contract/workbook";
import { toAddress } from "../../src/taskpane/addresses";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { createTypedBlock, type SourceCompany, type TypedBlock } from "../taskpane/adopt/typed-blocks";
import { readSources } from "../taskpane/adopt/typed-blocks-page";
import { type AdoptPage, openAdoptPage } from "./adopt-page";

/** Each takes a second: the layouts come in turns of five. */
const BLOCKS = 10;

let browser: Browser;
let companion: RunningCompanion;
let sources: SourceCompany[];
let opened: AdoptPage;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 400 })]);
  sources = await readSources(await createDirectReading(companion.origin), 250);
  opened = await openAdoptPage(browser, companion.origin);
  await opened.unfold();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await companion.close();
});

/** Replaces a block and undoes it; the cells before, between and after. */
async function replaceAndUndo({ cells, selection }: TypedBlock) {
  const { begin, compare, button, readAll, settle } = opened;
  const [rows, columns] = [cells.length, cells[0]?.length ?? 0];
  await begin(cells, toAddress(selection));
  const before = await readAll(rows, columns);
  await opened.frame.getByText(`Model!${toAddress(selection)}:`).waitFor();
  await compare();
  await button(/^Replace /).click();
  await button(/^Undo Model/).waitFor();
  await settle(rows, columns);
  const between = await readAll(rows, columns);
  await button(/^Undo Model/).click();
  await button(/^Undo Model/).waitFor({ state: "detached" });
  return { before, between, after: await readAll(rows, columns) };
}

const toPlace = (key: string) => key.split(",").map(Number) as [row: number, column: number];

const state = (value: CellState["value"]): CellState => ({ value, formula: "", format: "" });

/** Companies that no other formula of the playground reads. */
const listPeers = () => sources.filter(({ years }) => years.get(2023)?.CONSOLIDATED).slice(100, 103);

/** The figures of three companies in thousands. */
const listTyped = (metrics: readonly string[]): number[][] =>
  listPeers().map(({ years }) =>
    metrics.map((metric) => Math.round((years.get(2023)?.CONSOLIDATED?.[metric] ?? 0) / 1000)),
  );

/** A table of three companies: a title, headings, and figures in thousands. */
function toPeers(
  headings: readonly string[],
  label: "id" | "registrationNumber" = "registrationNumber",
): CellState[][] {
  const figures = listTyped(["Revenue", "Net Income"]);
  return [
    [state("FY2023 (¥k)"), state(null), state(null)],
    [state(null), ...headings.map(state)],
    ...listPeers().map((company, row) => [state(company[label]), ...(figures[row] ?? []).map(state)]),
  ];
}

describe("typed numbers in the playground", () => {
  it("become formulas with the provider's figures in their unit, and come back by one undo", async () => {
    let [right, all] = [0, 0];
    for (let seed = 1; seed <= BLOCKS; seed++) {
      const typed = createTypedBlock(seed, sources);
      const { before, between, after } = await replaceAndUndo(typed);
      expect(after).toEqual(before);
      for (const [key, truth] of typed.truths) {
        const [row, column] = toPlace(key);
        const cell = between[row]?.[column];
        if (!truth.isWrong) all++;
        if (cell?.formula === "") continue;
        right++;
        expect({ seed, key, value: cell?.value }).toEqual({ seed, key, value: expect.closeTo(truth.figure, 5) });
        expect(truth.isWrong).toBe(false);
      }
      for (const [row, column] of [...typed.decoys].map(toPlace)) {
        expect(between[row]?.[column]).toEqual(before[row]?.[column]);
      }
    }
    expect(right / all).toBeGreaterThanOrEqual(0.95);
    expect(opened.errors).toEqual([]);
  }, 120_000);

  it("stay where somebody has changed them, and come back wherever rows have moved", async () => {
    const { begin, compare, button, readAll, settle, page, frame } = opened;
    await begin(toPeers(["Net sales", "Net Income"]));
    await compare();
    await button("Replace 6 typed numbers").click();
    await button(/^Undo Model/).waitFor();
    await settle(5, 3);
    await page.evaluate(() => {
      window.playground.set("C4", "77");
      window.playground.insertRow(2);
    });
    await button(/^Undo Model/).click();
    await frame.getByText("5 typed numbers restored. Left as they are, since they have changed: Model!C4.").waitFor();
    const shown = (await readAll(6, 3)).slice(3).map((line) => line.slice(1).map(({ value }) => value));
    expect(shown).toEqual(
      listTyped(["Revenue", "Net Income"]).map((line, index) => (index === 1 ? [line[0], 77] : line)),
    );
  });

  it("are a choice where the label names another metric than the figures fit", async () => {
    const { begin, compare, button, frame } = opened;
    await begin(toPeers(["Net sales", "Total assets"]));
    await compare();
    await frame.getByText("The figures fit another metric than the label. Choose.").waitFor();
    await button("Replace 3 typed numbers").waitFor();
    await frame.getByRole("combobox", { name: "Total assets" }).selectOption({ label: "Net Income · thousands" });
    await button("Replace 6 typed numbers").waitFor();
    await frame.getByRole("combobox", { name: "Net sales" }).selectOption({ label: "Leave as typed" });
    await button("Replace 3 typed numbers").waitFor();
  });

  it("come back by an undo after the workbook was opened again", async () => {
    const first = await openAdoptPage(browser, companion.origin);
    await first.begin(toPeers(["Net sales", "Net Income"]));
    const before = await first.readAll(5, 3);
    await first.compare();
    await first.button("Replace 6 typed numbers").click();
    await first.button(/^Undo Model/).waitFor();
    await first.settle(5, 3);
    const saved = await first.page.evaluate(() => window.playground.save());
    await first.page.close();
    const next = await openAdoptPage(browser, companion.origin);
    await next.page.evaluate((workbook) => window.playground.load(workbook), saved);
    await next.settle(5, 3);
    await next.unfold();
    await next.button("Undo Model!A1:C5").click();
    await next.frame.getByText("6 typed numbers restored.").waitFor();
    expect(await next.readAll(5, 3)).toEqual(before);
    expect(next.errors).toEqual([]);
    await next.page.close();
  });

  it("stay, each company with its reason, where the provider gives no figures", async () => {
    const fresh = await openAdoptPage(browser, companion.origin);
    await fresh.begin(toPeers(["Net sales", "Net Income"], "id"));
    const refused = { status: 403, times: Number.POSITIVE_INFINITY };
    companion.controls.answers = { getFinancialsOfMany: refused, getCompanyFinancials: refused };
    await fresh.compare();
    await fresh.frame.getByRole("heading", { name: fresh.texts.notFound }).waitFor();
    await fresh.frame.getByText(fresh.texts.nothingToReplace).waitFor();
    expect(await fresh.frame.getByText(/FEED_SCOPE_MISSING/).count()).toBe(3);
    expect(await fresh.button(/^Replace /).count()).toBe(0);
    companion.controls.answers = {};
    await fresh.page.close();
  });

  it("are asked for without a request, while the selection has none or names no company", async () => {
    const { begin, button, frame } = opened;
    companion.controls.reset();
    await begin([[state("Sakura"), state("Fuji")]]);
    await frame.getByText("There is no typed number in the selection.").waitFor();
    await begin([
      [state(2022), state(2023)],
      [state(12.5), state(13.5)],
    ]);
    await frame.getByText("Nothing beside these numbers names a company.").waitFor();
    expect(await button("Compare with FEED").isVisible()).toBe(false);
    expect(companion.controls.requests).toEqual([]);
  });

  it("cost one request, of which the part tells before, and stay as they are when that is cancelled", async () => {
    const fresh = await openAdoptPage(browser, companion.origin);
    const { begin, unfold, button, frame, page, readAll } = fresh;
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => (open = resolve));
    await page.route("**/financials", async (route) => {
      await isOpen;
      await route.continue();
    });
    await begin(toPeers(["Net sales", "Net Income"], "id"));
    await unfold();
    await frame.getByText("About 1 request.").waitFor();
    companion.controls.reset();
    await button("Compare with FEED").click();
    await button("Cancel").click();
    await button("Compare with FEED").waitFor();
    expect((await readAll(5, 3)).flat().filter(({ formula }) => formula !== "")).toEqual([]);
    expect(companion.controls.count("getFinancialsOfMany")).toBe(0);
    open();
    await fresh.compare();
    expect(companion.controls.count("getFinancialsOfMany")).toBe(1);
    await page.close();
  });
});

const MOST_KEYS = 20;

/** Presses Tab until a button has the focus. */
async function reach({ button, page }: AdoptPage, name: string | RegExp): Promise<void> {
  for (let keys = 0; keys < MOST_KEYS; keys++) {
    if (await button(name).evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${name}.`);
}

describe("the part in a narrow pane, by keyboard alone", () => {
  it.each([
    ["en", "light", /^Replace /, /^Undo /],
    ["ja", "dark", /を置き換える$/, /を元に戻す$/],
  ] as const)("works in %s, %s", async (language, scheme, replaceName, undoName) => {
    const narrow = await openAdoptPage(browser, companion.origin, language, scheme);
    const { page, frame, button, texts, begin, readAll, errors } = narrow;
    await page.locator("iframe").evaluate((element) => {
      element.style.cssText += "flex: none; width: 320px";
    });
    await begin(toPeers(["Revenue", "当期純利益"]));
    await frame.locator("details summary").last().focus();
    for (const name of [texts.compare, replaceName, undoName]) {
      await page.keyboard.press(name === texts.compare ? "Enter" : "Tab");
      await button(name).waitFor();
      await reach(narrow, name);
      expect(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await saveScreenshot(page, `adopt-${language}`);
      await page.keyboard.press("Enter");
    }
    await button(undoName).waitFor({ state: "detached" });
    expect((await readAll(5, 3)).flat().filter(({ formula }) => formula !== "")).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });
});
