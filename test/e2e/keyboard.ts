import type { Locator, Page } from "playwright-core";
import { pane } from "./playground-page";

type Region = "strip" | "grid" | "pane";

/** How a person works in the playground by the keyboard alone. */
export const createKeyboard = (page: Page) => ({
  /** Presses a button or opens a tab. */
  async press(target: Locator, region: Region = "pane") {
    await reach(page, target, region);
    await page.keyboard.press("Enter");
  },
  /** Takes an option of a choice, below the chosen one. */
  async pick(choice: Locator, option: string) {
    await reach(page, choice, "pane");
    const readChosen = () => choice.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]?.text);
    const count = await choice.getByRole("option").count();
    for (let keys = 0; keys < count && (await readChosen()) !== option; keys++) await page.keyboard.press("ArrowDown");
  },
  /** Writes into a field of the pane, and takes the first proposal as soon as it fits the text. */
  async write(field: Locator, text: string) {
    await reach(page, field, "pane");
    await page.keyboard.type(text);
    await pane(page).locator("[role=option][aria-selected=true]:visible").first().waitFor();
    await page.keyboard.press("Enter");
  },
  /** Selects a cell of the grid that is in sight: column and row, from 0. */
  async select(column: number, row: number) {
    await enterRegion(page, "grid");
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < column; step++) await page.keyboard.press("ArrowRight");
    for (let step = 0; step < row; step++) await page.keyboard.press("ArrowDown");
  },
});

/** More keys than any part of the pane has stops. */
const MOST_KEYS = 120;

/** Moves the focus to an element by F6, Tab and the arrow keys. */
export async function reach(page: Page, target: Locator, region: Region): Promise<void> {
  await target.waitFor();
  await enterRegion(page, region);
  for (let keys = 0; keys < MOST_KEYS; keys++) {
    const key = await target.evaluate(toNextKey);
    if (key === null) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach ${target}.`);
}

/** The key that leads from the focused element towards another one; null where that is focused. Runs in the page. */
function toNextKey(target: Element): string | null {
  const focused = document.activeElement;
  if (focused === target) return null;
  const list = target.closest("[role=tablist]");
  if (list?.contains(focused)) return "ArrowRight";
  const isBefore = focused && target.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING;
  return isBefore ? "Shift+Tab" : "Tab";
}

const IN_REGION: Readonly<Record<Region, string>> = { strip: "header", grid: "#workbook", pane: "iframe" };

async function enterRegion(page: Page, region: Region): Promise<void> {
  const isThere = () => page.evaluate((within) => document.activeElement?.closest(within) != null, IN_REGION[region]);
  for (let keys = 0; keys < 3 && !(await isThere()); keys++) await page.keyboard.press("F6");
  if (!(await isThere())) throw new Error(`F6 does not lead to the ${region}.`);
}
