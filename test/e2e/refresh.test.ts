import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import {
  createLargeWorkbook,
  enter,
  forgetRequests,
  type LargeWorkbook,
  listRequests,
  openWorkbook,
  RECORDING_SCRIPT,
  readFigures,
  takeOutputs,
  waitForFigures,
} from "./large-workbook";
import { openPlayground, pane, read, waitFor } from "./playground-page";

const ONE_READ = ["getCompanyFinancials"];
const ONE_POST = ["getFinancialsOfMany"];
/** Longer than a query outlives its last cell. */
const GRACE_MS = 2_500;
const SLOW_MS = 10_000;

let browser: Browser;
let companion: RunningCompanion;
/** 560 figures of four companies. */
let book: LargeWorkbook;
let page: Page;
let errors: string[];
let before: unknown[];

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
  book = await createLargeWorkbook(companion, 4);
  await openFilled();
}, 60_000);
beforeEach(forget);
afterEach(() => expect(errors).toEqual([]));
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Opens the playground with the figures in its cells. */
async function openFilled(): Promise<void> {
  const address = `${companion.origin}/playground.html?lang=en`;
  ({ page, errors } = await openPlayground(browser, address, "light", RECORDING_SCRIPT));
  await forgetRequests(page, companion);
  await enter(page, book);
  before = await readFigures(page, book.figures);
}

/** Resets the recorded requests and values. */
async function forget(): Promise<void> {
  companion.controls.reset();
  await takeOutputs(page);
}

const pressAll = () => page.locator("header").getByRole("button", { name: "Refresh all", exact: true }).click();

/** Selects cells and refreshes them by the strip's commands. */
async function refreshSelected(address: string): Promise<void> {
  await select(address);
  await page.locator("header").getByText("More", { exact: true }).click();
  await page.locator("header").getByRole("button", { name: "Refresh selection", exact: true }).click();
}

const select = (address: string) =>
  pane(page).evaluate((range) => window.feedPlaygroundWorkbook.show({ sheet: "Empty", address: range }), address);

const waitForNotice = (text: RegExp) => pane(page).getByRole("status").filter({ hasText: text }).waitFor();

/** Closes the pane's notice, if any. */
async function closeNotice(): Promise<void> {
  for (const button of await pane(page).getByRole("button", { name: "Close", exact: true }).all()) await button.click();
}

/** Chooses from a menu above the grid. */
async function choose(menu: string, ...names: string[]): Promise<void> {
  await page.click(`.o-topbar-menu[data-id='${menu}']`);
  for (const name of names.slice(0, -1)) await page.hover(`.o-menu-item[data-name='${name}']`);
  await page.click(`.o-menu-item[data-name='${names.at(-1)}']`);
}

/** A figure that occurs in one cell alone, and so identifies it. */
function listUnique(count: number): { cell: string; value: number }[] {
  const unique = book.addresses.flatMap((address, index) => {
    const value = before[index];
    const isAlone = typeof value === "number" && before.filter((other) => other === value).length === 1;
    return isAlone ? [{ cell: address.replace("Empty!", ""), value: Number(value) }] : [];
  });
  return [0, 1, 2].slice(0, count).map((index) => unique[index * 7]!);
}

/** Makes the provider change these numbers. */
function changeAtProvider(numbers: readonly number[], by = 1_000): void {
  companion.controls.perturb = (value) => (numbers.includes(value) ? value + by : value);
}

describe("a refresh", () => {
  /** Restores the cells' first values, and leaves no notice for the next test. */
  afterEach(async () => {
    await closeNotice();
    companion.controls.reset();
    await pressAll();
    await waitForNotice(/(No cell|\d cells?) changed\./);
    await page.waitForFunction(
      ([range, figures]) =>
        window.playground
          .range(range)
          .flat()
          .every((value, index) => value === figures[index]),
      [book.figures, before] as const,
    );
    await closeNotice();
  });

  it("of one company's 140 cells is one request, and outputs only changed values", async () => {
    const [first] = listUnique(1);
    changeAtProvider([first!.value]);
    await refreshSelected(book.figuresOf(0));
    await waitFor(page, first!.cell, first!.value + 1_000);
    expect(listRequests(companion)).toEqual(ONE_READ);
    expect(companion.controls.requests[0]?.url).toContain(book.companyIds[0]);
    await waitForNotice(/1 cell changed\./);
    expect(await takeOutputs(page)).toEqual([{ address: `Empty!${first!.cell}`, value: first!.value + 1_000 }]);
  });

  it("outputs nothing if no value changed", async () => {
    await refreshSelected(book.figures);
    await waitForNotice(/No cell changed\./);
    expect(listRequests(companion)).toEqual(ONE_POST);
    expect(await takeOutputs(page)).toEqual([]);
    expect(await readFigures(page, book.figures)).toEqual(before);
  });

  it("shows the changed cells with old and new numbers, and is undone without a request", async () => {
    const changed = listUnique(3);
    changeAtProvider(changed.map(({ value }) => value));
    await pressAll();
    for (const { cell, value } of changed) await waitFor(page, cell, value + 1_000);
    await waitForNotice(/3 cells changed\./);
    await pane(page).getByRole("button", { name: "What changed" }).click();
    const list = pane(page).getByRole("tabpanel");
    for (const { value } of changed) {
      await list.getByText(value.toLocaleString("en")).first().waitFor(); // the cells are looked for first
      await list
        .getByText((value + 1_000).toLocaleString("en"))
        .first()
        .waitFor();
    }
    companion.controls.requests.length = 0;
    await takeOutputs(page);
    await pane(page).getByRole("button", { name: /^Undo/ }).click();
    for (const { cell, value } of changed) await waitFor(page, cell, value);
    expect(await readFigures(page, book.figures)).toEqual(before);
    expect(await takeOutputs(page)).toHaveLength(3);
    expect(listRequests(companion)).toEqual([]);
  });

  it("that is cancelled leaves every cell unchanged, and the next one works", async () => {
    const [first] = listUnique(1);
    changeAtProvider([first!.value]);
    companion.controls.latencyMs = SLOW_MS;
    await pressAll();
    await pane(page).getByRole("button", { name: "Cancel" }).click();
    await waitForNotice(/Cancelled/);
    expect(await readFigures(page, book.figures)).toEqual(before);
    expect(await takeOutputs(page)).toEqual([]);
    companion.controls.latencyMs = 0;
    companion.controls.requests.length = 0;
    await pressAll();
    await waitFor(page, first!.cell, first!.value + 1_000);
    await waitForNotice(/1 cell changed\./);
    expect(listRequests(companion)).toEqual(ONE_POST);
  });

  it("that starts during another joins it", async () => {
    companion.controls.latencyMs = 1_000;
    await pressAll();
    while (listRequests(companion).length === 0) await read(page, "A1");
    await pressAll();
    await refreshSelected(book.figuresOf(1));
    await waitForNotice(/No cell changed\./);
    expect(listRequests(companion)).toEqual(ONE_POST);
  });

  it("that fails keeps the values, and says so", async () => {
    companion.controls.answers.getFinancialsOfMany = { status: 500, times: Number.POSITIVE_INFINITY };
    await pressAll();
    await waitForNotice(/FEED_SERVER_FAILED/);
    expect(await readFigures(page, book.figures)).toEqual(before);
    expect(await takeOutputs(page)).toEqual([]);
  });
});

describe("an operation on a sheet", () => {
  const expectNoRequests = async (figures = book.figures) => {
    await waitForFigures(page, figures);
    expect(await readFigures(page, figures)).toEqual(before);
    expect(listRequests(companion)).toEqual([]);
  };
  /** Waits until queries without cells are removed. */
  const outliveGrace = () => page.waitForTimeout(GRACE_MS);

  it("sends no request: a row inserted above, and undone", async () => {
    const live = await page.evaluate(() => window.playground.live());
    await page.evaluate(() => window.playground.insertRow(1));
    const below = book.figures.replace(/\d+/g, (digits) => String(Number(digits) + 1));
    await expectNoRequests(below);
    await outliveGrace();
    await expectNoRequests(below);
    await page.evaluate(() => window.playground.undo());
    await outliveGrace();
    await expectNoRequests();
    expect(await page.evaluate(() => window.playground.live())).toBe(live);
    expect(await takeOutputs(page)).toEqual([]);
  });

  it("sends no request: rows grouped, folded and unfolded", async () => {
    await select(book.figuresOf(1));
    await choose("view", "group_headers", "group_rows");
    await page.click(".o-group-fold-button");
    await expectNoRequests();
    await outliveGrace();
    await page.click(".o-group-fold-button");
    await expectNoRequests();
    expect(await takeOutputs(page)).toEqual([]);
  });

  it("sends no request: rows sorted by a figure, and undone", async () => {
    await select("A2:P41");
    await choose("data", "sort_range", "sort_descending");
    await page.waitForFunction(([cell, value]) => window.playground.get(cell).value !== value, [
      "A2",
      book.companyIds[0],
    ] as const);
    await waitForFigures(page, book.figures);
    const sorted = (figures: unknown[]) => figures.map(String).sort();
    expect(sorted(await readFigures(page, book.figures))).toEqual(sorted(before));
    await outliveGrace();
    await page.evaluate(() => window.playground.undo());
    await outliveGrace();
    await expectNoRequests();
  });

  it("sends no request: F9, and Ctrl+Alt+F9, which reruns every formula", async () => {
    await page.keyboard.press("F9");
    await expectNoRequests();
    expect(await takeOutputs(page)).toEqual([]);
    await page.keyboard.press("Control+Alt+F9");
    await expectNoRequests();
    expect(await takeOutputs(page)).toHaveLength(before.length);
    await outliveGrace();
    await expectNoRequests();
  });

  it("sends no request: the workbook reopened in the same page", async () => {
    await openWorkbook(page, await page.evaluate(() => window.playground.save()));
    await expectNoRequests();
    await outliveGrace();
    await expectNoRequests();
  });
});
