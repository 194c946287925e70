import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Frame, Page } from "playwright-core";
import { type CellState, PLAYGROUND_WORKBOOK, type Workbook } from "../../../src/contract/workbook";
import { toAddress, toLetters } from "../../../src/taskpane/addresses";
import { toTexts } from "../../../src/taskpane/texts";
import { ADOPT } from "../../../src/tools/adopt/door";
import { adoptTexts } from "../../../src/tools/adopt/texts";
import { reach } from "../../e2e/keyboard";
import { pane } from "../../e2e/playground-page";
import { createOpening, createSurroundings } from "../../e2e/surroundings";
import { createDirectReading } from "../../support/direct-reading";
import { openTab, waitUntilConnected } from "../../support/pane-page";
import { createTypedBlock, type SourceCompany } from "./typed-blocks";
import { readSources } from "./typed-blocks-page";

declare global {
  interface Window {
    [PLAYGROUND_WORKBOOK]: Workbook;
  }
}

const SHEET = "Model";
const REFUSED = { status: 403, times: Number.POSITIVE_INFINITY };

const at = createSurroundings({ companies: 400 });
const open = createOpening(() => at.companion.origin);
let sources: SourceCompany[];
let opened: AdoptPage;

beforeAll(async () => {
  sources = await readSources(await createDirectReading(at.companion.origin), 250);
  const context = await at.browser.newContext({ serviceWorkers: "block" }); // their requests bypass routes
  opened = await openAdoptPage(await open(context));
  await opened.unfold();
}, 60_000);

const toPlace = (key: string) => key.split(",").map(Number) as [row: number, column: number];
const state = (value: CellState["value"]): CellState => ({ value, formula: "", format: "" });
const listFormulas = (cells: CellState[][]) => cells.flat().filter(({ formula }) => formula !== "");

/** Three companies of a number that no other test reads. */
const listPeers = (turn: number) =>
  sources.filter(({ years }) => years.get(2023)?.CONSOLIDATED).slice(90 + 3 * turn, 93 + 3 * turn);

/** A table of three companies: a title, headings, and figures in thousands. */
function toPeers(turn: number, headings: readonly string[], label: "id" | "registrationNumber" = "registrationNumber") {
  const rows = listPeers(turn).map(({ years, ...company }) => {
    const figures = ["Revenue", "Net Income"].map((metric) => years.get(2023)?.CONSOLIDATED?.[metric] ?? 0);
    return [company[label], ...figures.map((figure) => Math.round(figure / 1000))].map(state);
  });
  const title = [state("FY2023 (¥k)"), state(null), state(null)];
  return [title, [state(null), ...headings.map(state)], ...rows];
}

const replaceAll = async ({ button, settle }: AdoptPage, rows: number, columns: number) => {
  await button(/^Replace /).click();
  await button("Undo").waitFor();
  await settle(rows, columns);
};

describe("typed numbers in the playground", () => {
  it("become formulas with the provider's figures in their unit, and come back by one undo", async () => {
    const { begin, compare, button, readAll } = opened;
    const { cells, selection, truths, decoys } = createTypedBlock(1, sources);
    const [rows, columns] = [cells.length, cells[0]?.length ?? 0];
    await begin(cells, toAddress(selection));
    const before = await readAll(rows, columns);
    await opened.frame.getByText(`Model!${toAddress(selection)}:`).waitFor();
    await compare();
    await replaceAll(opened, rows, columns);
    const between = await readAll(rows, columns);
    await button("Undo").click();
    await button("Undo").waitFor({ state: "detached" });
    expect(await readAll(rows, columns)).toEqual(before);
    const replaced = [...truths].flatMap(([key, truth]) => {
      const [row, column] = toPlace(key);
      const cell = between[row]?.[column];
      return cell === undefined || cell.formula === "" ? [] : [{ key, truth, value: cell.value }];
    });
    for (const { key, truth, value } of replaced) {
      expect({ key, value, isWrong: truth.isWrong }).toEqual({
        key,
        value: expect.closeTo(truth.figure, 5),
        isWrong: false,
      });
    }
    const right = [...truths.values()].filter(({ isWrong }) => !isWrong);
    expect(replaced.length / right.length).toBeGreaterThanOrEqual(0.95);
    for (const [row, column] of [...decoys].map(toPlace)) expect(between[row]?.[column]).toEqual(before[row]?.[column]);
  });

  it("are coloured where they differ and stay, until that is undone", async () => {
    const { begin, compare, button, countRules, frame, texts } = opened;
    const cells = toPeers(0, ["Net sales", "Net Income"]);
    cells[3] = (cells[3] ?? []).map((cell, column) => (column === 1 ? state(Number(cell.value) + 5_000_001) : cell));
    await begin(cells);
    await compare();
    await replaceAll(opened, 5, 3);
    expect(await countRules()).toBe(1);
    await frame.getByRole("heading", { name: texts.staying(1) }).waitFor();
    await button("Undo").click();
    await frame.getByText("5 typed numbers restored.").waitFor();
    expect(await countRules()).toBe(0);
  });

  it("are a choice where the label names another metric than the figures fit", async () => {
    const { begin, compare, button, frame } = opened;
    await begin(toPeers(0, ["Net sales", "Total assets"]));
    await compare();
    await frame.getByText("The figures fit another metric than the label. Choose.").waitFor();
    await button("Replace 3 typed numbers").waitFor();
    await frame.getByRole("combobox", { name: "Total assets" }).selectOption({ label: "Net Income · thousands" });
    await button("Replace 6 typed numbers").waitFor();
    await frame.getByRole("combobox", { name: "Net sales" }).selectOption({ label: "Leave as typed" });
    await button("Replace 3 typed numbers").waitFor();
  });

  it("come back but for what somebody has changed, and not at all once a row has come in", async () => {
    const { begin, compare, button, readAll, page, frame } = opened;
    for (const isMoved of [false, true]) {
      await begin(toPeers(0, ["Net sales", "Net Income"]));
      const before = await readAll(5, 3);
      await compare();
      await replaceAll(opened, 5, 3);
      const between = await readAll(5, 3);
      if (isMoved) await page.evaluate(() => window.playground.insertRow(2));
      else await page.evaluate(() => window.playground.set("C4", "77"));
      await button("Undo").click();
      await frame.getByText(`${isMoved ? 0 : 5} typed numbers restored.`).waitFor();
      const after = (await readAll(isMoved ? 6 : 5, 3))
        .slice(isMoved ? 3 : 2)
        .map((line) => line.map(({ value }) => value));
      const wanted = (isMoved ? between : before).slice(2).map((line) => line.map(({ value }) => value));
      if (!isMoved) (wanted[1] as unknown[])[2] = 77;
      expect(after).toEqual(wanted);
    }
  });

  it("are asked for without a request, while the selection has none or names no company", async () => {
    const { begin, button, frame } = opened;
    await begin([[state("Sakura"), state("Fuji")]]);
    await frame.getByText("There is no typed number in the selection.").waitFor();
    await begin([
      [state(2022), state(2023)],
      [state(12.5), state(13.5)],
    ]);
    await frame.getByText("Nothing beside these numbers names a company.").waitFor();
    expect(await button("Compare with FEED").isVisible()).toBe(false);
    expect(at.companion.controls.requests).toEqual([]);
  });

  it("cost one request, of which the part tells before, and stay as they are when that is cancelled", async () => {
    const { begin, compare, button, frame, page, readAll } = opened;
    let letThrough = () => {};
    const isThrough = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route("**/financials", async (route) => {
      await isThrough;
      await route.continue();
    });
    await begin(toPeers(2, ["Net sales", "Net Income"], "id"));
    await frame.getByText("About 1 request.").waitFor();
    await button("Compare with FEED").click();
    await button("Cancel").click();
    await button("Compare with FEED").waitFor();
    expect(listFormulas(await readAll(5, 3))).toEqual([]);
    expect(at.companion.controls.count("getFinancialsOfMany")).toBe(0);
    letThrough();
    await compare();
    expect(at.companion.controls.count("getFinancialsOfMany")).toBe(1);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("stay, each company with its reason, where the provider gives no figures", async () => {
    const { begin, compare, button, frame, texts } = opened;
    await begin(toPeers(1, ["Net sales", "Net Income"], "id"));
    at.companion.controls.answers = { getFinancialsOfMany: REFUSED, getCompanyFinancials: REFUSED };
    await compare();
    await frame.getByRole("heading", { name: texts.notFound }).waitFor();
    await frame.getByText(texts.nothingToReplace).waitFor();
    expect(await frame.getByText(/FEED_SCOPE_MISSING/).count()).toBe(3);
    expect(await button(/^Replace /).count()).toBe(0);
  });
});

it("the part in a narrow pane, by keyboard alone works in Japanese, dark", async () => {
  const narrow = await openAdoptPage(await open(at.browser, { query: "?lang=ja", scheme: "dark" }), "ja");
  const { page, frame, button, texts, begin, readAll } = narrow;
  await page.locator("iframe").evaluate((element) => {
    element.style.cssText += "flex: none; width: 320px";
  });
  await begin(toPeers(0, ["Revenue", "当期純利益"]));
  await frame.locator("details summary").last().focus();
  const [replaceName, undoName] = [/を置き換える$/, texts.undo];
  for (const name of [texts.compare, replaceName, undoName]) {
    await page.keyboard.press(name === texts.compare ? "Enter" : "Tab");
    await reach(page, button(name), "pane");
    expect(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.keyboard.press("Enter");
  }
  await button(undoName).waitFor({ state: "detached" });
  expect(listFormulas(await readAll(5, 3))).toEqual([]);
  await page.close();
});

type Rows = readonly (readonly CellState[])[];

/** The playground with the part that turns typed numbers into formulas. */
type AdoptPage = Awaited<ReturnType<typeof openAdoptPage>>;

/** Opens Build in the playground. */
async function openAdoptPage(page: Page, language: "en" | "ja" = "en") {
  const frame = pane(page);
  await waitUntilConnected(frame);
  const all = toTexts(language);
  await openTab(frame, all.parts.build);
  const texts = adoptTexts[language];
  const button = (name: string | RegExp) => frame.getByRole("button", { name });
  /** Unfolds the part. */
  const unfold = async () => {
    const fold = frame.locator("details", { has: frame.getByRole("heading", { name: ADOPT.title[language] }) });
    if ((await fold.getAttribute("open")) === null) await fold.locator("summary").first().click();
  };
  return {
    ...{ page, frame, texts, button, unfold },
    /** Types cells from A1 of an empty workbook on, selects some of them, and goes back to the first step. */
    async begin(cells: Rows, selection = toAddress(toBlock(cells.length, cells[0]?.length ?? 0))) {
      if (await button(texts.another).isVisible()) await button(texts.another).click();
      await clear(page);
      await button(texts.compare).waitFor({ state: "hidden" }); // what was selected before is forgotten
      await enter(frame, cells, selection);
    },
    async compare() {
      await unfold();
      await button(texts.compare).click();
      await button(texts.another).waitFor();
    },
    /** What the cells from A1 on hold. */
    readAll: (rows: number, columns: number) =>
      frame.evaluate(([key, reference]) => window[key].readCells(reference), [
        PLAYGROUND_WORKBOOK,
        `${SHEET}!${toAddress(toBlock(rows, columns))}`,
      ] as const),
    /** How many cells of the sheet have a colour by rule. */
    countRules: () =>
      page.evaluate(() => Object(window.playground.save().sheets[0]).conditionalFormats.length as number),
    /** Waits until no cell waits for its figure. */
    async settle(rows: number, columns: number) {
      await page.waitForFunction(
        (reference) => {
          const values = window.playground.range(reference).flat();
          return values.every((value) => !String(value).startsWith("#"));
        },
        toAddress(toBlock(rows, columns)),
      );
    },
  };
}

const toBlock = (rows: number, columns: number) => ({ row: 0, column: 0, rows, columns });

async function clear(page: Page): Promise<void> {
  await page.evaluate(async (name) => {
    const { version } = window.playground.save();
    await window.playground.load({ version, sheets: [{ id: "model", name, colNumber: 80, rowNumber: 200 }] });
  }, SHEET);
}

const EMPTY: CellState = { value: null, formula: "", format: "" };

/** Parts of number formats that the playground's engine has not. */
const EXCELS_OWN = /_\)|\[Red\]/g;

async function enter(frame: Frame, cells: Rows, selection: string): Promise<void> {
  const swaps = cells.flatMap((line, row) =>
    line
      .map((cell, column) => ({
        address: `${toLetters(column)}${row + 1}`,
        before: EMPTY,
        after: { ...cell, format: cell.format.replace(EXCELS_OWN, "") },
      }))
      .filter(({ after }) => after.value !== null || after.formula !== ""),
  );
  await frame.evaluate(
    async ([name, key, all, address]) => {
      const workbook = window[key];
      await workbook.swap(name, all);
      await workbook.show({ sheet: name, address });
    },
    [SHEET, PLAYGROUND_WORKBOOK, swaps, selection] as const,
  );
}
