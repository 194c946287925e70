import type { Frame, Page } from "playwright-core";
import { type CellState, PLAYGROUND_WORKBOOK, type Workbook } from "../../src/contract/workbook";
import { toAddress, toLetters } from "../../src/taskpane/addresses";
import { toTexts } from "../../src/taskpane/texts";
import { adoptTexts } from "../../src/taskpane/texts/adopt";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { pane } from "./playground-page";

declare global {
  interface Window {
    [PLAYGROUND_WORKBOOK]: Workbook;
  }
}

const SHEET = "Model";

export type Rows = readonly (readonly CellState[])[];

/** The playground with the part that turns typed numbers into formulas. */
export type AdoptPage = Awaited<ReturnType<typeof openAdoptPage>>;

/** Opens Build in the playground. */
export async function openAdoptPage(page: Page, language: "en" | "ja" = "en") {
  const frame = pane(page);
  await waitUntilConnected(frame);
  const all = toTexts(language);
  await openTab(frame, all.parts.build);
  const texts = adoptTexts[language];
  const button = (name: string | RegExp) => frame.getByRole("button", { name });
  /** Unfolds the part. */
  const unfold = async () => {
    const fold = frame.locator("details", { has: frame.getByRole("heading", { name: all.ofBuild.adopt }) });
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
