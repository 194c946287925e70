import type { Frame, Locator, Page } from "playwright-core";
import { pane } from "./playground-page";

type Region = "strip" | "grid" | "pane";

/** How a person works in the playground: by the mouse, or by the keyboard alone. */
export interface Hands {
  /** Presses a button, opens a tab or marks a choice. */
  press(target: Locator, region?: Region): Promise<void>;
  /** Chooses from a closed list of the pane, by the beginning of an option's name. */
  choose(list: Locator, option: string): Promise<void>;
  /** Writes into a field of the pane, and presses Enter once a proposal is there. */
  write(field: Locator, text: string): Promise<void>;
  /** Selects a cell of the grid that is in sight: column and row, from 0. */
  select(column: number, row: number): Promise<void>;
}

/** The grid's first cell, in pixels within the grid without frozen rows, and the size of a cell. */
const [LEFT, TOP, WIDTH, HEIGHT] = [90, 37, 96, 23];

export const createMouse = (page: Page): Hands => ({
  press: (target) => target.click(),
  async choose(list, option) {
    const names = await list.getByRole("option").allTextContents();
    await list.selectOption(names.find((name) => name.startsWith(option)) ?? option);
  },
  async write(field, text) {
    await field.click();
    await field.pressSequentially(text);
    await takeFirst(page, pane(page));
  },
  select: (column, row) =>
    page.click(".o-grid-overlay", { position: { x: LEFT + column * WIDTH - 46, y: TOP + row * HEIGHT - 26 } }),
});

export const createKeyboard = (page: Page): Hands => ({
  async press(target, region = "pane") {
    await reach(page, target, region);
    const role = await target.evaluate((element) => (element as HTMLInputElement).type);
    await page.keyboard.press(role === "radio" ? "Space" : "Enter");
  },
  async choose(list, option) {
    await reach(page, list, "pane");
    await page.keyboard.type(option);
  },
  async write(field, text) {
    await reach(page, field, "pane");
    await page.keyboard.type(text);
    await takeFirst(page, pane(page));
  },
  async select(column, row) {
    await enterRegion(page, "grid");
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < column; step++) await page.keyboard.press("ArrowRight");
    for (let step = 0; step < row; step++) await page.keyboard.press("ArrowDown");
  },
});

/** Takes the first proposal, which Enter takes as soon as it fits the text. */
async function takeFirst(page: Page, frame: Frame): Promise<void> {
  await frame.getByRole("option", { selected: true }).first().waitFor();
  await page.keyboard.press("Enter");
}

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
  const { type, name } = target as HTMLInputElement;
  if (type === "radio" && (focused as HTMLInputElement | null)?.name === name) return "ArrowDown";
  const isBefore = focused && target.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING;
  return isBefore ? "Shift+Tab" : "Tab";
}

const IN_REGION: Readonly<Record<Region, string>> = { strip: "header", grid: "#workbook", pane: "iframe" };

async function enterRegion(page: Page, region: Region): Promise<void> {
  const isThere = () => page.evaluate((within) => document.activeElement?.closest(within) != null, IN_REGION[region]);
  for (let keys = 0; keys < 3 && !(await isThere()); keys++) await page.keyboard.press("F6");
  if (!(await isThere())) throw new Error(`F6 does not lead to the ${region}.`);
}
