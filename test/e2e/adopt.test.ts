import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { type CellState, PLAYGROUND_WORKBOOK, type Workbook } from "../../src/contract/workbook";
import { toAddress, toLetters } from "../../src/taskpane/addresses";
import { buildTexts } from "../../src/taskpane/texts/build";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { createTypedBlock, type SourceCompany, type TypedBlock } from "../taskpane/adopt/typed-blocks";
import { readSources } from "../taskpane/adopt/typed-blocks-page";
import { openPlayground, pane } from "./playground-page";

declare global {
  interface Window {
    [PLAYGROUND_WORKBOOK]: Workbook;
  }
}

const SHEET = "Model";
const BLOCKS = Number(process.env.BLOCKS ?? 8);

let browser: Browser;
let companion: RunningCompanion;
let sources: SourceCompany[];
let page: Page;
let errors: string[];
let frame: Frame;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 400 })]);
  sources = await readSources(await createDirectReading(companion.origin), 250);
  ({ page, errors } = await openPlayground(browser, `${companion.origin}/playground.html`));
  frame = pane(page);
  await waitUntilConnected(frame);
  await openTab(frame, "Build");
}, 60_000);
beforeEach(() => companion.controls.reset());
afterAll(async () => {
  await browser.close();
  await companion.close();
});

/** Opens an empty workbook. */
async function clear(): Promise<void> {
  await page.evaluate(async (name) => {
    const { version } = window.playground.save();
    await window.playground.load({ version, sheets: [{ id: "model", name, colNumber: 80, rowNumber: 200 }] });
  }, SHEET);
}

/** Parts of number formats that the playground's engine has not. */
const EXCELS_OWN = /_\)|\[Red\]/g;

const EMPTY: CellState = { value: null, formula: "", format: "" };
const toReference = (row: number, column: number) => `${toLetters(column)}${row + 1}`;

/** Types cells from A1 on, and selects some of them. */
async function enter(given: readonly (readonly CellState[])[], selection: string): Promise<void> {
  const cells = given.map((line) => line.map((cell) => ({ ...cell, format: cell.format.replace(EXCELS_OWN, "") })));
  const swaps = cells.flatMap((line, row) =>
    line
      .map((after, column) => ({ address: toReference(row, column), before: EMPTY, after }))
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

const readAll = (rows: number, columns: number): Promise<CellState[][]> =>
  frame.evaluate(([key, reference]) => window[key].readCells(reference), [
    PLAYGROUND_WORKBOOK,
    `${SHEET}!${toAddress({ row: 0, column: 0, rows, columns })}`,
  ] as const);

const button = (name: string | RegExp) => frame.getByRole("button", { name });

/** Opens the part, if it is folded. */
async function unfold(title = buildTexts.en.adopt): Promise<void> {
  const fold = frame.locator("details", { has: frame.getByRole("heading", { name: title }) });
  if ((await fold.getAttribute("open")) === null) await fold.locator("summary").first().click();
}

/** Waits until no cell of an area waits for its figure. */
const settle = (rows: number, columns: number) =>
  page.waitForFunction(
    (reference) =>
      window.playground
        .range(reference)
        .flat()
        .every((value) => !String(value).startsWith("#")),
    toAddress({ row: 0, column: 0, rows, columns }),
  );

async function compare(): Promise<void> {
  await unfold();
  if (await button("Another block").isVisible()) await button("Another block").click();
  await button("Compare with FEED").click();
  await button("Another block").waitFor();
}

/** Replaces a block and undoes it; the cells before, between and after. */
async function replaceAndUndo({ cells, selection }: TypedBlock) {
  const [rows, columns] = [cells.length, cells[0]?.length ?? 0];
  await clear();
  await enter(cells, toAddress(selection));
  const before = await readAll(rows, columns);
  await frame.getByText(`Model!${toAddress(selection)}:`, { exact: false }).waitFor();
  await compare();
  await button(/^Replace /).click();
  await button(/^Undo Model/).waitFor();
  await settle(rows, columns);
  const between = await readAll(rows, columns);
  await button(/^Undo Model/).click();
  await button(/^Undo Model/).waitFor({ state: "detached" });
  return { before, between, after: await readAll(rows, columns) };
}

describe("typed numbers in the playground", () => {
  it("become formulas with the provider's figures in their unit, and come back by one undo", async () => {
    let [right, all] = [0, 0];
    for (let seed = 1; seed <= BLOCKS; seed++) {
      const typed = createTypedBlock(seed, sources);
      await unfold();
      if (await button("Another block").isVisible()) await button("Another block").click();
      const { before, between, after } = await replaceAndUndo(typed);
      expect(after).toEqual(before);
      for (const [key, truth] of typed.truths) {
        const [row = 0, column = 0] = key.split(",").map(Number);
        const cell = between[row]?.[column];
        if (!truth.isWrong) all++;
        if (cell?.formula === "") continue;
        right++;
        expect({ seed, key, value: cell?.value }).toEqual({ seed, key, value: expect.closeTo(truth.figure, 5) });
        expect(truth.isWrong).toBe(false);
      }
      for (const key of typed.decoys) {
        const [row = 0, column = 0] = key.split(",").map(Number);
        expect(between[row]?.[column]).toEqual(before[row]?.[column]);
      }
    }
    if (process.env.SHOW) process.stdout.write(`${right} of ${all}\n`);
    expect(right / all).toBeGreaterThanOrEqual(0.95);
    expect(errors).toEqual([]);
  }, 300_000);

  it("debug screenshot", async () => {
    await saveScreenshot(page, "adopt-debug");
  });
});
