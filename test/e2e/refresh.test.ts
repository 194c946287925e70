import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { until } from "../support/until";
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
import { openPlayground, pane, waitFor } from "./playground-page";
import { createSurroundings } from "./surroundings";

const ONE_READ = ["getCompanyFinancials"];
const ONE_POST = ["getFinancialsOfMany"];
/** Longer than a query outlives its last cell. */
const GRACE_MS = 2_500;
const SLOW_MS = 10_000;

const at = createSurroundings({ companies: 300 });
/** 280 figures of two companies. */
let book: LargeWorkbook;
let page: Awaited<ReturnType<typeof openPlayground>>["page"];
let errors: string[];
let before: unknown[];

beforeAll(async () => {
  book = await createLargeWorkbook(at.companion, 2);
  const address = `${at.companion.origin}/playground.html?lang=en`;
  const context = await at.browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.clock.install();
  ({ page, errors } = await openPlayground(context, address, "light", RECORDING_SCRIPT));
  await forgetRequests(page, at.companion);
  await enter(page, book);
  before = await readFigures(page, book.figures);
}, 60_000);
beforeEach(() => takeOutputs(page));
afterEach(() => expect(errors).toEqual([]));

const strip = () => page.locator("header");
const pressAll = () => strip().getByRole("button", { name: "Refresh all", exact: true }).click();

/** Selects cells and refreshes them by the strip's commands. */
async function refreshSelected(address: string): Promise<void> {
  await select(address);
  await strip().getByText("More", { exact: true }).click();
  await strip().getByRole("button", { name: "Refresh selection", exact: true }).click();
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

/** Figures that occur in one cell alone, and so identify it; the provider gives them larger by 1,000. */
function changeAtProvider(count: number): { cell: string; value: number }[] {
  const unique = book.addresses.flatMap((address, index) => {
    const value = before[index];
    const isAlone = typeof value === "number" && before.filter((other) => other === value).length === 1;
    return isAlone ? [{ cell: address.replace("Empty!", ""), value: Number(value) }] : [];
  });
  const chosen = [0, 1, 2].slice(0, count).map((index) => unique[index * 7]!);
  const numbers = chosen.map(({ value }) => value);
  at.companion.controls.perturb = (value) => (numbers.includes(value) ? value + 1_000 : value);
  return chosen;
}

describe("a refresh", () => {
  /** Restores the cells' first values, and leaves no notice for the next test. */
  afterEach(async () => {
    await closeNotice();
    at.companion.controls.reset();
    await pressAll();
    await waitForNotice(/(No cell|\d cells?) changed\./);
    await until(async () => JSON.stringify(await readFigures(page, book.figures)) === JSON.stringify(before));
    await closeNotice();
  });

  it("of one company's 140 cells is one request, and outputs only changed values", async () => {
    const [first] = changeAtProvider(1);
    await refreshSelected(book.figuresOf(0));
    await waitFor(page, first!.cell, first!.value + 1_000);
    expect(listRequests(at.companion)).toEqual(ONE_READ);
    expect(at.companion.controls.requests[0]?.url).toContain(book.companyIds[0]);
    await waitForNotice(/1 cell changed\./);
    expect(await takeOutputs(page)).toEqual([{ address: `Empty!${first!.cell}`, value: first!.value + 1_000 }]);
  });

  it("shows the changed cells with old and new numbers, and is undone without a request", async () => {
    const changed = changeAtProvider(3);
    await pressAll();
    for (const { cell, value } of changed) await waitFor(page, cell, value + 1_000);
    await waitForNotice(/3 cells changed\./);
    await pane(page).getByRole("button", { name: "What changed" }).click();
    const list = pane(page).getByRole("tabpanel");
    for (const shown of changed.flatMap(({ value }) => [value, value + 1_000])) {
      await list.getByText(shown.toLocaleString("en")).first().waitFor(); // the cells are looked for first
    }
    at.companion.controls.requests.length = 0;
    await takeOutputs(page);
    await pane(page).getByRole("button", { name: /^Undo/ }).click();
    for (const { cell, value } of changed) await waitFor(page, cell, value);
    expect(await readFigures(page, book.figures)).toEqual(before);
    expect(await takeOutputs(page)).toHaveLength(3);
    expect(listRequests(at.companion)).toEqual([]);
  });

  it("that is cancelled leaves every cell unchanged; the next one works, and joins another that starts", async () => {
    const [first] = changeAtProvider(1);
    at.companion.controls.latencyMs = SLOW_MS;
    await pressAll();
    await pane(page).getByRole("button", { name: "Cancel" }).click();
    await waitForNotice(/Cancelled/);
    expect(await readFigures(page, book.figures)).toEqual(before);
    expect(await takeOutputs(page)).toEqual([]);
    at.companion.controls.latencyMs = 500;
    at.companion.controls.requests.length = 0;
    await pressAll();
    await until(() => listRequests(at.companion).length > 0);
    await pressAll();
    await refreshSelected(book.figuresOf(1));
    await waitFor(page, first!.cell, first!.value + 1_000);
    await waitForNotice(/1 cell changed\./);
    expect(listRequests(at.companion)).toEqual(ONE_POST);
  });

  it("that fails keeps the values, and says so", async () => {
    const broken = { status: 500, times: Number.POSITIVE_INFINITY };
    at.companion.controls.answers = { getFinancialsOfMany: broken, getCompanyFinancials: broken };
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
    expect(listRequests(at.companion)).toEqual([]);
  };
  /** Removes queries without cells. */
  const outliveGrace = () => page.clock.fastForward(GRACE_MS);
  const undo = () => page.evaluate(() => window.playground.undo());

  it("sends no request: a row inserted above, rows grouped, folded and sorted, all undone", async () => {
    const live = await page.evaluate(() => window.playground.live());
    await page.evaluate(() => window.playground.insertRow(1));
    const below = book.figures.replace(/\d+/g, (digits) => String(Number(digits) + 1));
    await expectNoRequests(below);
    await outliveGrace();
    await expectNoRequests(below);
    await undo();
    await outliveGrace();
    await expectNoRequests();
    expect(await page.evaluate(() => window.playground.live())).toBe(live);

    await select(book.figuresOf(1));
    await choose("view", "group_headers", "group_rows");
    await page.click(".o-group-fold-button");
    await outliveGrace();
    await page.click(".o-group-fold-button");
    await expectNoRequests();
    expect(await takeOutputs(page)).toEqual([]);

    await select("A2:P21");
    const [one = "", other = ""] = book.companyIds;
    await choose("data", "sort_range", one < other ? "sort_descending" : "sort_ascending");
    await until(async () => JSON.stringify(await readFigures(page, book.figures)) !== JSON.stringify(before));
    await waitForFigures(page, book.figures);
    const sorted = (figures: unknown[]) => figures.map(String).sort();
    expect(sorted(await readFigures(page, book.figures))).toEqual(sorted(before));
    await outliveGrace();
    await undo();
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
